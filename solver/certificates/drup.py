"""A checker for DRUP proofs: that a formula in clauses has no model.

A proof is a list of lines, `1 -2 0` for a clause that follows and `d 1 -2 0` for one that is no
longer needed. A clause follows by *reverse unit propagation* (RUP) if assuming all its literals
false and propagating units leads to a conflict. A proof holds if each clause it adds is RUP and the
empty clause is reached. Everything ever assigned for good follows from the formula, so a deletion
that is ignored, or that removes the reason of such a literal, cannot make the checker say too much.

Literals are whole numbers other than 0; -v is the negation of v.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ProofError(ValueError):
    """A proof that does not show what it should; says which line, counted from 1."""


def check(clauses: Iterable[Sequence[int]], proof: Iterable[str]) -> int:
    """Check that a proof refutes the clauses; gives the number of proof lines read.

    Raises ProofError at the first line that is no proof line or does not follow, and where the
    proof ends before the empty clause is reached.
    """
    formula = _Clauses(clauses)
    number = 0
    for number, line in enumerate(proof, start=1):
        if formula.refuted:
            return number - 1
        deletion, literals = _parse(line, number)
        if deletion:
            formula.delete(literals)
        elif formula.follows(literals, number):
            formula.add(literals)
        else:
            raise ProofError(f"line {number} of the proof does not follow: {line.strip()[:80]}")
    if not formula.refuted:
        raise ProofError(f"the proof ends after {number} lines without a contradiction")
    return number


def _parse(line: str, number: int) -> tuple[bool, list[int]]:
    words = line.split()
    deletion = words[:1] == ["d"]
    try:
        literals = [int(word) for word in words[deletion:]]
    except ValueError:
        raise ProofError(f"line {number} is no proof line: {line.strip()[:80]}") from None
    if not literals or literals[-1] != 0 or 0 in literals[:-1]:
        raise ProofError(f"line {number} is no proof line: it must end in the only 0")
    return deletion, literals[:-1]


class _Clauses:
    """Clauses with two watched literals each, and the assignment that follows from them for good.

    Lists are indexed by literal: Python's negative indices serve the negations. In a clause the
    watched literals stand first; a deleted clause is emptied and leaves its watch lists later.
    """

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        listed = [list(dict.fromkeys(clause)) for clause in clauses]
        self.top = max((abs(literal) for clause in listed for literal in clause), default=0)
        self.value = [0] * (2 * self.top + 1)
        self.watching: list[list[list[int]]] = [[] for _ in range(2 * self.top + 1)]
        self.trail: list[int] = []
        self.by_literals: dict[tuple[int, ...], list[list[int]]] = {}
        self.refuted = False
        for clause in listed:
            self.add(clause)

    def add(self, literals: Sequence[int]) -> None:
        """Take a clause in; what it forces is assigned for good."""
        clause = list(dict.fromkeys(literals))
        free = [literal for literal in clause if self.value[literal] >= 0]
        if len(free) < 2:
            if not free:
                self.refuted = True
            elif not self.value[free[0]]:
                self.refuted = not self._assign(free) or self.refuted
            return
        clause.sort(key=lambda literal: self.value[literal] < 0)
        self.watching[clause[0]].append(clause)
        self.watching[clause[1]].append(clause)
        self.by_literals.setdefault(tuple(sorted(clause)), []).append(clause)

    def delete(self, literals: Sequence[int]) -> None:
        """Forget one clause with these literals, if one is kept."""
        same = self.by_literals.get(tuple(sorted(set(literals))))
        if same:
            same.pop().clear()

    def follows(self, literals: Sequence[int], number: int) -> bool:
        """Whether a clause is implied by reverse unit propagation."""
        if any(abs(literal) > self.top for literal in literals):
            raise ProofError(f"line {number} speaks of a variable that the formula does not have")
        if any(self.value[literal] > 0 for literal in literals):
            return True
        mark = len(self.trail)
        conflict = not self._assign([-literal for literal in literals])
        for literal in self.trail[mark:]:
            self.value[literal] = self.value[-literal] = 0
        del self.trail[mark:]
        return conflict

    def _assign(self, literals: Iterable[int]) -> bool:
        """Make literals true and propagate; no if that leads to a conflict."""
        value, trail = self.value, self.trail
        at = len(trail)
        for literal in literals:
            if value[literal] < 0:
                return False
            if not value[literal]:
                value[literal], value[-literal] = 1, -1
                trail.append(literal)
        while at < len(trail):
            false = -trail[at]
            at += 1
            if not self._visit(false):
                return False
        return True

    def _visit(self, false: int) -> bool:
        """Find each clause that watches a literal now false another to watch, or what it forces."""
        value, waiting = self.value, self.watching[false]
        kept: list[list[int]] = []
        self.watching[false] = kept
        for i, clause in enumerate(waiting):
            if not clause:
                continue
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if value[first] <= 0:
                for j in range(2, len(clause)):
                    if value[clause[j]] >= 0:
                        clause[1], clause[j] = clause[j], false
                        self.watching[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if value[first] < 0:
                        kept.extend(waiting[i + 1 :])
                        return False
                    value[first], value[-first] = 1, -1
                    self.trail.append(first)
                continue
            kept.append(clause)
        return True
