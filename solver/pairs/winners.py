"""Winners and scores as expressions of the core."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.code import TooLarge
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.types import BOOL, Int, Optional, Set, Value, integers, scalar_of
from rulespec.core.winners import Winners, possible_winners, shared_win_is_apart
from rulespec.solver.explore.monte_carlo import NoSample, Statistic, sample

NOTHING = n.Const(integers(0, 0), 0)
PLAYS = 1_000
"""Number of random plays that are searched for shared wins."""
NOBODY, EVERYBODY = n.Const(BOOL, False), n.Const(BOOL, True)


def would_win(game: Game, player: Value) -> n.Expr:
    """The condition that a player wins if play ends now."""
    outcome = game.outcome
    if outcome.winners is not None and isinstance(outcome.winners.type, Set):
        return n.Member(BOOL, n.Const(game.player, player), outcome.winners)
    if outcome.winners is not None:
        return _of(game, player, outcome.winners)
    if outcome.score is None:
        return NOBODY
    own, others = _ranks(game, player), [q for q in game.player.values if q != player]
    return n.And(BOOL, (EVERYBODY, *(_no_less(own, _ranks(game, q)) for q in others)))


def wins_are_shared(game: Game, stop: Callable[[], str]) -> bool:
    """True if several players win together in one random play, and nobody wins in another.

    A search sees too few positions for this. The plays end at a shared win, although best play may avoid
    those.
    """
    if game.players == 1 or Winners.OPEN not in possible_winners(game) or not shared_win_is_apart(game):
        return False
    one, other = (would_win(game, player) for player in game.player.values)
    number = integers(0, PLAYS + 1)
    alone = n.If(number, n.Or(BOOL, (one, other)), n.Const(number, 0), n.Const(number, 1))
    asked = n.If(number, n.And(BOOL, (one, other)), n.Const(number, PLAYS + 1), alone)
    try:
        total = sample(game, [Statistic(asked)], PLAYS, 1, stop)[0].total
    except (NoSample, TooLarge):
        return False
    return total > PLAYS and total % (PLAYS + 1) > 0


def judged_by(game: Game, player: Value) -> list[n.Expr]:
    """The expressions about a player that determine the winners; if they are equal, so are the winners."""
    outcome = game.outcome
    if outcome.winners is not None or outcome.score is None:
        return [would_win(game, player)]
    return [rank for _, rank in _ranks(game, player)]


def score(game: Game, player: Value) -> n.Expr | None:
    """A player's number; None for a game without scores."""
    return None if game.outcome.score is None else _number(game, player, game.outcome.score)


def _of(game: Game, player: Value, e: n.Expr) -> n.Expr:
    return n.Let(e.type, game.outcome.player, n.Const(game.player, player), e)


def _number(game: Game, player: Value, e: n.Expr) -> n.Expr:
    """A number of a player, with none counted as 0."""
    made = _of(game, player, e)
    bare = scalar_of(e.type)
    if not isinstance(e.type, Optional) or not isinstance(bare, Int):
        return made
    return n.Otherwise(integers(min(bare.lo, 0), max(bare.hi, 0)), made, NOTHING)


def _ranks(game: Game, player: Value) -> list[tuple[bool, n.Expr]]:
    """The ranking criteria of players in order, each with True if the maximum is best."""
    outcome = game.outcome
    assert outcome.score is not None
    listed = ((True, outcome.score), *outcome.ties)
    return [(most, _number(game, player, e)) for most, e in listed]


def _no_less(own: list[tuple[bool, n.Expr]], theirs: list[tuple[bool, n.Expr]]) -> n.Expr:
    """The condition that the first difference between the numbers, if any, is in favour of `own`."""
    (most, a), (_, b) = own[0], theirs[0]
    better = n.Less(BOOL, b, a) if most else n.Less(BOOL, a, b)
    rest = _no_less(own[1:], theirs[1:]) if len(own) > 1 else EVERYBODY
    return n.Or(BOOL, (better, n.And(BOOL, (n.Equal(BOOL, a, b), rest))))


def claim_of(game: Game, claim: Claim, seat: Value) -> Claim:
    """The claim that one player can win."""
    helpers = {key: value for key, value in claim.options.items() if key == "helped-by"}
    won = n.And(BOOL, (n.Get(BOOL, game.state["over"]), would_win(game, seat)))
    return Claim(f"{claim.id} {seat}", claim.prose, "reachable", won, helpers)
