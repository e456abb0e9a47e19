"""Write the expected messages of all cases anew; read the difference before you commit it."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path

from cases import BAD, DOCUMENT, EDITS, RULESET, lay_out

from rulespec.cli import main


def told(folder: Path, case: str) -> str:
    """What `coverage` prints of a case, in the folder where it works, and its exit status."""
    lay_out(folder, case)
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(["coverage", RULESET, "--document", DOCUMENT])
    return f"{out.getvalue()}exit {status}\n"


if __name__ == "__main__":
    os.environ["COLUMNS"] = "110"
    for name in EDITS:
        with tempfile.TemporaryDirectory() as folder:
            (BAD / f"{name}.expected").write_text(told(Path(folder), name), "utf-8")
