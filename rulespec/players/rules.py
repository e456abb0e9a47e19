"""What players ask of a game: a narrow face behind which any engine may stand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from ..core.game import Game
from ..core.types import Value
from ..play.chance import Chance
from ..play.machine import Machine
from ..play.position import Move, Position
from .sight import Seen, Sighting
from .worth import Nearness

AnyPosition = Any
"""A position as an engine has it: opaque to players, hashable, equal where nothing differs."""


class Step(NamedTuple):
    """A position, and the chance outcomes (in notation) on the way to it."""

    position: AnyPosition
    outcomes: tuple[str, ...]


class Rules(Protocol):
    """A game as a player uses it."""

    @property
    def players(self) -> Sequence[Value]:
        """The players, in order."""

    @property
    def hides(self) -> bool:
        """Whether anything is hidden from anybody."""

    def start(self, chance: Chance) -> Step:
        """The position after the setup."""

    def play(self, position: AnyPosition, move: Move, chance: Chance) -> Step:
        """The position after a legal move."""

    def moves(self, position: AnyPosition, most: int) -> list[Move]:
        """The first legal moves, at most so many; none once the game is over."""

    def draw(self, position: AnyPosition, rng: random.Random) -> Move:
        """Some legal move at random, every one possible, without listing them all."""

    def is_legal(self, position: AnyPosition, move: Move) -> bool:
        """Whether a move may be made."""

    def is_over(self, position: AnyPosition) -> bool:
        """Whether no move can follow."""

    def mover(self, position: AnyPosition) -> Value:
        """Who acts next, or acted last once the game is over."""

    def winners(self, position: AnyPosition) -> Sequence[Value]:
        """Who has won; nobody while the game goes on."""

    def scores(self, position: AnyPosition) -> dict[Value, int]:
        """The score of each player as things stand; empty for a game without scores."""

    def nearness(self, position: AnyPosition) -> dict[Value, float]:
        """How near each player is to what wins, from 0 to 1, judged by the rules' own words for it."""

    def seen(self, position: AnyPosition, seat: Value) -> Seen:
        """What a seat sees."""

    def hidden(self, position: AnyPosition) -> list[list[str]]:
        """What lies at each hidden place, in notation."""


class Interpreted:
    """`Rules` answered by the reference machine."""

    def __init__(self, game: Game, machine: Machine | None = None) -> None:
        self.machine = machine or Machine(game)
        self._sighting = Sighting(game)
        self._nearness = Nearness(game)
        self.players = game.player.values
        self.hides = any(var.hidden for var in game.state.values())
        self._mover = self.machine.variables.index(game.mover)

    def start(self, chance: Chance) -> Step:
        """See `Rules`, here and below."""
        return Step(*self.machine.start(chance))

    def play(self, position: Position, move: Move, chance: Chance) -> Step:
        return Step(*self.machine.play(position, move, chance))

    def moves(self, position: Position, most: int) -> list[Move]:
        return list(islice(self.machine.moves(position), most))

    def draw(self, position: Position, rng: random.Random) -> Move:
        return self.machine.draw(position, rng)

    def is_legal(self, position: Position, move: Move) -> bool:
        return self.machine.is_legal(position, move)

    def is_over(self, position: Position) -> bool:
        return position.is_over

    def mover(self, position: Position) -> Value:
        return position.values[self._mover]

    def winners(self, position: Position) -> Sequence[Value]:
        return self.machine.winners(position)

    def scores(self, position: Position) -> dict[Value, int]:
        return self.machine.scores(position)

    def nearness(self, position: Position) -> dict[Value, float]:
        return self._nearness(self.machine.situation(position))

    def seen(self, position: Position, seat: Value) -> Seen:
        return self._sighting.seen(self.machine.situation(position), seat)

    def hidden(self, position: Position) -> list[list[str]]:
        return self._sighting.hidden(self.machine.situation(position))
