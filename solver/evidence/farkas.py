"""Bounds that follow from invariants by adding them up, each some number of times.

Invariants that compare sums are linear in the facts they are made of, and each fact is 0 or 1. So how great a
number can be where they all hold is a linear program, and its dual solution says how often to add each of
them: a proof that anybody can go through with a pencil. What is a case of this or that is split into cases.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import BOOL, Int
from rulespec.core.walk import put
from solver.explore.linear_programming import maximise
from solver.formulas import TooWide, equivalences
from solver.formulas.linear_forms import Total, Weighted, compared, opened, settled, taken_apart

MOST_CASES = 64
"""So many cases are looked at one by one."""

Literal = tuple[equivalences.Key, bool]
"""A condition, and whether it is said to hold or not to."""
Key = frozenset[Literal]
"""A fact: the conditions that it is the conjunction of."""
Case = list[Total]
"""Sums none of which is negative."""


class TooMany(Exception):
    """There are more cases than are looked at."""


@dataclass(frozen=True)
class Row:
    """A sum over facts that is not negative: `base` and what each fact adds."""

    base: int
    facts: Mapping[Key, int]


@dataclass(frozen=True)
class Bound:
    """The most that a number can be, and for each case how often each of its sums is added to it."""

    most: Fraction
    times: tuple[tuple[Fraction, ...], ...]


class Combination:
    """A number, or none, and conditions that hold: the cases that they leave, and what the number can be."""

    def __init__(self, game: Game, number: n.Expr | None, most: bool, conditions: Iterable[n.Expr]) -> None:
        self._keys = equivalences.Keys(game)
        total = Total(0, ()) if number is None else taken_apart(number)
        total = total if most or number is None else total.negative
        self.cases: list[tuple[Row, list[Row]]] = []
        for case in _together(conditions):
            fixed = self._fixed(case)
            self.cases.append((self._row(total, fixed), [self._row(t, fixed) for t in case]))

    def bound(self) -> Bound | None:
        """The least bound on the number that sums give; None where there is no case."""
        times = tuple(tuple(_dual(goal, rows)) for goal, rows in self.cases)
        return Bound(self.given(times), times) if times else None

    def given(self, times: Sequence[Sequence[Fraction]]) -> Fraction:
        """The bound that comes of adding the sums of each case so many times. ValueError if wrong."""
        if len(times) != len(self.cases):
            raise ValueError("not as many cases")
        return max(_added(goal, rows, of) for (goal, rows), of in zip(self.cases, times, strict=True))

    # ---- rows

    def _row(self, total: Total, fixed: Key) -> Row:
        base, facts = total.base, Counter[Key]()
        for f in total.facts:
            key = self._key(f.fact)
            if any(_against(literal) in fixed for literal in key):
                continue
            left = key - fixed
            if left:
                facts[left] += f.weight
            else:
                base += f.weight
        return Row(base, {key: weight for key, weight in facts.items() if weight})

    def _key(self, fact: n.Expr) -> Key:
        return frozenset(self._literal(part) for part in _parts(fact))

    def _literal(self, e: n.Expr) -> Literal:
        return _against(self._literal(opened(e.item))) if isinstance(e, n.Not) else (self._keys.of(e), True)

    def _fixed(self, case: Case) -> Key:
        """What surely holds in a case: facts without which a sum would be negative."""
        found = set()
        for total in case:
            if len(total.facts) == 1 and total.base + max(0, total.facts[0].weight) == 0:
                key = self._key(total.facts[0].fact)
                if len(key) == 1:
                    (literal,) = key
                    found.add(literal if total.facts[0].weight > 0 else _against(literal))
        return frozenset(found)


def _parts(e: n.Expr) -> list[n.Expr]:
    e = opened(e)
    return [x for item in e.items for x in _parts(item)] if isinstance(e, n.And) else [e]


def _against(literal: Literal) -> Literal:
    """The opposite of a condition."""
    key, holds = literal
    return key, not holds


# ---- cases


def _together(conditions: Iterable[n.Expr]) -> list[Case]:
    """The cases that conditions leave, without those conditions that would make too many of them."""
    found: list[Case] = [[]]
    for e in conditions:
        with suppress(TooMany, TooWide):
            found = _all([found, _cases(e)])
    return found


def _all(parts: Iterable[list[Case]]) -> list[Case]:
    """The cases in which one case of each part holds."""
    found: list[Case] = [[]]
    for cases in parts:
        if len(found) * len(cases) > MOST_CASES:
            raise TooMany
        found = [[*one, *other] for one in found for other in cases]
    return found


def _any(parts: Iterable[list[Case]]) -> list[Case]:
    found = list(chain.from_iterable(parts))
    if len(found) > MOST_CASES:
        raise TooMany
    return found


def _cases(e: n.Expr, holds: bool = True) -> list[Case]:
    """The cases in which a condition holds (or does not)."""
    e = opened(e)
    value = settled(e)
    if isinstance(value, bool):
        return [[]] if value == holds else []
    match e:
        case n.Not():
            return _cases(e.item, not holds)
        case n.And() | n.Or():
            join = _all if isinstance(e, n.And) == holds else _any
            return join(_cases(item, holds) for item in e.items)
        case n.All() | n.Any() if isinstance(e.source, n.Domain):
            join = _all if isinstance(e, n.All) == holds else _any
            of = e.source.of
            return join(_cases(put(e.body, {e.var: n.Const(of, x)}), holds) for x in of.values)
        case n.Equal(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            kind = n.AtMost if holds else n.Less
            sides = [[[_total(kind(BOOL, x, y))]] for x, y in ((a, b), (b, a))]
            return _all(sides) if holds else _any(sides)
        case n.AtMost(a=a, b=b) | n.Less(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            other = n.Less if isinstance(e, n.AtMost) else n.AtMost
            return [[_total(e if holds else other(BOOL, b, a))]]
    return [[Total(-1, (Weighted(1, e),))]] if holds else [[Total(0, (Weighted(-1, e),))]]


def _total(e: n.Expr) -> Total:
    found = compared(e)
    assert found is not None
    return found


# ---- adding up


def _added(goal: Row, rows: Sequence[Row], times: Sequence[Fraction]) -> Fraction:
    """The most that the goal can be, the rows being added to it so many times."""
    if len(times) != len(rows) or any(t < 0 for t in times):
        raise ValueError("not a number of times for each sum")
    base, facts = Fraction(goal.base), defaultdict[Key, Fraction](Fraction)
    for key, weight in goal.facts.items():
        facts[key] += weight
    for row, t in zip(rows, times, strict=True):
        base += t * row.base
        for key, weight in row.facts.items():
            facts[key] += t * weight
    return base + sum(max(Fraction(0), weight) for weight in facts.values())


def _dual(goal: Row, rows: Sequence[Row]) -> list[Fraction]:
    """How often to add each row to have the least bound. Facts that all rows treat alike are one unknown."""
    keys = dict.fromkeys(chain(goal.facts, *(row.facts for row in rows)))
    alike = Counter(tuple(r.facts.get(key, 0) for r in (goal, *rows)) for key in keys)
    columns = list(alike)
    worth: dict[int, Fraction] = {j: Fraction(column[0]) for j, column in enumerate(columns)}
    table = [{j: Fraction(-column[i]) for j, column in enumerate(columns)} for i in range(1, len(rows) + 1)]
    limits = [Fraction(row.base) for row in rows]
    total = len(columns)
    great = sum((abs(x) * alike[columns[j]] for j, x in worth.items()), Fraction(1))
    short: dict[int, Fraction] = {}
    for i, row in enumerate(rows):
        if row.base < 0:  # an unknown that is as great as it can be once the row is not negative
            table[i][total] = Fraction(1)
            worth[total], short[total], limits[i] = great, Fraction(-row.base), Fraction(0)
            total += 1
    table += [{j: Fraction(1)} for j in range(total)]
    limits += [Fraction(alike[column]) for column in columns] + [short[j] for j in range(len(columns), total)]
    _, dual = maximise(worth, table, limits, total)
    return dual[: len(rows)]
