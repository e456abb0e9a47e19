"""Sides: players who win and lose together, and who maximise or minimise in best play.

A game without declared sides has one for each player, and the text of `winners` decides what a shared win
means (see `winners`). Declared sides are closed: a winner wins with the whole side.
"""

from __future__ import annotations

from .context import Context
from .evaluate import evaluate
from .game import Game
from .traversal import reads_state
from .types import Value

Side = tuple[Value, ...]
"""The players of a side, ascending."""

HIDDEN_SIDES = "who plays with whom depends on the position, so no play is best for a side"
"""The reason why there is no best play if sides are dealt."""
MANY = "with more than two {} nothing is best for all"
"""The reason why there is no best play for more players or sides."""
SEEN_ALONE = "something is hidden, and a bound for one side is found only where all see everything"
"""The reason why there is no bound for a side."""
UNLIKE = "players of one side see different things, and no method here plays as a team does"
"""The reason why there is no best play for partners who hide their hands from each other."""


def sides(game: Game) -> tuple[Side, ...]:
    """The sides of a game in the order of their first players; empty if they depend on the position."""
    side, players = game.outcome.side, game.player.values
    if side is None:
        return tuple((player,) for player in players)
    if reads_state(side):
        return ()
    context = Context()
    groups: dict[Value, list[Value]] = {}
    for player in players:
        groups.setdefault(evaluate(side, {game.outcome.player: player}, context), []).append(player)
    return tuple(map(tuple, groups.values()))


def maximising_side(game: Game) -> Side:
    """The players who maximise the value: the side of the first player; all if it is unknown."""
    return next(iter(sides(game)), tuple(game.player.values))


def minimising_side(game: Game) -> Side:
    """The players who minimise the value: the second of two sides; nobody if there is none."""
    found = sides(game)
    return found[1] if len(found) == 2 else ()


def side_of(game: Game, player: Value) -> Side:
    """The side of a player; nobody where sides depend on the position."""
    return next((side for side in sides(game) if player in side), ())


def bits(side: Side) -> int:
    """A side as a word: bit p for player p."""
    return sum(1 << int(player) for player in side)


def no_contest(game: Game) -> str:
    """The reason why best play has no value: there are not two sides. Empty if there are."""
    found = sides(game)
    if not found:
        return HIDDEN_SIDES
    return MANY.format("players" if game.outcome.side is None else "sides") if len(found) > 2 else ""
