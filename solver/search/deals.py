"""Deals as the code of a game takes them, and how one is changed by little."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from rulespec.code import Node, Runner
from rulespec.core.types import List, Scalar, Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
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


class _Noted(Chance):
    """Outcomes that are given, of which it is noted what code picks to have the same."""

    __slots__ = ("draws",)

    def __init__(self, given: tuple[str, ...]) -> None:
        super().__init__(None, given)
        object.__setattr__(self, "draws", [])

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        value = super().pick(number, t, values, weights)
        weighed = weights or [1] * len(values)
        before = sum(weighed[: values.index(value)])
        self.draws.append(Draw((sum(weighed),), (before,)))  # type: ignore[attr-defined]
        return value

    def order(self, number: int, t: List, values: Sequence[Value]) -> Value:
        ordered = super().order(number, t, values)
        picks = _picks([values.index(value) for value in ordered])
        among = tuple(range(len(values), 1, -1))
        self.draws.append(Draw(among, picks))  # type: ignore[attr-defined]
        return ordered


def given_deal(runner: Runner, machine: Machine, outcomes: Sequence[str]) -> Deal:
    """The deal of which the outcomes are known, in notation. ChanceError where they cannot come up."""
    chance = _Noted(tuple(outcomes))
    machine.start(chance)
    draws: tuple[Draw, ...] = tuple(chance.draws)  # type: ignore[attr-defined]
    return Deal(draws, runner.start(picks=tuple(chain.from_iterable(draw.picks for draw in draws))))


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
