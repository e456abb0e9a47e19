"""Formulas in DIMACS format: clauses as text."""

from __future__ import annotations

from collections.abc import Iterable

from .lrat import ProofError


def read(lines: Iterable[str]) -> list[list[int]]:
    """The clauses of a file. ProofError if it is none, or holds not as many clauses as it says."""
    clauses: list[list[int]] = []
    current: list[int] = []
    said: tuple[int, int] | None = None
    for line in lines:
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            said = _header(words, said)
            continue
        for literal in _numbers(line, said):
            if literal:
                current.append(literal)
            else:
                clauses.append(list(dict.fromkeys(current)))
                current = []
    if said is None or current or said[1] != len(clauses):
        raise ProofError(f"a formula of {len(clauses)} clauses that is not what its header says")
    return clauses


def _header(words: list[str], said: tuple[int, int] | None) -> tuple[int, int]:
    if said is not None or len(words) != 4 or words[1] != "cnf" or not all(w.isdecimal() for w in words[2:]):
        raise ProofError(f"no header of a formula: {' '.join(words)[:80]}")
    return int(words[2]), int(words[3])


def _numbers(line: str, said: tuple[int, int] | None) -> list[int]:
    try:
        numbers = [int(word) for word in line.split()]
    except ValueError:
        numbers = []
    if not numbers or said is None or any(abs(literal) > said[0] for literal in numbers):
        raise ProofError(f"no clause of the formula: {line.strip()[:80]}")
    return numbers
