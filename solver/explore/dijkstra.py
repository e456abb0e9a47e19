"""Uniform-cost search (Dijkstra 1959): states in the order of the least cost to reach them.

Each position that is acted from has a cost, never negative, whatever the action. So successors of a state are
reached when its cost is paid: weights are on the nodes that are left.
"""

from __future__ import annotations

import heapq
from abc import abstractmethod
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.game import Game

from .code_states import CodeStates
from .interpreter_states import InterpreterStates, Stopped
from .packing import RowLayout
from .states import Limit, States


class CostQueue:
    """States that wait to be followed, by the sums at which they are left."""

    def __init__(self) -> None:
        self._sums: list[int] = []
        self._due: dict[int, array[int]] = {}
        self.paid = 0
        """The sum paid so far, a lower bound for all states that wait."""
        self.taken = 0
        """The number of states taken in, each reached at the sum paid by then."""

    def take_in(self, costs: Sequence[int]) -> None:
        """The next states wait, each until its cost is paid."""
        for cost in map(int, costs):
            due = self.paid + cost
            if due not in self._due:
                self._due[due] = array("q")
                heapq.heappush(self._sums, due)
            self._due[due].append(self.taken)
            self.taken += 1

    def now(self) -> Sequence[int]:
        """The states that are left for what is paid and have not been given yet."""
        if self._sums and self._sums[0] == self.paid:
            heapq.heappop(self._sums)
            return self._due.pop(self.paid)
        return ()

    def pay(self) -> bool:
        """Pay what the next states cost; False where none waits."""
        if self._sums:
            self.paid = self._sums[0]
        return bool(self._sums)


class Dijkstra(States):
    """States layer by layer of what they cost at least, by the number that is asked as `cost`.

    `costs` says what the states of each layer cost. The path to a state is a cheapest.
    """

    _begin: Callable[[Limit, int], bool]
    _count: Callable[[int], None]
    _close: Callable[[], None]

    def __init__(self, cost: str) -> None:
        self.costs: list[int] = []
        self.cost, self._waiting, self._started = cost, CostQueue(), False

    def deeper(self, limit: Limit, most: int) -> bool:
        """Find the states that cost the next more; see `States.deeper`."""
        self.stopped = ""
        if self.closed or not (self._started or self._begin(limit, most)):
            return False
        self._started = True
        while self._go_on(limit, most):
            self._waiting.take_in(self.scan(self.cost, self._waiting.taken))
            due = self._waiting.now()
            if due:
                self._plan(due)
            elif self.states > self.seen:
                self.costs.append(self._waiting.paid)
                self._count(self.seen)
                if not self._waiting.pay():
                    self._close()
                return True
            elif not self._waiting.pay():
                self._close()
                return False
        return False

    @abstractmethod
    def _go_on(self, limit: Limit, most: int) -> bool:
        """Follow the states that are planned; False where a limit was reached."""

    @abstractmethod
    def _plan(self, numbers: Sequence[int]) -> None:
        """These states are followed next."""


class DijkstraByCode(Dijkstra, CodeStates):
    """They are found by generated code; see `CodeStates`."""

    def __init__(
        self, game: Game, asked: Mapping[str, n.Expr], chance: tuple[str, ...] | None, tools: Any, cost: str
    ) -> None:
        CodeStates.__init__(self, game, asked, chance, tools)
        Dijkstra.__init__(self, cost)
        self._planned = 0

    def _go_on(self, limit: Limit, most: int) -> bool:
        return self._follow(self._planned, limit, most)

    def _plan(self, numbers: Sequence[int]) -> None:
        planned = self._planned + len(numbers)
        if planned > len(self._order):
            more = self.tools.room("small", 2 * planned)
            more[: self._planned] = self._order[: self._planned]
            self._order = more
        self._order[self._planned : planned] = numbers
        self._planned = planned


class DijkstraByInterpreter(Dijkstra, InterpreterStates):
    """They are found by the interpreter; see `InterpreterStates`."""

    def __init__(
        self,
        game: Game,
        asked: Mapping[str, n.Expr],
        chance: tuple[str, ...] | None,
        cost: str,
        layout: RowLayout | None = None,
    ) -> None:
        InterpreterStates.__init__(self, game, asked, chance, layout=layout)
        Dijkstra.__init__(self, cost)
        self._planned: list[int] = []

    def deeper(self, limit: Limit, most: int) -> bool:
        """Find the states that cost the next more; see `States.deeper`."""
        try:
            return super().deeper(limit, most)
        except Stopped as stop:
            self.stopped = str(stop)
            return False

    def _go_on(self, limit: Limit, most: int) -> bool:
        while self._planned:
            self.stopped = self._spent(limit, most)
            if self.stopped:
                return False
            self._follow(self._planned[-1], limit, most)
            self._planned.pop()
        return True

    def _plan(self, numbers: Sequence[int]) -> None:
        self._planned = list(reversed(numbers))
