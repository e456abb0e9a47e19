"""Counts of the results of games: only the frequency of each value is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from .playing import FAULT, LIMIT, Outcomes

T = TypeVar("T")

UNFINISHED = frozenset((LIMIT, FAULT))


class Tally:
    """Counts of lengths, ends, sets of winners, scores, and uses of actions over games."""

    def __init__(self, players: int, actions: int) -> None:
        """Start counts for given players with scores, and given actions."""
        self.games = 0
        self.lengths: Counter[int] = Counter()
        self.ended: Counter[tuple[str, str]] = Counter()
        """Counts by end and set of winners."""
        self.scores: list[Counter[int | None]] = [Counter() for _ in range(players)]
        self.actions: list[Counter[int]] = [Counter() for _ in range(actions)]
        self.shortest: tuple[int, int] | None = None
        """The plies of the shortest finished game, and its number."""
        self.longest: tuple[int, int] | None = None
        """The plies of the longest game, and its number."""

    def add(self, some: Outcomes) -> None:
        """Count further games."""
        if not some.games:
            return
        self.games += sum(some.games)
        _count(self.lengths, some.plies, some.games)
        _count(self.ended, [*zip(some.ended, some.winners, strict=True)], some.games)
        for scores, column in zip(self.scores, some.scores, strict=True):
            _count(scores, column, some.games)
        for taken, times in zip(self.actions, some.actions, strict=True):
            _count(taken, times, some.games)
        lengths = [*zip(some.plies, some.example, strict=True)]
        most = max(some.plies)
        if self.longest is None or most >= self.longest[0]:
            number = min(example for plies, example in lengths if plies == most)
            if self.longest is None or most > self.longest[0] or number < self.longest[1]:
                self.longest = (most, number)
        if not UNFINISHED.isdisjoint(some.ended):
            ended = zip(lengths, some.ended, strict=True)
            lengths = [length for length, end in ended if end not in UNFINISHED]
        self.shortest = min([*lengths, *([self.shortest] if self.shortest else [])], default=None)


def _count(counter: Counter[T], column: Sequence[T], games: Sequence[int]) -> None:
    """Add each value of a column as often as its games."""
    if max(games) == 1:
        counter.update(column)  # in C, where most batches of most games come
        return
    for value, count in zip(column, games, strict=True):
        counter[value] += count
