"""Chance as generated code was given it, for the interpreter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import SupportsIndex

from rulespec.play.chance import Chance

Picks = tuple[tuple[int, ...], ...]
"""For each draw of a ply the picks that it is made of."""


class _Given(random.Random):
    """Gives whole numbers from a list instead of random ones."""

    def __init__(self, picks: Sequence[int]) -> None:
        super().__init__(0)
        self._left = list(reversed(picks))

    def randrange(
        self, start: SupportsIndex, stop: SupportsIndex | None = None, step: SupportsIndex = 1
    ) -> int:
        return self._left.pop()

    def _randbelow(self, n: int) -> int:
        return self._left.pop()


class ReplayedPicks(Chance):
    """Draws that go as picks of the code say, from draw number `first` on."""

    __slots__ = ("_first", "_picks")

    def __init__(self, picks: Picks, first: int = 0) -> None:
        super().__init__("picks")
        object.__setattr__(self, "_picks", picks)
        object.__setattr__(self, "_first", first)

    def _random(self, number: int, what: str) -> random.Random:
        picks: Picks = self._picks  # type: ignore[attr-defined]
        first: int = self._first  # type: ignore[attr-defined]
        return _Given(picks[number - first])
