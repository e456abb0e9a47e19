"""Write the expected messages of all faulty documents anew; read the difference before you commit it."""

from __future__ import annotations

import os
from pathlib import Path

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load

BAD = Path(__file__).parent / "bad"


def main() -> None:
    """Load each document of `bad/`; one that loads is an error."""
    os.chdir(BAD)
    for path in sorted(Path().glob("*.yaml")):
        try:
            load(path)
        except RulesetError as error:
            path.with_suffix(".expected").write_text(f"{error}\n", "utf-8")
        else:
            raise SystemExit(f"{path} has no fault")


if __name__ == "__main__":
    main()
