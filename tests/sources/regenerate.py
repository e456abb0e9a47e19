"""Write the expected messages of all cases anew; read the difference before you commit it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cases import BAD, EDITS, told

if __name__ == "__main__":
    os.environ["COLUMNS"] = "110"
    for name in EDITS:
        with tempfile.TemporaryDirectory() as folder:
            (BAD / f"{name}.expected").write_text(told(Path(folder), name), "utf-8")
