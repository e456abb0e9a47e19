"""Deals as the code of a game takes them, and how one is changed by little."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from rulespec.code import Node, Runner
from rulespec.play.replayed_chance import ReplayedChance, replayed_picks


@dataclass(frozen=True)
class Draw:
    """One draw: for each of its picks the number of outcomes, and the outcome."""

    among: tuple[int, ...]
    picks: tuple[int, ...]

    def changed(self, source: random.Random) -> Draw:
        """A neighbour: two shuffled things exchanged, or one pick made anew."""
        size = len(self.picks) + 1
        if self.among == tuple(range(size, 1, -1)) and size > 2:
            order = _order(self.picks)
            i, j = source.sample(range(size), 2)
            order[i], order[j] = order[j], order[i]
            return Draw(self.among, _picks(order))
        picks = list(self.picks)
        at = source.randrange(len(picks))
        picks[at] = source.randrange(self.among[at])
        return Draw(self.among, tuple(picks))


def _order(picks: Sequence[int]) -> list[int]:
    """The order into which picks shuffle: from the last place down, each exchanged with one up to itself."""
    order = list(range(len(picks) + 1))
    for i, j in zip(range(len(picks), 0, -1), picks, strict=True):
        order[i], order[j] = order[j], order[i]
    return order


def _picks(order: Sequence[int]) -> tuple[int, ...]:
    """The picks that shuffle into an order."""
    now, picks = list(range(len(order))), []
    for i in range(len(order) - 1, 0, -1):
        j = now.index(order[i], 0, i + 1)
        now[i], now[j] = now[j], now[i]
        picks.append(j)
    return tuple(picks)


@dataclass(frozen=True)
class Deal:
    """The outcomes of chance at the start, and the position after them."""

    draws: tuple[Draw, ...]
    node: Node

    @property
    def chance(self) -> ReplayedChance:
        """The same for the interpreter."""
        return replayed_picks(tuple(draw.picks for draw in self.draws))


def random_deal(runner: Runner, source: random.Random) -> Deal:
    """A deal in which all is left to chance."""
    return _deal(runner, (), (), source)


def changed_deal(runner: Runner, deal: Deal, source: random.Random) -> Deal:
    """A deal of which one draw was changed, and those that follow it where they cannot stay.

    There must be a draw with a choice.
    """
    at = source.choice([i for i, draw in enumerate(deal.draws) if draw.picks])
    given = *deal.draws[:at], deal.draws[at].changed(source)
    return _deal(runner, given, deal.draws[at + 1 :], source)


def _deal(runner: Runner, given: Sequence[Draw], wanted: Sequence[Draw], source: random.Random) -> Deal:
    """The deal that begins with some draws, and goes on with others as far as the same is to be drawn."""
    result: list[tuple[list[int], list[int]]] = []

    def answer(number: int) -> Callable[[int], int]:
        among, picks, i = list[int](), list[int](), number - len(given)
        while len(result) <= i:  # nothing was picked in a draw that was not asked, as a shuffle of one
            result.append((among, picks) if len(result) == i else ([], []))
        old = wanted[i] if i < len(wanted) else Draw((), ())

        def pick(count: int) -> int:
            place = len(picks)
            among.append(count)
            same = tuple(among) == old.among[: place + 1]
            picks.append(old.picks[place] if same else source.randrange(count))
            return picks[-1]

        return pick

    node = runner.start(answer, tuple(chain.from_iterable(draw.picks for draw in given)))
    return Deal((*given, *(Draw(tuple(among), tuple(picks)) for among, picks in result)), node)
