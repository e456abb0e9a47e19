"""Plies by generated code: the same positions, legal actions and observations as the interpreter's.

Generating the code of a game takes as long as some plies by the interpreter, so it begins only after a while.
Explanations, faults and notation always come from the interpreter.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from ..core import nodes as n
from ..core.context import Context
from ..core.game import Game
from ..core.meter import PerQuestion
from ..core.types import Value
from .actions import Action, words_of
from .chance import Chance
from .machine import Machine
from .position import STUCK, Move, Position
from .vectors import ActionSpace
from .wording import Wording

if TYPE_CHECKING:
    from ..code.execution.stepper import Key, Snapshot, Stepper

PATIENCE = 0.25
"""Code is generated after this many seconds of work by the interpreter; that takes 0.02 to 0.5 seconds."""
MOST_MOVES = 1 << 17
"""Maximum number of moves cached with their keys in code."""


class NeedsInterpreter(Exception):
    """Raised if the interpreter has to make a ply: its chance is given, or there is no seed."""


class GeneratedCode:
    """The generated code of one game, written once that pays, and the meanings of its keys."""

    def __init__(self, machine: Machine, wording: Wording, space: Callable[[], ActionSpace]) -> None:
        """The code of a machine's game; `space` gives its actions by number, if they have numbers."""
        self._machine, self._wording, self._space = machine, wording, space
        self._spent = 0.0
        self._stepper: Stepper | None = None
        self._refusals: tuple[type[Exception], ...] = ()
        self._moves: dict[Key, Move] = {}
        self._keys: dict[Move, Key] = {}
        self._named: dict[Key, Action] = {}
        self._ends = end_names(machine.game)
        self._places = {action: i for i, action in enumerate(machine.game.actions)}
        self._in_order = not any(c.chain for a in machine.game.actions.values() for c in a.choices)
        """True if ascending keys have the order of the interpreter."""
        self._mover_at = machine.variables.index(machine.game.mover)
        self._faces = _faces(machine.game)
        self._rolling: set[Key] = set()
        """The keys that drew before; their first outcome is drawn in advance if the number of outcomes is
        known, which saves a call."""
        self._chancy = machine.game.has_chance_in_play

    @property
    def stepper(self) -> Stepper | None:
        """The stepper that runs the code; None while the interpreter plays.

        Code spends no steps of a meter, but a watchdog can bound each of its calls.
        """
        meter = self._machine.meter
        if self._machine.seen is not None or (meter is not None and not isinstance(meter, PerQuestion)):
            return None
        if self._stepper is None and self._spent > PATIENCE:
            self._spent = -math.inf  # once is enough
            self._stepper = self._write_code()
            self._in_order &= self._stepper is not None and self._stepper.numbered
        return self._stepper

    @contextmanager
    def interpreting(self) -> Iterator[None]:
        """Add the time taken by the block to the interpreter's total."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._spent += time.perf_counter() - began

    def _write_code(self) -> Stepper | None:
        """A stepper with generated code; None if this machine cannot run it, or the game is too large."""
        from ..code import Runner, TooLarge, write
        from ..code.execution.instance import can_run
        from ..code.execution.stepper import Stepper

        if not can_run():
            return None
        self._refusals = NeedsInterpreter, TooLarge
        try:
            return Stepper(Runner(write(self._machine.game)))
        except TooLarge:
            return None

    # ---- states

    def snapshot(self, position: Position) -> Snapshot | None:
        """The state in code of an unfinished position; None if the interpreter must play."""
        stepper = self.stepper
        if stepper is None or position.is_over:
            return None
        try:
            found = stepper.resume(position.values, position.draws)
        except self._refusals:
            return None
        mover = position.values[self._mover_at]
        # Where nobody could act, the turn would have passed on.
        return found if found.legal and self.mover(found) == mover else None

    def position(self, of: Snapshot) -> Position:
        """The position of a state in code."""
        assert self._stepper is not None
        return Position(self._stepper.values(of), of.draws, self._ends[of.ended])

    def ended_by(self, of: Snapshot) -> str | None:
        """The id of the end that was reached, or `stuck`; None while the play goes on."""
        return self._ends[of.ended]

    def mover(self, of: Snapshot) -> Value:
        """The player who moves next, or moved last."""
        assert self._stepper is not None
        program = self._stepper.runner.program
        return program.codes.value(program.game.player, of.mover)

    def scores(self, of: Snapshot) -> dict[Value, int]:
        """Each player's number; empty for a game without scores."""
        assert self._stepper is not None
        return self._stepper.scores(of)

    def winners(self, of: Snapshot) -> tuple[Value, ...]:
        """The winners, ascending; nobody while the play goes on."""
        assert self._stepper is not None
        return self._stepper.winners(of) if of.ended else ()

    def observation(self, of: Snapshot, viewer: Value) -> tuple[int, ...] | None:
        """The observation of a player in numbers; None if the interpreter has to compute it."""
        assert self._stepper is not None
        return self._stepper.observation(of, viewer) if self._stepper.observes else None

    def same(self, one: Snapshot, other: Snapshot) -> bool:
        """True if two states are equal."""
        assert self._stepper is not None
        return one.ended == other.ended and self._stepper.same(one, other)

    # ---- plies

    def start(self, source: Chance) -> Snapshot | None:
        """The state after the setup; None if the interpreter must compute it."""
        stepper = self.stepper
        if stepper is None:
            return None
        try:
            return stepper.start(_answers(source))
        except self._refusals:
            return None

    def play(self, before: Snapshot, key: Key, source: Chance) -> Snapshot | None:
        """The state after a legal action; None if the interpreter must play it."""
        stepper = self.stepper
        if stepper is None:
            return None
        try:
            if not self._chancy:
                return stepper.play(before, key, None)
            answer = _answers(source)
            ahead = (answer(before.draws)(self._faces),) if key in self._rolling else ()
            found = stepper.play(before, key, answer, ahead)
        except self._refusals:
            return None
        if self._faces and found is not None and found.draws != before.draws:
            self._rolling.add(key)
        return found

    # ---- actions

    def moves(self, of: Snapshot) -> tuple[Move, ...]:
        """The legal moves: in the order of the actions, then of their choices' values."""
        held = self._moves
        try:
            found = [held[key] for key in of.legal]
        except KeyError:
            found = [self.move(key) for key in of.legal]
        if not self._in_order:
            found.sort(key=self._order)
        return tuple(found)

    def actions(self, of: Snapshot) -> list[Action]:
        """The legal actions, in the order of `moves`; only where `Wording.is_fixed`."""
        if not self._in_order:
            return [self.action(self._keys[move]) for move in self.moves(of)]
        held = self._named
        try:
            return [held[key] for key in of.legal]
        except KeyError:
            return [self.action(key) for key in of.legal]

    def action(self, key: Key) -> Action:
        """The action of a key; only where `Wording.is_fixed`."""
        if key not in self._named:
            if len(self._named) >= MOST_MOVES:
                self._named.clear()
            move = self.move(key)
            self._named[key] = Action(move, lambda: words_of(move, self._wording, Context()))
        return self._named[key]

    def key(self, move: Move) -> Key | None:
        """The key of a move; None for an impossible one."""
        found = self._keys.get(move)
        if found is None and self._stepper is not None:
            try:
                if self._stepper.numbered:
                    return self._space().number(*move)
                return self._stepper.row(*move)
            except (ValueError, KeyError, StopIteration, TypeError):
                return None
        return found

    def key_of_number(self, number: int) -> Key | None:
        """The key of the action with a number; None if actions have no numbers."""
        return number if self._stepper is not None and self._stepper.numbered else None

    def move(self, key: Key) -> Move:
        """The move of a key."""
        assert self._stepper is not None
        if key not in self._moves:
            if len(self._moves) >= MOST_MOVES:
                self._moves.clear()
                self._keys.clear()
            move = self._space()[key] if isinstance(key, int) else Move(*self._stepper.move(key))
            self._moves[key], self._keys[move] = move, key
        return self._moves[key]

    def _order(self, move: Move) -> tuple[int, tuple[object, ...]]:
        return self._places[move.action], move.args


def end_names(game: Game) -> tuple[str | None, ...]:
    """The names of the numbers of ends in code: none at 0, those of the rules, `stuck`."""
    return (None, *(end.id for end in game.ends), STUCK)


def _faces(game: Game) -> int:
    """The number of outcomes if every draw is among all values of types of one size, else 0."""
    sizes = {
        len(draw.source.of.values)
        if isinstance(draw, n.Draw) and draw.weight is None and isinstance(draw.source, n.Domain)
        else 0
        for draw in game.draws_in_play
    }
    return sizes.pop() if len(sizes) == 1 else 0


def _answers(source: Chance) -> Callable[[int], Callable[[int], int]]:
    """A function that gives the picks for draws, equal to the interpreter's from the same source."""

    def answer(draw: int) -> Callable[[int], int]:
        if type(source) is not Chance or source.seed is None or draw < len(source.given):
            raise NeedsInterpreter
        return Random(f"{source.seed}/{draw}").randrange

    return answer
