"""The truth of a claim, and what every kind of claim needs to find it: nothing of the solver is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulespec.core import nodes as n
from rulespec.core.game import Claim

from .space import Space


class Unknown(Exception):
    """The truth is not worked out here: the question has no answer, or another way would be needed."""


@dataclass(frozen=True)
class Truth:
    """The truth of a claim.

    `holds` says whether it does, None where the claim only asks; `value` is the number it asks for. `soonest`
    gives for a claim that one play settles the plies of the shortest such play, None where there is none.
    `longest` gives the plies of the longest play; None where play can go on for ever. `least` and `most`
    bound the total of a sample, or a value that depends on the result that plays without one are given;
    `share` is that of the deals in which a claim holds.
    """

    holds: bool | None
    value: Fraction | int | None = None
    soonest: int | None = None
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    share: Fraction | None = None


def asked(space: Space, claim: Claim, i: int) -> bool:
    return claim.condition is None or bool(space.ask(claim.condition, i))


def counts(space: Space, claim: Claim, i: int) -> bool:
    when = claim.options.get("when")
    return not isinstance(when, n.Expression) or bool(space.ask(when, i))


def compared(claim: Claim, found: Fraction | int) -> Truth:
    wanted = claim.options.get("is")
    return Truth(None if wanted is None else Fraction(str(wanted)) == found, found)


def order(space: Space) -> list[int] | None:
    """The positions so that what follows one stands before it; None where a position can come back."""
    waiting = [len(set(space.after(i))) for i in range(len(space))]
    before: list[set[int]] = [set() for _ in range(len(space))]
    for i in range(len(space)):
        for to in set(space.after(i)):
            before[to].add(i)
    ready = deque(i for i, count in enumerate(waiting) if count == 0)
    found = []
    while ready:
        i = ready.popleft()
        found.append(i)
        for j in before[i]:
            waiting[j] -= 1
            if waiting[j] == 0:
                ready.append(j)
    return found if len(found) == len(space) else None


def ordered(space: Space) -> list[int]:
    found = order(space)
    if found is None:
        raise Unknown
    return found


def longest(space: Space) -> int | None:
    """The plies of the longest play; None where play can go on for ever."""
    found = order(space)
    if found is None:
        return None
    length = [0] * len(space)
    for i in found:
        length[i] = max((1 + length[to] for to in space.after(i)), default=0)
    return max(length[i] for _, i in space.starts)


def backwards(space: Space, goals: list[int]) -> Iterator[int]:
    """The positions from which the goals can be reached, the nearest first, without the goals."""
    before: list[set[int]] = [set() for _ in range(len(space))]
    for i in range(len(space)):
        for to in space.after(i):
            before[to].add(i)
    seen, waiting = set(goals), deque(goals)
    while waiting:
        for j in sorted(before[waiting.popleft()]):
            if j not in seen:
                seen.add(j)
                waiting.append(j)
                yield j
