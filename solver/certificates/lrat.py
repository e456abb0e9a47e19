"""A checker for LRAT proofs that a formula in clauses has no model.

The clauses of the formula are numbered from 1 on. A proof is a list of steps, one a line:

    7 1 -2 0 3 5 0      clause 7 is `1 or not 2`; clauses 3 and 5 show that it follows
    7 d 3 5 0           clauses 3 and 5 are no longer needed

A clause follows by *reverse unit propagation*: suppose all its literals are false; then each clause named by
a hint, in turn, leaves just one literal open, which must be true, until the last leaves none. So there is no
search. A proof holds if each step does and the empty clause is reached. Steps by any other principle (RAT,
whose hints are negative) are refused.

Literals are whole numbers other than 0; -v is the negation of v.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ProofError(ValueError):
    """Raised for a proof that does not show what it should; the text says which step."""


def check(formula: Sequence[Sequence[int]], proof: Iterable[str]) -> int:
    """Check that a proof refutes the clauses; returns the number of clauses that it adds.

    Lines after the empty clause are not read. Raises ProofError at the first line that is no step or does not
    hold, and if the proof ends before the empty clause is reached.
    """
    clauses: dict[int, Sequence[int]] = {}
    size, last, added = len(formula), len(formula), 0
    for line in proof:
        number, deleted, literals, hints = parse(line)
        if deleted:
            for name in literals:
                clauses.pop(name, None)
            continue
        if number <= last:
            raise ProofError(f"step {number}: its number is not greater than those before it")
        true = {-literal for literal in literals}
        _follow(number, true, hints, clauses, formula, size)
        added += 1
        if not literals:
            return added
        clauses[number], last = literals, number
    raise ProofError(f"the proof ends after {added} steps without a contradiction")


def _follow(
    number: int,
    true: set[int],
    hints: Sequence[int],
    clauses: dict[int, Sequence[int]],
    formula: Sequence[Sequence[int]],
    size: int,
) -> None:
    """Propagate the clauses that hints name; raises ProofError unless exactly the last one becomes false."""
    for place, hint in enumerate(hints, 1):
        clause = clauses.get(hint) if hint > size else formula[hint - 1] if hint > 0 else None
        if clause is None:
            raise ProofError(f"step {number}: there is no clause {hint}")
        unit = 0
        for literal in clause:
            if -literal not in true and literal != unit:
                if unit:
                    raise ProofError(f"step {number}: clause {hint} leaves more than one literal open")
                unit = literal
        if not unit:
            if place < len(hints):
                raise ProofError(f"step {number}: clause {hint} settles it, yet hints follow")
            return
        true.add(unit)
    raise ProofError(f"step {number}: its hints lead to no contradiction")


def numbers(words: Sequence[str]) -> list[int]:
    """Integers in decimal notation. Raises ValueError for any other word, or for thousands of digits."""
    text = "".join(words)
    if not text.isascii() or "_" in text or "+" in text:  # `int` would accept these
        raise ValueError("no whole numbers")
    return [int(word) for word in words]


def parse(line: str) -> tuple[int, bool, list[int], list[int]]:
    """A step: its number, True for a deletion, its literals (or the deleted clauses), and its hints.

    Raises ProofError if the line is no step.
    """
    words = line.split()
    deleted = words[1:2] == ["d"]
    if deleted:
        del words[1]
    try:
        number, *rest = numbers(words)
        end = rest.index(0)
        literals, hints = rest[:end], rest[end + 1 :]
    except ValueError:
        raise ProofError(f"no proof step: {line.strip()[:80]}") from None
    if deleted:
        whole = not hints
    else:
        whole = hints[-1:] == [0] and hints.pop() not in hints
    if not whole:
        raise ProofError(f"no proof step: {line.strip()[:80]}")
    return number, deleted, literals, hints
