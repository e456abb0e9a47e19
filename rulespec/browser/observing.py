"""The observations of a seat: the places to which `see` copies them, and the secrets of each action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..code import GameCode
from ..code.body import Functions
from ..code.move_generation.action_rows import ActionRows
from ..code.program import in_words
from ..core import nodes as n
from ..core.game import Action, Game
from ..core.traversal import FreeVariables
from ..play.observation import Observer
from .types import Types


class Observing:
    """The data of a bundle with which a page reads a seat's observations."""

    name = "observed"

    def __init__(self, game: Game) -> None:
        self.game = game
        self._free = FreeVariables()

    def roots(self) -> Iterable[n.Expr]:
        """None: observations are part of every code."""
        return ()

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Nothing is left to write."""

    def data(self, written: GameCode, types: Types) -> dict[str, Any]:
        """The places of the values that each sight shows, and the secrets of each action."""
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
        """The parts of an action that others may see, as data for pages."""
        made = [choice.var for choice in action.choices]
        free = [() if isinstance(part, str) else self._free(part) for part in action.written]
        kept = [secret.choice for secret in action.secrets]
        return {
            "secrets": [-1 if choice is None else made.index(choice) for choice in kept],
            "reads": [[made.index(var) for var in made if var in part] for part in free],
            "plain": not Observer(self.game).reads_hidden(action),
        }  # fmt: skip
