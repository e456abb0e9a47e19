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
"""Number of items between two checks of the limits."""


def within_budget(items: Iterable[Item], limit: Limit) -> Iterator[Item]:
    """The items, until a limit gives a reason to stop: then LimitReached is raised."""
    for number, item in enumerate(items):
        if number % EACH == 0 and (why := limit()):
            raise LimitReached(why)
        yield item


class BreadthFirst(Generic[Place, Way]):
    """Places, each with the first path to it."""

    weighed_in: str
    """The unit of the weight of a place, in words."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        """Number of places by depth in plies, for the completed depths."""
        self.closed = False
        """True if there are no further places."""
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
        """Add one layer, completely or not at all; returns the first wanted result in it, if any.

        A call after a stopped one begins the same layer again.
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
