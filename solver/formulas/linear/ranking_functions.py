"""Numbers that only fall: of a ply that is asked only by how much it changes them.

To compare two great sums is hard for an engine, and mostly beside the point: a ply changes few of the
summands. So a number is taken apart into facts (`totals`), and facts about the same thing are put together:
where one thing only moves, what it adds mostly stays, and nothing needs to be counted at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rulespec.core.types import Scalar, Value

from ..aig import FALSE, TRUE
from ..unrolling.question import Question
from .linear_forms import Total, WeightedFact

CHANGES = (6, 24, 96)
"""Limits of the total raise of a number in one ply; the first that suffices is taken."""

MOST_VALUES = 2_000
"""The most values of a number for which one question asks whether a ply leaves it as it is."""

MOST_TOGETHER = 24
"""The most change of a number by the facts about one thing that are counted together."""


def falls(one: Question, total: Total) -> bool:
    """True if the ply of a question, which has one, lowers a number unless it faults."""
    return _falls(one, total, 1)


def not_lowered(one: Question, total: Total) -> list[int]:
    """Literals, one of which is true if the ply of a question leaves a number as it is or raises it.

    None for a number of too many values to ask so.
    """
    if sum(abs(f.weight) for f in total.facts) > MOST_VALUES:
        return []
    before, after = (_amounts(one, total.facts, k) for k in (0, 1))
    no_more = [-x for x in before[1:]] + [TRUE]
    return [one.gates.all([least, most]) for least, most in zip(after, no_more, strict=True)]


def never_rises(one: Question, total: Total) -> bool:
    """True if the ply of a question, which has one, does not raise a number unless it faults."""
    return _falls(one, total, 0)


def _falls(one: Question, total: Total, least: int) -> bool:
    """True if the ply lowers a number by at least so much, 0 or 1.

    By how much each thing can change it is asked first: to sum up what is left is easier then.
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
    """The possible levels of each change, if it has any; it is granted that it has no others."""
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
"""Literals that say that something changes by at least 1, 2, ..."""


def _changes(one: Question, total: Total) -> list[tuple[Levels, Levels]]:
    """The raise and the fall of the number through each thing."""
    amounts = [[_amounts(one, facts, k) for k in (0, 1)] for facts in _together(total.facts)]
    return [(_beyond(one, before, after), _beyond(one, after, before)) for before, after in amounts]


def _together(facts: Sequence[WeightedFact]) -> Iterator[list[WeightedFact]]:
    """The facts, those about the same thing together; things are of the type with the most of them."""
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
    """Literals that say that facts add at least 0, 1, 2, ... after k plies to the least that they can add."""
    literals = [(one.holds(f.fact, k) * (1 if f.weight > 0 else -1), abs(f.weight)) for f in facts]
    return levels(one, literals, sum(weight for _, weight in literals))


def _beyond(one: Question, some: Levels, more: Levels) -> Levels:
    """Literals that say that one amount is at least 1, 2, ... beyond another."""
    gates, most = one.gates, len(some) - 1
    return [
        gates.any([gates.all([-some[k + 1], more[k + by]]) for k in range(most - by + 1)])
        for by in range(1, most + 1)
    ]


def _unary_counts(one: Question, changes: Sequence[Levels], most: int) -> Levels:
    """Literals that say that the changes come to at least 0, 1, 2, ... `most`."""
    return levels(one, [(literal, 1) for levels in changes for literal in levels], most)


def levels(one: Question, literals: Iterable[tuple[int, int]], most: int) -> Levels:
    """Literals that say that the weights of those that are true come to at least 0, 1, 2, ... `most`."""
    gates = one.gates
    counts = [TRUE] + [FALSE] * most
    for literal, weight in literals:
        for i in range(most, 0, -1):
            counts[i] = gates.any([counts[i], gates.all([literal, counts[max(i - weight, 0)]])])
    return counts
