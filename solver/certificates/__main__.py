"""`python -m rulespec.solver.certificates FORMULA.cnf PROOF.lrat`: check a proof in files.

Exit status 0 if the proof shows that the formula has no model, 1 if not, 2 for wrong usage.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from .lrat import ProofError, check, numbers


def main(arguments: list[str]) -> int:
    """Check the proof in the second file against the formula in the first; returns the exit status."""
    if len(arguments) != 2:
        print("usage: python -m rulespec.solver.certificates FORMULA.cnf PROOF.lrat", file=sys.stderr)
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


def read(lines: Iterable[str]) -> list[list[int]]:
    """The clauses of a file in DIMACS format. Raises ProofError for another format or number of clauses."""
    clauses: list[list[int]] = []
    current: list[int] = []
    header: tuple[int, int] | None = None
    for line in lines:
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            header = _header(words, header)
            continue
        for literal in _literals(line, header):
            if literal:
                current.append(literal)
            else:
                clauses.append(list(dict.fromkeys(current)))
                current = []
    if header is None or current or header[1] != len(clauses):
        raise ProofError(f"a formula of {len(clauses)} clauses that is not what its header says")
    return clauses


def _header(words: list[str], header: tuple[int, int] | None) -> tuple[int, int]:
    """The numbers of variables and clauses in the only header of a formula. Raises ProofError."""
    try:
        variables, clauses = numbers(words[2:])
    except ValueError:
        variables = clauses = -1
    if header is not None or words[:2] != ["p", "cnf"] or min(variables, clauses) < 0:
        raise ProofError(f"no header of a formula: {' '.join(words)[:80]}")
    return variables, clauses


def _literals(line: str, header: tuple[int, int] | None) -> list[int]:
    """The literals in a line of a formula, up to the zero. Raises ProofError."""
    try:
        literals = numbers(line.split())
    except ValueError:
        literals = []
    if not literals or header is None or any(abs(literal) > header[0] for literal in literals):
        raise ProofError(f"no clause of the formula: {line.strip()[:80]}")
    return literals


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
