"""Decreasing numbers: a question asks only how much a ply changes them.

Comparing two large sums is hard for an engine and mostly unnecessary: a ply changes few of the summands. So a
number is split into facts (`linear_forms`), and facts about the same thing are grouped: if that thing only
moves, its contribution mostly stays, and nothing needs to be counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rulespec.core.types import Scalar, Value

from ..aig import FALSE, TRUE
from ..unrolling.question import Question
from .linear_forms import Total, WeightedFact

CHANGES = (6, 24, 96)
"""Limits of the total increase of a number in one ply; the first sufficient one is used."""

MOST_VALUES = 2_000
"""Maximum number of values of a number for a single question whether a ply leaves it unchanged."""

MOST_TOGETHER = 24
"""Maximum change of a number by facts about one thing that are counted together."""


def falls(one: Question, totals: Sequence[Total]) -> bool:
    """True if, unless it faults, the only ply of a question lowers the first of some numbers that it changes.

    So no number rises while those before it stay, and if all others stay, the last one falls.
    """
    *firsts, last = totals
    for total in firsts:
        if not _falls(one, total, 0):
            return False
        if same := not_lowered(one, total):
            one.granted.append(one.gates.any(same))
    return _falls(one, last, 1)


def not_lowered(one: Question, total: Total) -> list[int]:
    """Literals, one of which is true if the ply of a question does not lower a number.

    Empty if the number has too many values.
    """
    if sum(abs(f.weight) for f in total.facts) > MOST_VALUES:
        return []
    before, after = (_amounts(one, total.facts, k) for k in (0, 1))
    no_more = [-x for x in before[1:]] + [TRUE]
    return [one.gates.all([least, most]) for least, most in zip(after, no_more, strict=True)]


def never_rises(one: Question, total: Total) -> bool:
    """True if the only ply of a question does not raise a number unless it faults."""
    return _falls(one, total, 0)


def _falls(one: Question, total: Total, least: int) -> bool:
    """True if the ply lowers a number by at least `least`, 0 or 1.

    First the possible change of each thing is determined, which makes the remaining sum easier.
    """
    fine = [-one.watched_fault(1)]
    changes = _changes(one, total)
    rising = _can_be(one, fine, [more for more, _ in changes])
    falling = [less for _, less in changes]
    if not rising:
        return not least or not one.possible([*fine, *(-levels[0] for levels in falling)])
    for most in CHANGES:
        up = _unary_counts(one, rising, most + 1)
        if one.possible([*fine, up[most + 1]]):
            continue
        down = _unary_counts(one, falling, most + 2)
        short = [one.gates.all([up[k], -down[k + least]]) for k in range(1 - least, most + 1)]
        return not one.possible(fine, one_of=short)
    return False


def _can_be(one: Question, fine: Sequence[int], changes: Sequence[Levels]) -> list[Levels]:
    """The possible levels of each change that has any; excludes all others from the question."""
    left, reached = dict.fromkeys(range(len(changes)), 0), [0] * len(changes)
    while left and one.possible(fine, one_of=[changes[i][at] for i, at in left.items()]):
        met = [i for i, at in left.items() if one.was(changes[i][at])]
        for i in met:
            reached[i] = left[i] = left[i] + 1
            if left[i] == len(changes[i]):
                del left[i]
    one.granted += [-x for i, at in left.items() for x in changes[i][at:]]
    return [levels[:number] for levels, number in zip(changes, reached, strict=True) if number]


Levels = list[int]
"""Literals for a change of at least 1, 2, ..."""


def _changes(one: Question, total: Total) -> list[tuple[Levels, Levels]]:
    """The increase and the decrease of the number that come from each value."""
    amounts = [[_amounts(one, facts, k) for k in (0, 1)] for facts in _together(total.facts)]
    return [(_beyond(one, before, after), _beyond(one, after, before)) for before, after in amounts]


def _together(facts: Sequence[WeightedFact]) -> Iterator[list[WeightedFact]]:
    """The facts grouped by the value they are about, of the type with most such values."""
    types: dict[Scalar, set[Value]] = defaultdict(set)
    for f in facts:
        for of, value in f.about:
            types[of].add(value)
    of_things = max(types, key=lambda of: len(types[of]), default=None)
    things: dict[Value, list[WeightedFact]] = defaultdict(list)
    for f in facts:
        about = [value for of, value in f.about if of == of_things]
        if about:
            things[about[-1]].append(f)
        else:
            yield [f]
    for together in things.values():
        if sum(abs(f.weight) for f in together) <= MOST_TOGETHER:
            yield together
        else:
            yield from ([f] for f in together)


def _amounts(one: Question, facts: Iterable[WeightedFact], k: int) -> Levels:
    """Literals for facts adding at least 0, 1, 2, ... after k plies to their least possible sum."""
    literals = [(one.holds(f.fact, k) * (1 if f.weight > 0 else -1), abs(f.weight)) for f in facts]
    return levels(one, literals, sum(weight for _, weight in literals))


def _beyond(one: Question, some: Levels, more: Levels) -> Levels:
    """Literals that one amount exceeds another by at least 1, 2, ..."""
    gates, most = one.gates, len(some) - 1
    return [
        gates.any([gates.all([-some[k + 1], more[k + by]]) for k in range(most - by + 1)])
        for by in range(1, most + 1)
    ]


def _unary_counts(one: Question, changes: Sequence[Levels], most: int) -> Levels:
    """Literals for the sum of the changes being at least 0, 1, 2, ... `most`."""
    return levels(one, [(literal, 1) for levels in changes for literal in levels], most)


def levels(one: Question, literals: Iterable[tuple[int, int]], most: int) -> Levels:
    """Literals that the weights of the true literals add up to at least 0, 1, 2, ... `most`."""
    gates = one.gates
    counts = [TRUE] + [FALSE] * most
    for literal, weight in literals:
        for i in range(most, 0, -1):
            counts[i] = gates.any([counts[i], gates.all([literal, counts[max(i - weight, 0)]])])
    return counts
