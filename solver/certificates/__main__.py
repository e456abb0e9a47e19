"""`python -m solver.certificates FORMULA.cnf PROOF.lrat`: check a proof in files.

Exit status 0 if the proof shows that the formula has no model, 1 if not, 2 for wrong usage.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .dimacs import read
from .lrat import ProofError, check


def main(arguments: list[str]) -> int:
    """Check the proof in the second file against the formula in the first; the exit status."""
    if len(arguments) != 2:
        print("usage: python -m solver.certificates FORMULA.cnf PROOF.lrat", file=sys.stderr)
        return 2
    try:
        with Path(arguments[0]).open(encoding="ascii") as formula:
            clauses = read(formula)
        with Path(arguments[1]).open(encoding="ascii") as proof:
            steps = check(clauses, proof)
    except OSError as error:
        print(_printable(f"{error.filename}: {error.strerror}"), file=sys.stderr)
        return 2
    except (ProofError, UnicodeDecodeError) as error:
        print(f"not verified: {_printable(str(error))}")
        return 1
    print(f"verified: no model of the {len(clauses)} clauses ({steps} steps)")
    return 0


def _printable(text: str) -> str:
    """A text with escapes in place of control characters."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
