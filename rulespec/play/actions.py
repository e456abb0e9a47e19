"""Actions as a user names them: the meaning of a text in a position, and the refusals of an action there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from html import escape
from typing import Any

from ..core.context import Context
from ..core.plain_data import to_data
from ..core.types import Value
from . import views
from .effects import Situation
from .errors import UnknownAction
from .explain import Explainer
from .machine import Machine
from .position import Move, Position
from .refusal import Refusal
from .wording import TooManyReadings, Wording

STEPS = 200
"""The steps of writing an action in notation."""
MANY_READINGS = "it can be read in too many ways; write it as `name(first, second)`"


Words = tuple[str, str, Mapping[str, Any]]
"""An action in notation, in full, and its choices by name."""


class Action:
    """Something a player may try to do, legal or not. `str()` is its notation."""

    def __init__(self, move: Move, words: Callable[[], Words]) -> None:
        """The action of a move; `words` is called once, when they are first read."""
        self.move = move
        """The action in the machine's form."""
        self._ask = words

    @cached_property
    def _words(self) -> Words:
        words = self._ask()
        del self._ask
        return words

    @property
    def id(self) -> str:
        """The id of the action in the rules."""
        return self.move.action

    @property
    def args(self) -> tuple[Value, ...]:
        """The choices as core values."""
        return self.move.args

    @property
    def text(self) -> str:
        """The action in notation, as written in the position it was requested from."""
        return self._words[0]

    @property
    def full(self) -> str:
        """The notation as `name(first, second)`, which shows every choice."""
        return self._words[1]

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The choices by name, as plain data."""
        return self._words[2]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Action {self.full}>"

    def __eq__(self, other: object) -> bool:
        return self.move == other.move if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.move)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored_action, (*self.move, *self._words)

    def _repr_html_(self) -> str:
        return f"<code>{escape(self.text)}</code>"


def restored_action(action: str, args: tuple[Value, ...], *words: Any) -> Action:
    """The action of a pickle."""
    return Action(Move(action, args), lambda: words)


def words_of(move: Move, wording: Wording, ctx: Context) -> Words:
    """The words of a move in a context, whose state the notation may read."""
    choices = wording.game.actions[move.action].choices
    arguments = {c.var.name: to_data(c.var.type, v) for c, v in zip(choices, move.args, strict=True)}
    return wording.write(move, ctx), wording.full(move), arguments


class Actions:
    """The meaning of actions in one position: texts read, refusals explained."""

    def __init__(self, machine: Machine, wording: Wording, position: Position) -> None:
        self._machine = machine
        self._wording = wording
        self._position = position

    @cached_property
    def situation(self) -> Situation:
        """The evaluation context of the position."""
        return self._machine.situation(self._position)

    def find(self, action: str | Action | Move) -> Action:
        """The action that a text denotes, legal or not; raises UnknownAction if none or several."""
        if isinstance(action, Move):
            return self.action_of(action)
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
        return self.action_of((allowed or readings)[0])

    def notation(self, action: Action) -> str:
        """The shortest text that `find` reads as exactly this action."""
        try:
            return action.text if self.find(action.text) == action else action.full
        except UnknownAction:
            return action.full

    def refusals(self, move: Move) -> tuple[Refusal, ...]:
        """All reasons why an action is illegal, whoever takes it; empty for a legal one."""
        self._machine.ask("why an action is refused")
        if self._allows(move):
            return ()
        explainer = Explainer(self._machine.game, self.situation)
        env = self._machine.bind(move)
        over = (self._over(),) if self._position.is_over else ()
        return (*over, *explainer.choices(move.action, env), *explainer.requirements(move.action, env))

    def action_of(self, move: Move) -> Action:
        """The action of a move, put into words when first needed, or at once if steps are counted."""
        action = Action(move, lambda: words_of(move, self._wording, self.situation))
        if self._machine.meter is not None:
            self.situation.spend(STEPS)
            _ = action.text
        return action

    def _allows(self, move: Move) -> bool:
        return not self._position.is_over and self.situation.can(*move)

    def _check(self, action: Action) -> None:
        """Raise UnknownAction unless the game has the action with this number of choices."""
        known = self._machine.game.actions.get(action.id)
        if known is None or len(known.choices) != len(action.args):
            raise UnknownAction(str(action), f"it is no action of `{self._machine.game.id}`")

    def _over(self) -> Refusal:
        """The refusal of any action after the end of the play."""
        fault, ended = self._position.fault, self._position.ended
        if fault:
            return Refusal("over", "fault", "", f"the play has ended in a fault: {fault}")
        end = next((e for e in self._machine.game.ends if e.id == ended), None)
        why = f"the game is over: {end.prose or end.id}" if end else "the game is over: no action was legal"
        return Refusal("over", ended or "", "", why)
