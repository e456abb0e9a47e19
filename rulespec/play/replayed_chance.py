"""Chance of the interpreter that repeats the draws of generated code."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import SupportsIndex

from ..kernels.kit import choose
from .chance import Chance

Pick = Callable[[int], int]
"""Picks one of a number of outcomes, counted from 0."""
Picks = tuple[tuple[int, ...], ...]
"""For each draw of a ply, the picks that make it up."""


class _Picking(random.Random):
    """A random number generator whose numbers a function picks."""

    def __init__(self, pick: Pick) -> None:
        super().__init__(0)
        self._pick = pick

    def randrange(
        self, start: SupportsIndex, stop: SupportsIndex | None = None, step: SupportsIndex = 1
    ) -> int:
        return self._pick(int(start))

    def _randbelow(self, n: int) -> int:
        return self._pick(n)


class ReplayedChance(Chance):
    """Draws whose picks come from `picking`, a function of the number of the draw."""

    __slots__ = ("_picking",)

    def __init__(self, picking: Callable[[int], Pick]) -> None:
        super().__init__()
        object.__setattr__(self, "_picking", picking)

    def _random(self, number: int, what: str) -> random.Random:
        picking: Callable[[int], Pick] = self._picking  # type: ignore[attr-defined]
        return _Picking(picking(number))


def in_order(picks: Sequence[int]) -> Pick:
    """A function that returns the given picks in order."""
    left = iter(picks)
    return lambda _: next(left)


def replayed_picks(picks: Picks) -> ReplayedChance:
    """The draws for picks of the code from the start of play on; a shuffle of one element needs none."""
    return ReplayedChance(lambda number: in_order(picks[number] if number < len(picks) else ()))


def replayed_source(state: int) -> ReplayedChance:
    """The draws of code whose source of chance is in a given state."""
    pick = partial(choose, [state])
    return ReplayedChance(lambda _: pick)
