"""Breadth-first search over hashable places, layer by layer, within budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from rulespec.solver.explore import Limit
from rulespec.solver.explore.chance_outcomes import TooManyOutcomes
from rulespec.solver.explore.states import LimitReached

Place = TypeVar("Place")
Way = TypeVar("Way")
Found = TypeVar("Found")
Item = TypeVar("Item")

EACH = 16
"""The number of things between two looks at the limits."""


def within_budget(items: Iterable[Item], limit: Limit) -> Iterator[Item]:
    """The items, until a limit says why there are no more; then Stopped."""
    for number, item in enumerate(items):
        if number % EACH == 0 and (why := limit()):
            raise LimitReached(why)
        yield item


class BreadthFirst(Generic[Place, Way]):
    """Places, each with how it was first come to."""

    weighed_in: str
    """The unit of the weight of a place, in words."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        """Places by depth in plies, as far as those were looked at."""
        self.closed = False
        """True if there are no more."""
        self.stopped = ""
        """The reason why the last layer was not added; empty if it was."""
        self._weight = 0
        self._came: dict[Place, Way] = {}
        self._last: list[Place] = []

    def weigh(self, place: Place) -> int:
        """The weight of a place."""
        return 1

    def _layer(
        self,
        steps: Iterable[tuple[Place, Way]],
        wanted: Callable[[Place, Way], Found | None],
        limit: Limit,
        most: int,
    ) -> Found | None:
        """Add one layer, whole or not at all: what was wanted in the first new place that has it, if any.

        A call after one that was stopped begins the same layer again.
        """
        fresh: list[Place] = []
        self.stopped = ""
        try:
            for place, way in steps:
                if place in self._came:
                    continue
                self._came[place] = way
                fresh.append(place)
                self._weight += self.weigh(place)
                result = wanted(place, way)
                if result is not None:
                    return result
                self.stopped = limit() or (f"{most} {self.weighed_in}" if self._weight > most else "")
                if self.stopped:
                    break
        except TooManyOutcomes as many:
            self.stopped = f"{many} has too many outcomes"
        except LimitReached as halted:
            self.stopped = str(halted)
        if self.stopped:
            for gone in fresh:
                del self._came[gone]
                self._weight -= self.weigh(gone)
            return None
        self._last = fresh
        self.closed = not fresh
        if fresh:
            self.counts.append(len(fresh))
        return None
