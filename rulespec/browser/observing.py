"""The observations of a seat: where `see` copies them to, and whom the secrets of an action are shown to.

For `shown` the row of an action lies at the beginning of `m`, and for each of its secrets a word of players
(bit p for the player of code p) comes to stand behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..code import Written
from ..code.body import B, Body, Functions, M, S
from ..code.program import in_words
from ..code.rows import Rows
from ..core import nodes as n
from ..core.game import Action, Game
from ..core.traversal import FreeVariables
from ..machine import form as f
from ..machine.building import as_type, equal, load, number
from ..play.observation import Observer
from .types import Types


class Observing:
    """Writes `shown(s, b, m)` in a game in which parts of actions are secret."""

    name = "observed"

    def __init__(self, game: Game) -> None:
        self.game = game
        self._free = FreeVariables()

    def roots(self) -> Iterable[n.Expr]:
        """The players to whom secrets are shown."""
        secrets = [secret for action in self.game.actions.values() for secret in action.secrets]
        return [secret.shown for secret in secrets if secret.shown is not None]

    def write(self, functions: Functions, rows: Rows) -> None:
        """Write the function."""
        if not any(action.secrets for action in rows.actions):
            return
        body = Body(functions.program, functions)
        for index, action in enumerate(rows.actions):
            if not action.secrets:
                continue
            with body.when(equal(load(M, 0), index)):
                env = rows.choices(body, index, number(0))
                for at, secret in enumerate(action.secrets, rows.width):
                    seats = number(0) if secret.shown is None else body.value(secret.shown, env).parts[0]
                    body.store(M, at, as_type(seats, f.NUMBER))
        functions.add("shown", [S, B, M], body, entry=True)

    def data(self, written: Written, types: Types) -> dict[str, Any]:
        """Where the values of each sight lie, and the secrets of each action."""
        visible = written.visible
        return {
            "sights": [
                {
                    "marks": marks, "at": at, "type": types.number(sight.value.type),
                    "words": in_words(sight.value.type),
                    "keys": [types.number(var.type) for var, _ in sight.binders],
                }
                for sight, (marks, at) in zip(self.game.sights, visible.places, strict=True)
            ] if visible is not None else [],
            "actions": [self._action(action) for action in self.game.actions.values()],
        }  # fmt: skip

    def _action(self, action: Action) -> dict[str, Any]:
        made = [choice.var for choice in action.choices]
        free = [() if isinstance(part, str) else self._free(part) for part in action.written]
        kept = [secret.choice for secret in action.secrets]
        return {
            "secrets": [-1 if choice is None else made.index(choice) for choice in kept],
            "reads": [[made.index(var) for var in made if var in part] for part in free],
            "plain": not Observer(self.game).reads_hidden(action),
        }  # fmt: skip
