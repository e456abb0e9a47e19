"""Conditions as cases of linear inequalities over facts, each fact being 0 or 1.

In each state in which the conditions hold, there is a case whose rows are all nonnegative and whose sum is
the number in question; a fact is 1 if all conditions of its conjunction hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.traversal import substitute
from rulespec.core.types import BOOL, Int

from ..aig import TooWide
from . import equivalences
from .linear_forms import Total, WeightedFact, closed_value, linear_form, nonnegative_total, unfold

MOST_CASES = 64
"""Maximum number of cases."""

Literal = tuple[equivalences.Key, bool]
"""A condition, and whether it is asserted or negated."""
Key = frozenset[Literal]
"""A fact: the conditions of its conjunction."""
Sums = list[Total]
"""Sums that are all nonnegative."""


class _TooMany(Exception):
    """Raised if there are too many cases."""


@dataclass(frozen=True)
class Row:
    """A nonnegative sum over facts: `base` and the weight of each fact."""

    base: int
    facts: Mapping[Key, int]


@dataclass(frozen=True)
class Case:
    """The number in question, and the rows that are nonnegative in the case."""

    goal: Row
    rows: tuple[Row, ...]


def cases_of(game: Game, number: n.Expr | None, most: bool, conditions: Iterable[n.Expr]) -> list[Case]:
    """The cases that conditions leave for a number (0 if None), negated unless `most`.

    Raises TooWide if the number has too many facts. Conditions with too many facts or cases are left out.
    """
    return _Cases(game).of(number, most, conditions)


class _Cases:
    def __init__(self, game: Game) -> None:
        self._keys = equivalences.Keys(game)

    def of(self, number: n.Expr | None, most: bool, conditions: Iterable[n.Expr]) -> list[Case]:
        """The cases of a number under conditions, as rows of facts; the number is negated unless `most`."""
        total = Total(0, ()) if number is None else linear_form(number)
        total = total if most or number is None else total.negative
        found = []
        for sums in _cases_of_conjunction(conditions):
            fixed = self._fixed(sums)
            found.append(Case(self._row(total, fixed), tuple(self._row(t, fixed) for t in sums)))
        return found

    def _row(self, total: Total, fixed: Key) -> Row:
        """The row of a sum, with fixed literals replaced by their values."""
        base, facts = total.base, Counter[Key]()
        for f in total.facts:
            key = self._key(f.fact)
            if any(_negate(literal) in fixed for literal in key):
                continue
            left = key - fixed
            if left:
                facts[left] += f.weight
            else:
                base += f.weight
        return Row(base, {key: weight for key, weight in facts.items() if weight})

    def _key(self, fact: n.Expr) -> Key:
        return frozenset(self._literal(part) for part in _conjuncts(fact))

    def _literal(self, e: n.Expr) -> Literal:
        return _negate(self._literal(unfold(e.item))) if isinstance(e, n.Not) else (self._keys.of(e), True)

    def _fixed(self, case: Sums) -> Key:
        """The facts that must hold in a case, since without one of them a sum would be negative."""
        found = set()
        for total in case:
            if len(total.facts) == 1 and total.base + max(0, total.facts[0].weight) == 0:
                key = self._key(total.facts[0].fact)
                if len(key) == 1:
                    (literal,) = key
                    found.add(literal if total.facts[0].weight > 0 else _negate(literal))
        return frozenset(found)


def _conjuncts(e: n.Expr) -> list[n.Expr]:
    e = unfold(e)
    return [x for item in e.items for x in _conjuncts(item)] if isinstance(e, n.And) else [e]


def _negate(literal: Literal) -> Literal:
    """The negation of a literal."""
    key, holds = literal
    return key, not holds


# ---- cases


def _cases_of_conjunction(conditions: Iterable[n.Expr]) -> list[Sums]:
    """The cases in which all conditions hold, leaving out conditions that make too many cases."""
    found: list[Sums] = [[]]
    for e in conditions:
        with suppress(_TooMany, TooWide):
            found = _cases_of_all([found, _cases(e)])
    return found


def _cases_of_all(parts: Iterable[list[Sums]]) -> list[Sums]:
    """The cases in which all parts hold, combined from the cases of each. Raises _TooMany."""
    found: list[Sums] = [[]]
    for cases in parts:
        if len(found) * len(cases) > MOST_CASES:
            raise _TooMany
        found = [[*one, *other] for one in found for other in cases]
    return found


def _cases_of_any(parts: Iterable[list[Sums]]) -> list[Sums]:
    """The cases in which some part holds. Raises _TooMany."""
    found = list(chain.from_iterable(parts))
    if len(found) > MOST_CASES:
        raise _TooMany
    return found


def _cases(e: n.Expr, holds: bool = True) -> list[Sums]:
    """The cases in which a condition holds or, without `holds`, fails."""
    e = unfold(e)
    value = closed_value(e)
    if isinstance(value, bool):
        return [[]] if value == holds else []
    match e:
        case n.Not():
            return _cases(e.item, not holds)
        case n.And() | n.Or():
            join = _cases_of_all if isinstance(e, n.And) == holds else _cases_of_any
            return join(_cases(item, holds) for item in e.items)
        case n.All() | n.Any() if isinstance(e.source, n.Domain):
            join = _cases_of_all if isinstance(e, n.All) == holds else _cases_of_any
            of = e.source.of
            return join(_cases(substitute(e.body, {e.var: n.Const(of, x)}), holds) for x in of.values)
        case n.Equal(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            kind = n.AtMost if holds else n.Less
            sides = [[[_total_of(kind(BOOL, x, y))]] for x, y in ((a, b), (b, a))]
            return _cases_of_all(sides) if holds else _cases_of_any(sides)
        case n.AtMost(a=a, b=b) | n.Less(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            other = n.Less if isinstance(e, n.AtMost) else n.AtMost
            return [[_total_of(e if holds else other(BOOL, b, a))]]
    return [[Total(-1, (WeightedFact(1, e),))]] if holds else [[Total(0, (WeightedFact(-1, e),))]]


def _total_of(e: n.Expr) -> Total:
    found = nonnegative_total(e)
    assert found is not None
    return found
