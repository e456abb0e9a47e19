"""Deals in the form of a game's code, and small changes to them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from rulespec.code import Node, Runner
from rulespec.play.replayed_chance import ReplayedChance, replayed_picks

Draw = tuple[tuple[int, int], ...]
"""The picks of a draw: for each the number of outcomes, and the outcome."""


class Deal(NamedTuple):
    """The outcomes of chance at the start, and the position after them."""

    draws: tuple[Draw, ...]
    node: Node

    @property
    def chance(self) -> ReplayedChance:
        """The chance of the deal for the interpreter."""
        return replayed_picks(tuple(tuple(pick for _, pick in draw) for draw in self.draws))


def random_deal(runner: Runner, source: random.Random) -> Deal:
    """A random deal."""
    return _deal(runner, (), (), source)


def changed_deal(runner: Runner, deal: Deal, source: random.Random) -> Deal:
    """A deal with one draw changed; later draws that are no longer possible are redrawn.

    A deal without picks is unchanged.
    """
    places = [i for i, draw in enumerate(deal.draws) if draw]
    if not places:
        return deal
    at = source.choice(places)
    given = *deal.draws[:at], _neighbour(deal.draws[at], source)
    return _deal(runner, given, deal.draws[at + 1 :], source)


def _neighbour(draw: Draw, source: random.Random) -> Draw:
    """A neighbour of a draw: two shuffled elements swapped, or one pick redrawn."""
    among, picks = [x for x, _ in draw], [pick for _, pick in draw]
    size = len(draw) + 1
    if among == [*range(size, 1, -1)] and size > 2:
        order = _order(picks)
        i, j = source.sample(range(size), 2)
        order[i], order[j] = order[j], order[i]
        picks = _picks(order)
    else:
        at = source.randrange(len(picks))
        picks[at] = source.randrange(among[at])
    return tuple(zip(among, picks, strict=True))


def _order(picks: Sequence[int]) -> list[int]:
    """The order that the picks of a shuffle give: from the last place down, each is swapped with one up to
    it."""
    order = list(range(len(picks) + 1))
    for i, j in zip(range(len(picks), 0, -1), picks, strict=True):
        order[i], order[j] = order[j], order[i]
    return order


def _picks(order: Sequence[int]) -> list[int]:
    """The picks of a shuffle that give an order."""
    now, picks = list(range(len(order))), []
    for i in range(len(order) - 1, 0, -1):
        picks.append(now.index(order[i], 0, i + 1))
        now[i], now[picks[-1]] = now[picks[-1]], now[i]
    return picks


def _deal(runner: Runner, given: Sequence[Draw], wanted: Sequence[Draw], source: random.Random) -> Deal:
    """The deal that begins with some draws and continues with others, where the same draws follow."""
    made: list[list[tuple[int, int]]] = []

    def answer(number: int) -> Callable[[int], int]:
        i = number - len(given)
        while len(made) <= i:  # nothing was picked in a draw that was not asked, as a shuffle of one
            made.append([])
        draw, old = made[i], wanted[i] if i < len(wanted) else ()

        def pick(count: int) -> int:
            among = [*(x for x, _ in draw), count]
            same = among == [x for x, _ in old[: len(among)]]
            draw.append((count, old[len(draw)][1] if same else source.randrange(count)))
            return draw[-1][1]

        return pick

    node = runner.start(answer, [pick for _, pick in chain.from_iterable(given)])
    return Deal((*given, *map(tuple, made)), node)
