"""Lists of legal moves, always in the interpreter's order, by generated code once that is quicker.

Writing code for a game takes as long as some lists by the interpreter do, so it waits until those took
a while. Whether a move is legal, and what comes of it, is always for the interpreter to say.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from ..core.meter import PerQuestion
from .machine import Machine
from .position import Move, Position

if TYPE_CHECKING:
    from ..code import Runner

PATIENCE = 0.5
"""After so many seconds of listing by the interpreter code is written; that takes 0.02 to 0.5 seconds."""


class MoveLists:
    """The legal moves of the positions of one game."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._spent = 0.0
        self._runner: Runner | None = None
        self._places = {action: i for i, action in enumerate(machine.game.actions)}

    def of(self, position: Position) -> tuple[Move, ...]:
        """The legal moves: in the order of the actions, then of their choices' values."""
        # Generated code spends no steps, but a watchdog may see to it that each of its calls ends.
        meter = self._machine.meter
        if (
            self._spent > PATIENCE
            and self._runner is None
            and (meter is None or isinstance(meter, PerQuestion))
        ):
            self._runner = self._written()
        if self._runner is not None and not position.is_over:
            return self._by_code(self._runner, position)
        began = time.perf_counter()
        found = tuple(self._machine.moves(position))
        self._spent += time.perf_counter() - began
        return found

    def _written(self) -> Runner | None:
        from ..code import Runner, TooLarge, write

        self._spent = -math.inf  # once is enough
        try:
            return Runner(write(self._machine.game))
        except TooLarge:
            return None

    def _by_code(self, runner: Runner, position: Position) -> tuple[Move, ...]:
        from ..code import TooLarge

        try:
            moves = [Move(*move) for move in runner.moves(runner.node(position.values, position.draws))]
        except TooLarge:
            return tuple(self._machine.moves(position))
        return tuple(sorted(moves, key=lambda move: (self._places[move.action], move.args)))
