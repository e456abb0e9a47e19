"""The functions `titled`, the title of a player; `counted`, the numbers that are always in view; and `tied`,
those of the tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..code import GameCode, TooLarge
from ..code.bindings import Val
from ..code.body import B, Body, Functions, S
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.game import Counter, Game
from ..core.types import BOOL, scalar_of
from ..core.verdicts.properties import Form, property_of
from ..machine import form as f
from ..machine.builder import as_type, equal
from .types import Types


class Titling:
    """Writes `titled(s, b, player)`, the number of a title counted from 1 or 0, in a game with titles."""

    name = "titled"

    def __init__(self, game: Game) -> None:
        self.game = game

    def roots(self) -> Iterable[n.Expr]:
        """The conditions of titles."""
        return [condition for condition, _ in self.game.outcome.titles]

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write `titled(s, b, player)`, which returns the number of the title of a player, or 0."""
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


class Counting:
    """Writes `name(s, b, number, player)`, the value of an expression in one of some texts."""

    def __init__(self, name: str, texts: Sequence[Counter]) -> None:
        self.name, self.texts = name, texts

    def roots(self) -> Iterable[n.Expr]:
        """The expressions in the texts."""
        return [e for _, e in self._holes()]

    def _holes(self) -> Iterator[tuple[Counter, n.Expr]]:
        for counter in self.texts:
            yield from ((counter, part) for part in counter.parts if isinstance(part, n.Expression))

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write the function that evaluates an expression of a counter, given by number, for a player.

        Raises TooLarge.
        """
        if not self.roots():
            return
        body = Body(functions.program, functions)
        number, player = body.name("number"), body.name("player")
        for at, (counter, e) in enumerate(self._holes()):
            if scalar_of(e.type) is None:
                raise TooLarge(f"a counter shows a {e.type}")
            env = {counter.player: Val(counter.player.type, (player,))} if counter.player else {}
            with body.when(equal(number, at)):
                body.give(as_type(body.value(e, env).expr, f.NUMBER))
        body.give(0)
        functions.add(self.name, [S, B, number, player], body, f.NUMBER, entry=True)

    def data(self, written: GameCode, types: Types) -> list[Any]:
        """For each text, whether each player has one, and its parts: texts, and numbers of types."""
        number = types.number
        shown = [[p if isinstance(p, str) else number(p.type) for p in each.parts] for each in self.texts]
        return [[each.player is not None, parts] for each, parts in zip(self.texts, shown, strict=True)]


def deal_counters(game: Game) -> dict[str, list[Counter]]:
    """Counters as texts for each claim about a deal: its goal, or the number that it asks about."""
    found: dict[str, list[Counter]] = {}
    for claim in game.claims.values():
        asked = property_of(claim)
        if asked.is_asked_of_deals and claim.is_of_one_deal and "summed-over" not in claim.options:
            parts = (claim.when, claim.condition) if asked.form is Form.OPTIMUM else (claim.condition,)
            found[claim.id] = [Counter((part or n.Const(BOOL, True),)) for part in parts]
    return found


def tie_counters(game: Game) -> list[Counter]:
    """The tie-breaks among the highest scores as texts of each player."""
    outcome = game.outcome
    ties = () if outcome.winners is not None else outcome.ties
    return [Counter((wish,), outcome.player) for _, wish in ties]
