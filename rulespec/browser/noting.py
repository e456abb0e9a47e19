"""Functions for the values of the expressions in texts about an action: `noted` for its notation, `told` for
its sentence.

The row of an action is at the beginning of `m`; the function appends the value of each expression that is no
choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..code import GameCode, TooLarge
from ..code.body import B, Body, Functions, M, S
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.game import Action, Game
from ..core.types import scalar_of
from ..machine import form as f
from ..machine.builder import as_type, equal, load, number
from .types import Types

Template = Sequence[str | n.Expr]


class Noting:
    """Writes `noted(s, b, m)` or `told(s, b, m)`, if a text has such expressions."""

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        sentences = game.presentation.sentences
        self.templates: dict[str, Template] = {
            action.id: action.written if name == "noted" else sentences.get(action.id, ())
            for action in game.actions.values()
        }

    def roots(self) -> Iterable[n.Expr]:
        """The expressions in the texts."""
        return [e for a in self.game.actions.values() for e in _worked_out(a, self.templates[a.id])]

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write the function that evaluates the expressions in texts about an action. Raises TooLarge."""
        if not self.roots():
            return
        body = Body(functions.program, functions)
        for index, action in enumerate(rows.actions):
            if not (worked_out := _worked_out(action, self.templates[action.id])):
                continue
            with body.when(equal(load(M, 0), index)):
                env = rows.choices(body, index, number(0))
                for at, e in enumerate(worked_out, rows.width):
                    if scalar_of(e.type) is None:
                        raise TooLarge(f"a text about `{action.id}` shows a {e.type}")
                    body.store(M, at, as_type(body.value(e, env).expr, f.NUMBER))
        functions.add(self.name, [S, B, M], body, entry=True)

    def data(self, written: GameCode, types: Types) -> list[list[Any]]:
        """The parts of each action's text: a text, `[-1, choice]`, or `[type, place behind the row]`."""
        return [_parts(action, self.templates[action.id], types) for action in self.game.actions.values()]


def _worked_out(action: Action, template: Template) -> list[n.Expr]:
    """The parts of a text that are neither words nor choices."""
    return [part for part in template if isinstance(part, n.Expression) and _choice(action, part) is None]


def _choice(action: Action, part: n.Expr) -> int | None:
    made = [choice.var for choice in action.choices]
    return made.index(part.var) if isinstance(part, n.Local) and part.var in made else None


def _parts(action: Action, template: Template, types: Types) -> list[Any]:
    """The parts of a text about an action: literals, choices and computed values."""
    found: list[Any] = []
    place = 0
    for part in template:
        if isinstance(part, str):
            found.append(part)
        elif (choice := _choice(action, part)) is not None:
            found.append([-1, choice])
        else:
            found.append([types.number(part.type), place])
            place += 1
    return found
