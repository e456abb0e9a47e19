"""The function `titled`: which title a player has earned."""

from __future__ import annotations

from collections.abc import Iterable

from ..code.bindings import Val
from ..code.body import B, Body, Functions, S
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.game import Game
from ..machine import form as f


class Titling:
    """Writes `titled(s, b, player)`, the number of a title counted from 1 or 0, in a game with titles."""

    name = "titled"

    def __init__(self, game: Game) -> None:
        self.game = game

    def roots(self) -> Iterable[n.Expr]:
        """The conditions of titles."""
        return [condition for condition, _ in self.game.outcome.titles]

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write the function."""
        outcome = self.game.outcome
        if not outcome.titles:
            return
        body = Body(functions.program, functions)
        player = body.name(outcome.player)
        env = {outcome.player: Val(outcome.player.type, (player,))}
        for number, (condition, _) in enumerate(outcome.titles, 1):
            with body.when(body.cond(condition, env)):
                body.give(number)
        body.give(0)
        functions.add("titled", [S, B, player], body, f.NUMBER, entry=True)
