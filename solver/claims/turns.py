"""The order of questions that share one time limit, and the time that each of them gets in turn.

Questions come in tiers: the first matters most. A tier has half of the remaining time, the last one all of
it. Within a tier questions take turns in rounds: one that does not finish in its time waits, and has twice as
much in the next round. So no question waits for a hard one before it, and restarting costs at most as much
again. A question that is alone in its tier has the time of the tier at once. Time that later tiers leave is
shared out again, from the first tier on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

from rulespec.budgets import Budget

Q = TypeVar("Q")

FIRST = 2.0
"""The seconds of a question in the first round, if questions share a limit of time."""
SHARE = 0.5
"""The share of a tier in the remaining time, if there are later tiers."""

Ask = Callable[[Sequence[Q], float, Budget], Iterable[tuple[Q, bool]]]
"""Asks questions in order, each for a number of seconds and all within a budget.

Yields each question that was begun, and True if it needs no further turn.
"""


@dataclass
class _Waiting(Generic[Q]):
    """A question with the seconds of its next turn."""

    question: Q
    seconds: float
    begun: bool = False


def take_turns(tiers: Iterable[Sequence[Q]], call: Budget, each: float, ask: Ask[Q]) -> Iterator[Q]:
    """Ask questions in turns until all have finished, had `each` seconds, or the time of the call is over.

    Yields each question that needs no more time. Without a limit of the call each has all its time at once.
    """
    first = each if call.seconds_left == inf else min(FIRST, each)
    waiting = [[_Waiting(question, first) for question in tier] for tier in tiers]
    while any(waiting) and call.seconds_left > 0:
        turns = 0
        for number, tier in enumerate(waiting):
            later = any(waiting[number + 1 :])
            turns += yield from _rounds(tier, call.part(SHARE) if later else call, each, first, ask)
        if not turns:  # what is left is less than any question had before: one gets it all
            tier = next(tier for tier in waiting if tier)
            yield from _turn(tier, tier[:1], call.seconds_left, call, each, ask)
            if tier and tier[0].begun:
                break


def _rounds(
    tier: list[_Waiting[Q]], budget: Budget, each: float, first: float, ask: Ask[Q]
) -> Generator[Q, None, int]:
    """Give turns to a tier while its time lasts, and remove finished questions; returns how many turns."""
    turns = 0
    while tier and budget.seconds_left > 0:
        seconds = min(one.seconds for one in tier)
        if seconds > first and budget.seconds_left <= seconds / 2:
            break
        batch = [one for one in tier if one.seconds == seconds]
        given = budget.seconds_left if len(tier) == 1 else seconds
        turns += yield from _turn(tier, batch, given, budget, each, ask)
    return turns


def _turn(
    tier: list[_Waiting[Q]],
    batch: Sequence[_Waiting[Q]],
    seconds: float,
    budget: Budget,
    each: float,
    ask: Ask[Q],
) -> Generator[Q, None, int]:
    """Give a turn to some questions of a tier; returns how many were begun."""
    seconds = min(seconds, each)
    of = {id(one.question): one for one in batch}
    turns = 0
    for question, ended in ask([one.question for one in batch], seconds, budget):
        one = of[id(question)]
        turns += 1
        one.begun, one.seconds = True, 2 * seconds
        if ended or seconds >= each:
            tier.remove(one)
            yield question
    return turns
