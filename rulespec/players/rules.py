"""What is true of a play and what each seat sees of it, as the interpreter says."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from ..core.game import Game
from ..core.types import Value
from ..play.chance import Chance
from ..play.machine import Machine
from ..play.position import Move, Position
from .sight import Seen, Sighting


class Step(NamedTuple):
    """A position, and the chance outcomes (in notation) on the way to it."""

    position: Position
    outcomes: tuple[str, ...]


class Rules:
    """A game as whoever follows a play asks it."""

    def __init__(self, game: Game, machine: Machine | None = None) -> None:
        self.machine = machine or Machine(game)
        self._sighting = Sighting(game)
        self.players = game.player.values
        """The players, in order."""
        self.hides = any(var.hidden for var in game.state.values())
        """Whether anything is hidden from anybody."""

    def start(self, chance: Chance) -> Step:
        """The position after the setup."""
        return Step(*self.machine.start(chance))

    def play(self, position: Position, move: Move, chance: Chance) -> Step:
        """The position after a legal move."""
        return Step(*self.machine.play(position, move, chance))

    def moves(self, position: Position, most: int) -> list[Move]:
        """The first legal moves, at most so many; none once the game is over."""
        return list(islice(self.machine.moves(position), most))

    def is_legal(self, position: Position, move: Move) -> bool:
        """Whether a move may be made."""
        return self.machine.is_legal(position, move)

    def seen(self, position: Position, seat: Value) -> Seen:
        """What a seat sees."""
        return self._sighting.seen(self.machine.situation(position), seat)

    def hidden(self, position: Position) -> list[list[str]]:
        """What lies at each hidden place, in notation."""
        return self._sighting.hidden(self.machine.situation(position))
