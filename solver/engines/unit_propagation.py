"""Unit propagation with reasons: the hints that show a literal false, in the order of an LRAT step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class UnitPropagation:
    """A growing set of named clauses, with what follows from them by propagating units, and why.

    Lists are indexed by literal: Python's negative indices serve the negations. The first two literals of a
    clause are watched: it is looked at only when one of them becomes false.
    """

    def __init__(self, variables: int) -> None:
        self._value = [0] * (2 * variables + 1)
        self._reason = [0] * (2 * variables + 1)
        self._watching: list[list[int]] = [[] for _ in range(2 * variables + 1)]
        self._clauses: dict[int, list[int]] = {}
        self._trail: list[int] = []
        self.conflict = 0
        """The name of a clause of which all literals are false for good, 0 while there is none."""

    def add(self, name: int, literals: Sequence[int]) -> None:
        """Take a clause in; what it forces is true for good."""
        value = self._value
        clause = sorted(literals, key=lambda literal: value[literal] < 0)
        self._clauses[name] = clause
        if self.conflict:
            return
        if len(clause) < 2 or value[clause[1]] < 0:
            if not clause or value[clause[0]] < 0:
                self.conflict = name
            elif not value[clause[0]]:
                self._assign(clause[0], name)
                self.conflict = self._propagate(len(self._trail) - 1)
            elif len(clause) == 1:
                self._reason[clause[0]] = name  # which needs fewer others than what it was known by
            return
        self._watching[clause[0]].append(name)
        self._watching[clause[1]].append(name)

    def against(self, literal: int) -> list[int] | None:
        """The clauses that show a literal to be false, of which the last has no literal left.

        None if propagating it leads to no conflict.
        """
        if self.conflict:
            return self._why(self.conflict, 0)
        if self._value[literal] < 0:
            return self._why(self._reason[-literal], literal)
        mark = len(self._trail)
        if not self._value[literal]:
            self._assign(literal, 0)
        conflict = self._propagate(mark)
        result = self._why(conflict, literal) if conflict else None
        for assigned in self._trail[mark:]:
            self._value[assigned] = self._value[-assigned] = 0
        del self._trail[mark:]
        return result

    def _assign(self, literal: int, reason: int) -> None:
        self._value[literal], self._value[-literal] = 1, -1
        self._reason[literal] = reason
        self._trail.append(literal)

    def _propagate(self, at: int) -> int:
        """Go on from a place of the trail; the name of a clause that cannot be true, or 0."""
        while at < len(self._trail):
            conflict = self._visit(-self._trail[at])
            if conflict:
                return conflict
            at += 1
        return 0

    def _visit(self, false: int) -> int:
        """Find each clause that watches a literal now false another to watch, or what it forces."""
        value, waiting = self._value, self._watching[false]
        kept: list[int] = []
        self._watching[false] = kept
        for i, name in enumerate(waiting):
            clause = self._clauses[name]
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if value[first] > 0:
                kept.append(name)
                continue
            for j in range(2, len(clause)):
                if value[clause[j]] >= 0:
                    clause[1], clause[j] = clause[j], false
                    self._watching[clause[1]].append(name)
                    break
            else:
                kept.append(name)
                if value[first] < 0:
                    kept += waiting[i + 1 :]
                    return name
                self._assign(first, name)
        return 0

    def _why(self, conflict: int, supposed: int) -> list[int]:
        """The reasons of all that makes a clause false, in the order of the trail, and the clause."""
        needed = {-literal for literal in self._clauses[conflict]} - {supposed}
        named: list[int] = []
        for literal in reversed(self._trail):
            if literal in needed and literal != supposed:
                named.append(self._reason[literal])
                needed.update(-other for other in self._clauses[named[-1]] if other != literal)
        return [*reversed(named), conflict]


def greatest_variable(clauses: Iterable[Sequence[int]]) -> int:
    """The greatest variable of some clauses."""
    return max((abs(literal) for clause in clauses for literal in clause), default=0)
