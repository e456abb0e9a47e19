"""Actions as a user names them: what a text means in a position, and what refuses an action there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..core.types import Value
from . import views
from .data import to_data
from .effects import Situation
from .errors import UnknownAction
from .explain import Explainer
from .lists import MoveLists
from .machine import Machine
from .position import Move, Position
from .refusal import Refusal
from .wording import TooManyReadings, Wording

STEPS = 200
"""The steps of writing an action in notation."""
MANY_READINGS = "it can be read in too many ways; write it as `name(first, second)`"


@dataclass(frozen=True)
class Action:
    """Something a player may try to do, legal or not. `str()` is its notation."""

    id: str
    args: tuple[Value, ...]
    text: str = field(compare=False)
    full: str = field(compare=False)
    """The same as `name(first, second)`, which says every choice."""
    arguments: Mapping[str, Any] = field(compare=False)
    """The choices by name, as plain data."""

    @property
    def move(self) -> Move:
        """The action as the machine takes it."""
        return Move(self.id, self.args)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return views.action_html(self)


class Actions:
    """The actions of one position: those that are legal, and what texts mean there."""

    def __init__(self, machine: Machine, lists: MoveLists, wording: Wording, position: Position) -> None:
        self._machine = machine
        self._lists = lists
        self._wording = wording
        self._position = position

    @cached_property
    def situation(self) -> Situation:
        """The position as the interpreter reads it."""
        return self._machine.situation(self._position)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal actions as the machine takes them, always in the same order."""
        return self._lists.of(self._position)

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """The legal actions, in the order of `moves`."""
        moves = self.moves
        self._machine.ask("the list of the legal actions of one position")
        return tuple(self._of(move) for move in moves)

    def find(self, action: str | Action | Move) -> Action:
        """The action that a text means, legal or not; UnknownAction if it means none, or several."""
        if isinstance(action, Move):
            return self._of(action)
        if isinstance(action, Action):
            self._check(action)
            return action
        try:
            readings = self._wording.readings(action, self.situation)
        except TooManyReadings:
            raise UnknownAction(action, MANY_READINGS) from None
        if not readings:
            moves = self._machine.moves(self._position)  # an iterator, of which the advice reads the first
            legal = (self._wording.write(move, self.situation) for move in moves)
            raise UnknownAction(action, views.advice(action, self._machine.game, legal))
        allowed = [move for move in readings if self._allows(move)] if len(readings) > 1 else readings
        if len(allowed) > 1:
            listed = ", ".join(f"`{self._wording.full(move)}`" for move in allowed[:4])
            raise UnknownAction(action, f"it may mean {listed}: write one of these")
        return self._of((allowed or readings)[0])

    def notation(self, action: Action) -> str:
        """The shortest text by which `find` finds just this action."""
        try:
            return action.text if self.find(action.text) == action else action.full
        except UnknownAction:
            return action.full

    def refusals(self, move: Move) -> tuple[Refusal, ...]:
        """Everything that makes an action illegal, whoever takes it; empty for a legal one."""
        self._machine.ask("why an action is refused")
        if self._allows(move):
            return ()
        explainer = Explainer(self._machine.game, self.situation)
        env = self._machine.bind(move)
        over = (self._over(),) if self._position.is_over else ()
        return (*over, *explainer.choices(move.action, env), *explainer.requirements(move.action, env))

    def _of(self, move: Move) -> Action:
        self.situation.spend(STEPS)
        choices = self._machine.game.actions[move.action].choices
        arguments = {c.var.name: to_data(c.var.type, v) for c, v in zip(choices, move.args, strict=True)}
        return Action(*move, self._wording.write(move, self.situation), self._wording.full(move), arguments)

    def _allows(self, move: Move) -> bool:
        return not self._position.is_over and self.situation.can(*move)

    def _check(self, action: Action) -> None:
        known = self._machine.game.actions.get(action.id)
        if known is None or len(known.choices) != len(action.args):
            raise UnknownAction(str(action), f"it is no action of `{self._machine.game.id}`")

    def _over(self) -> Refusal:
        fault, ended = self._position.fault, self._position.ended
        if fault:
            return Refusal("over", "fault", "", f"the play has ended in a fault: {fault}")
        end = next((e for e in self._machine.game.ends if e.id == ended), None)
        why = f"the game is over: {end.prose or end.id}" if end else "the game is over: no action was legal"
        return Refusal("over", ended or "", "", why)
