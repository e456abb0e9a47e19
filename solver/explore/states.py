"""The interface of explorations: numbered states, questions about them, and plays to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.play.position import Move, Position

NO_RESULT = "a play can end with a value that does not fit its place, and so without a result"
"""The reason why results of plays are left undecided."""

Limit = Callable[[], str]
"""Gives the budget that has run out, in words; empty while none has."""


class BuiltinQuestion(Enum):
    """A question about a state that exists for every game, apart from the names of claims and variables."""

    MOVER = "mover"
    """The number of the player to act, or of the last one after the end."""
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
"""A question about a state; a text names a condition or number given when the states were made."""


class States(Protocol):
    """The states of a game that can be reached, found breadth-first from the start or from given positions.

    States are numbered in the order in which they were found, so the number never falls with the depth.
    Where a play may end with a fault, the state before it is found again, marked as faulted.
    """

    game: Game
    engine: str
    """By what means, in words."""
    tools: Any
    """The kit that the arrays are made with; see `rulespec.code`."""
    counts: list[int]
    """The number of states that are new at each depth in plies, as far as those were seen whole."""
    outcomes: list[int]
    """For each depth how many outcomes of actions were followed to see it whole, and then in all, if there
    are no other states."""
    closed: bool
    """True if there are no other states."""
    stopped: str
    """Why exploration stopped early; empty if it was exhaustive."""
    keeps: bool
    """True if every action is kept, as arrays that a solver of the whole game reads: the ways (legal
    actions) of state i begin at `firsts[i]`, the outcomes of way w at `ways[w]`, each with the number of
    the state it leads to in `outs`, and a probability of one in `odds` where there is chance. Each array of
    beginnings has the end as its last."""
    firsts: Any
    ways: Any
    outs: Any
    odds: Any

    parents: Sequence[int]
    """For each state the one from which it was first reached; -1 where a play begins."""

    @property
    def all_counts(self) -> list[int]:
        """The counts with all those that a state stands for, where one is kept for all its images."""
        return self.counts

    @property
    def states(self) -> int:
        """The number of states known."""
        ...

    @property
    def seen(self) -> int:
        """The number of states at depths that were seen whole."""
        return sum(self.counts)

    @property
    def bytes(self) -> int:
        """The bytes that are taken, as far as known."""
        ...

    def deeper(self, limit: Limit, most: int) -> bool:
        """Find the states one ply further. False where there are none, or a limit was reached.

        `most` is how many states may be known. What was begun is gone on with at the next call.
        """
        ...

    def orbit_sizes(self, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The sizes of the orbits of states from `first` to before `last`; 1 without symmetry reduction."""
        return [1] * ((self.states if last is None else last) - first)

    def _spent(self, limit: Limit, most: int) -> str:
        """The limit that was reached, in words; empty if none was."""
        return limit() or (f"{most} positions" if self.states > most else "")

    def starts(self) -> list[tuple[int, int]]:
        """The outcomes of the setup: each a state, and what its probability is one of; ways must be kept."""
        ...

    def scan(self, question: Question, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The answers for the states from `first` to before `last`: a condition is 0 or 1, none is `NONE`."""
        ...

    def position(self, number: int) -> Position:
        """A state as the interpreter has it."""
        ...

    def path_to(self, number: int) -> list[int]:
        """The states on the way by which a state was first reached, itself the last."""
        path = [number]
        while (parent := int(self.parents[path[-1]])) >= 0:
            path.append(parent)
        return path[::-1]

    def play_to(self, number: int) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """The play that first reached a state, none being shorter: what chance gave, and the moves."""
        return self.play_on(self.path_to(number))

    def play_on(self, path: Sequence[int]) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """A play that goes on through states by number, each following the one before it, from the first."""
        ...

    def digest(self, last: int | None = None) -> str:
        """A digest of the set of states, or of the first so many, whatever their order."""
        ...
