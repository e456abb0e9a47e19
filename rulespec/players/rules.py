"""A play and the sights of each seat, by the interpreter."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from ..code import Runner
from ..core.game import Game
from ..core.sides import sides
from ..core.types import Value
from ..core.winners import sharing
from ..play.chance import Chance
from ..play.effects import Situation
from ..play.machine import Likely, Machine, nothing_likely
from ..play.observation import ObservedMove, Observer, SeatView
from ..play.position import Move, Position
from .comparing import Comparing


class Step(NamedTuple):
    """A position, and the chance outcomes (in notation) on the way to it."""

    position: Position
    outcomes: tuple[str, ...]


class Quick(Machine):
    """The machine, with generated code for the test whether anybody can act, which dominates the cost of a
    ply."""

    def __init__(self, game: Game, runner: Runner | None) -> None:
        super().__init__(game)
        self._runner = runner

    def can_act(self, situation: Situation, likely: Likely = nothing_likely) -> bool:
        """True if the mover has a legal action."""
        if self._runner is None:
            return super().can_act(situation, likely)
        return self._runner.can_act([situation.values[var] for var in self.variables])


class Rules:
    """The view of a game that a player needs: legal actions, results, who is to move."""

    def __init__(self, game: Game, machine: Machine) -> None:
        self.machine = machine
        self.observer = Observer(game)
        self._comparing = Comparing(game)
        self.players = game.player.values
        """The players, in order."""
        self.hides = self.observer.hides
        """True if anything is hidden from anybody."""
        self.sides = sides(game) or tuple((player,) for player in self.players)
        """The players of each side; if sides depend on the position, each player counts as alone."""
        self.sharing = sharing(game)
        """The meaning of a win that several players share."""
        self._mover = machine.variables.index(game.mover)

    def start(self, chance: Chance) -> Step:
        """The position after the setup."""
        return Step(*self.machine.start(chance))

    def play(self, position: Position, move: Move, chance: Chance) -> Step:
        """The position after a legal move."""
        return Step(*self.machine.play(position, move, chance))

    def moves(self, position: Position, most: int) -> list[Move]:
        """The first legal moves, at most `most`; none once the game is over."""
        return list(islice(self.machine.moves(position), most))

    def is_legal(self, position: Position, move: Move) -> bool:
        """True if a move is legal."""
        return self.machine.is_legal(position, move)

    def mover(self, position: Position) -> Value:
        """The player to act, or the one who acted last once the game is over."""
        return position.values[self._mover]

    def winners(self, position: Position) -> tuple[Value, ...]:
        """The winners; nobody while the game goes on."""
        return self.machine.winners(position)

    def sight(self, position: Position, seat: Value) -> SeatView:
        """The sight of a seat."""
        return self.observer.position(self.machine.situation(position), seat)

    def observation(self, position: Position, move: Move, seat: Value) -> ObservedMove:
        """The observation by a seat of a move made in a position."""
        return self.observer.move(self.machine.situation(position), move, seat)

    def hidden_contents(self, position: Position) -> list[list[str]]:
        """The contents of each hidden place, in notation."""
        return self._comparing.hidden_contents(self.machine.situation(position))
