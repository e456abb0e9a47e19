"""The interface of explorations: numbered states, questions about them, and plays to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from rulespec.code.codes import NONE
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.sides import bits, maximising_side, minimising_side
from rulespec.core.types import Value
from rulespec.play.machine import Machine, Ply
from rulespec.play.position import Move, Position

from .chance_outcomes import outcomes

NO_RESULT = "a play can end with a value that does not fit its place, and so without a result"
"""The reason why results of plays stay undecided."""

Limit = Callable[[], str]
"""Returns the budget that has run out, in words; empty if none has."""


Row = tuple[int, ...]
"""A packed state; see `rulespec.code.packed_rows.fields`."""


class NoValue(ValueError):
    """Raised if best play has no value, or none is found; the text gives the reason."""


class Unsound(ValueError):
    """Raised if a strategy does not prove what it should; the text gives the reason."""


class BuiltinQuestion(Enum):
    """A question about a state that exists for every game, distinct from the names of claims and
    variables."""

    MOVER = "mover"
    """The number of the player to act, or of the last one after the end."""
    SIDE = "side"
    """1 if the player to act, or the last one after the end, maximises the value, else -1."""
    WINNERS = "winners"
    """Bit p for player p; 0 before the end."""
    ENDED = "ended"
    """The end that was reached, counted from 1; the number of ends plus 1 if nobody can act; else 0."""
    FAULTED = "faulted"
    """1 if a value did not fit its place, else 0."""


@dataclass(frozen=True)
class ScoreOf:
    """The score of a player, in a game with scores."""

    player: Value


Question = str | BuiltinQuestion | ScoreOf
"""A question about a state; a text names a condition or number given when the states were created."""


def worth_of(game: Game, name: str | None, answer: int) -> int:
    """The value of an end, given the answer to a question; 0 for none.

    Without a question the winners decide: 1 for the first side alone, -1 for the other one alone, else 0.
    """
    if name is None:
        return {bits(minimising_side(game)): -1, 0: 0, bits(maximising_side(game)): 1}.get(answer, 0)
    return 0 if answer == NONE else int(answer)


def is_shared(won: int) -> bool:
    """True if an end has several winners, given as bits."""
    return won & (won - 1) != 0


class LimitReached(Exception):
    """Raised when a limit was reached; the text says which."""


class BucketQueue:
    """A priority queue of states, least priority first."""

    def __init__(self) -> None:
        self._waiting = defaultdict[int, "array[int]"](lambda: array("q"))
        self.due = 0
        """The current priority."""
        self.taken = 0
        """The number of states added."""

    def take_in(self, numbers: Iterable[int]) -> None:
        """Add the next states with their priorities."""
        for number in numbers:
            self._waiting[number].append(self.taken)
            self.taken += 1

    def now(self) -> Sequence[int]:
        """The states with the current priority; they leave the queue once they are `planned`."""
        return self._waiting.get(self.due, ())

    def clear_due(self) -> None:
        """Remove the states with the current priority."""
        del self._waiting[self.due]

    def go_on(self) -> bool:
        """Advance to the next priority; False if the queue is empty."""
        self.due = min(self._waiting, default=self.due)
        return bool(self._waiting)


class States(ABC):
    """The reachable states of a game, found breadth-first from the start or from given positions.

    States are numbered in the order in which they were found, so the number never falls with the depth. If a
    play may end with a fault, the state before it occurs again, marked as faulted.

    If `cost` names a number, never negative, each position that is acted from costs that much, whatever the
    action. Then states come layer by layer of the least sum that it takes to reach them (uniform-cost search,
    Dijkstra 1959), and the path to a state is a cheapest: read cost for depth.
    """

    engine: str
    """The method of exploration, in words."""
    instance: Any
    """The memory of the arrays, with kernels; see `rulespec.code.Instance`."""
    keeps: bool
    """True if every action is recorded, in arrays for solvers of the whole game.

    The ways (legal actions) of state i begin at `firsts[i]`, the outcomes of way w at `ways[w]`, each with
    the number of its successor in `outs`, and the denominator of its probability in `odds` if there is
    chance. Each array of beginnings has the end as its last.
    """
    firsts: Any
    ways: Any
    outs: Any
    odds: Any

    def __init__(
        self, game: Game, asked: Mapping[str, n.Expr] | None, chance: tuple[str, ...] | None, cost: str
    ) -> None:
        self.game, self.asked, self.chance, self.cost = game, dict(asked or {}), chance, cost
        self.machine = Machine(game)
        self.counts: list[int] = []
        """The number of new states at each completed depth in plies."""
        self.costs: list[int] = []
        """The total cost of the states in each of these layers, if there is a cost."""
        self.outcomes = 0
        """The number of outcomes of actions played to complete these layers, or all states."""
        self.closed = False
        """True if there are no further states."""
        self.stopped = ""
        """Why exploration stopped early; empty if it was exhaustive."""
        self._begun, self._planned = -1, 0
        self._queue = BucketQueue() if cost else None

    @property
    def all_counts(self) -> list[int]:
        """The counts, including all images that a stored state represents."""
        return self.counts

    @property
    @abstractmethod
    def states(self) -> int:
        """The number of states known."""

    @property
    def initial_count(self) -> int:
        """The number of states in which plays begin; the first layer may also hold others at no cost."""
        return self._begun if self._begun >= 0 else self.states

    @property
    def seen_count(self) -> int:
        """The number of states at completed depths."""
        return sum(self.counts)

    def deeper(self, limit: Limit, most: int) -> bool:
        """Find the states of the next layer. False if there are none, or a limit was reached.

        `most` limits the number of known states. The next call continues an unfinished layer.
        """
        self.stopped = ""
        if self.closed:
            return False
        try:
            if self._begun < 0:
                self._begin(limit, most)
                self._begun = self.states
            return self._next_layer(limit, most)
        except LimitReached as stop:
            self.stopped = str(stop)
            return False

    def _next_layer(self, limit: Limit, most: int) -> bool:
        """Follow the states of the present layer; False if that leads to no new state."""
        queue = self._queue
        while not self.closed:
            self._follow(self._planned, limit, most)
            if queue is not None:
                queue.take_in(queue.due + int(cost) for cost in self.scan(self.cost, queue.taken))
                if due := queue.now():
                    self._plan(due)
                    self._planned += len(due)
                    queue.clear_due()  # only now: making room for the plan may have failed
                    continue
            new = self.states > self.seen_count
            if new:
                self._count()
            if not (new if queue is None else queue.go_on()):
                self.closed = True
                self.outcomes = self._followed_outcomes
            if queue is None:
                self._planned = self.states
            if new:
                return True
        return False

    def _count(self) -> None:
        """Count the states of a layer that were not counted before."""
        if self._queue is not None:
            self.costs.append(self._queue.due)
        self.counts.append(self.states - self.seen_count)
        self.outcomes = self._followed_outcomes

    @property
    @abstractmethod
    def _followed_outcomes(self) -> int:
        """The number of outcomes of actions that were played."""

    @abstractmethod
    def _begin(self, limit: Limit, most: int) -> None:
        """Find the states in which plays begin. Raises LimitReached."""

    @abstractmethod
    def _follow(self, last: int, limit: Limit, most: int) -> None:
        """Expand states, by number or as planned, up to `last`. Raises LimitReached."""

    @abstractmethod
    def _plan(self, numbers: Sequence[int]) -> None:
        """Plan to expand these states next."""

    def orbit_sizes(self, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The sizes of the orbits of states from `first` to before `last`; 1 without symmetry reduction."""
        return [1] * ((self.states if last is None else last) - first)

    def _check(self, limit: Limit, most: int) -> None:
        """Raise LimitReached if a limit was reached."""
        if spent := limit() or (f"{most:,} positions" if self.states > most else ""):
            raise LimitReached(spent)

    def ways_of(self, number: int) -> list[list[tuple[int, int]]]:
        """For each action of a state, its outcomes: the state, and the denominator of the probability.

        Only for states whose transitions are kept.
        """
        result = []
        for way in range(int(self.firsts[number]), int(self.firsts[number + 1])):
            places = range(int(self.ways[way]), int(self.ways[way + 1]))
            odds = self.odds
            result.append([(int(self.outs[o]), int(odds[o]) if len(odds) else 1) for o in places])
        return result

    @abstractmethod
    def starts(self) -> list[tuple[int, int]]:
        """The outcomes of the setup: each a state and the denominator of its probability; ways must be
        kept."""

    @abstractmethod
    def scan(self, question: Question, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The answers for the states from `first` to before `last`: a condition is 0 or 1, none is `NONE`."""

    @abstractmethod
    def position(self, number: int) -> Position:
        """A state as the interpreter represents it."""

    @abstractmethod
    def parent(self, number: int) -> int:
        """The predecessor that first reached a state; -1 if a play begins in it."""

    def path_to(self, number: int) -> list[int]:
        """The states on the path that first reached a state, up to that state."""
        path = [number]
        while (parent := self.parent(path[-1])) >= 0:
            path.append(parent)
        return path[::-1]

    def play_to(self, number: int) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """The play that first reached a state, a shortest one: outcomes of chance, and moves."""
        return self.play_on(self.path_to(number))

    def play_on(self, path: Sequence[int]) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """A play through states given by number, each a successor of the one before.

        The interpreter plays it.
        """
        ply = self._start(path[0])
        chance, moves = [*ply.outcomes], list[Move]()
        for to in path[1:]:
            move, ply = self._step(without_draw_count(ply.position), to)
            moves.append(move)
            chance += ply.outcomes
        return tuple(chance), tuple(moves)

    def _start(self, number: int) -> Ply:
        """The setup that gives a state. Raises LookupError."""
        for ply in outcomes(self.machine.start, self.chance or ()):
            if self._is(ply.position, number):
                return ply
        raise LookupError("the given outcomes of chance do not lead there")

    @abstractmethod
    def _is(self, position: Position, number: int) -> bool:
        """True if a position is a state, or an image of it."""

    @abstractmethod
    def _step(self, position: Position, to: int) -> tuple[Move, Ply]:
        """A move from a position, and its ply, that lead to a state. Raises LookupError."""

    @abstractmethod
    def digest(self, last: int | None = None) -> str:
        """An order-independent digest of the set of states, or of the first `last`."""


def without_draw_count(position: Position) -> Position:
    """The position with no draws counted: earlier draws do not change what can follow."""
    return Position(position.values, 0, position.ended, position.fault)
