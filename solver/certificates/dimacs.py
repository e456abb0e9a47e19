"""Formulas in DIMACS format: clauses as text."""

from __future__ import annotations

from collections.abc import Iterable

from .lrat import ProofError, numbers


def read(lines: Iterable[str]) -> list[list[int]]:
    """The clauses of a file. ProofError if it is none, or holds not as many clauses as it says."""
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
    try:
        variables, clauses = numbers(words[2:])
    except ValueError:
        variables = clauses = -1
    if header is not None or words[:2] != ["p", "cnf"] or min(variables, clauses) < 0:
        raise ProofError(f"no header of a formula: {' '.join(words)[:80]}")
    return variables, clauses


def _literals(line: str, header: tuple[int, int] | None) -> list[int]:
    try:
        literals = numbers(line.split())
    except ValueError:
        literals = []
    if not literals or header is None or any(abs(literal) > header[0] for literal in literals):
        raise ProofError(f"no clause of the formula: {line.strip()[:80]}")
    return literals
