"""The number of players who may win together, according to the text of `winners`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from . import nodes as n
from .game import Game
from .sides import sides
from .traversal import nodes_within
from .types import Optional


class Winners(Enum):
    """The number of winners of a final position."""

    NOBODY = "nobody"
    ONE = "one"
    SEVERAL = "several, but not all"
    ALL = "all"
    OPEN = "any number, as the text does not tell"


class Sharing(Enum):
    """The meaning of a win that several players share."""

    TIE = "tie"
    """Somebody wins every play, such as the player with most points: a shared win is a tie."""
    TOGETHER = "together"
    """Either all win or nobody does."""
    WIN = "win"
    """Anything else: a shared win is worth less than a win alone and more than no win."""


TOGETHER = (
    "several players may win together, and nobody may win, so a gain of one player is not a loss of the other"
)
"""The reason why no play is best for both of two players."""

NOT_CONSTANT = (
    "the payoffs do not add up to the same at every end, so a gain of one side is not a loss of the other"
)
"""The reason why no play is best for both sides of a game with payoffs."""


def is_payoff(game: Game, e: n.Expr | None) -> bool:
    """True if an expression is the declared payoff of a player."""
    return game.outcome.gains and isinstance(e, n.Call) and e.function.name == "payoff"


def possible_winners(game: Game) -> frozenset[Winners]:
    """The possible numbers of winners in final positions, reachable or not."""
    outcome = game.outcome
    if outcome.winners is None:
        return frozenset({Winners.NOBODY} if outcome.score is None else {Winners.ONE, Winners.OPEN})
    return frozenset(_winner_counts(outcome.winners, game.players))


def sharing(game: Game) -> Sharing:
    """The meaning of a win shared by several players or declared sides."""
    if game.outcome.side is not None:
        return Sharing.TOGETHER if len(sides(game)) == 1 else Sharing.TIE
    numbers = possible_winners(game)
    if Winners.ALL in numbers and numbers <= {Winners.ALL, Winners.NOBODY}:
        return Sharing.TOGETHER
    return Sharing.WIN if is_winnerless(game) else Sharing.TIE


def is_winnerless(game: Game) -> bool:
    """True if the text of `winners` allows no winner. If most points win, somebody always does."""
    if game.outcome.winners is None:
        return game.outcome.score is None
    return not possible_winners(game).isdisjoint({Winners.NOBODY, Winners.OPEN})


def is_opposed(game: Game) -> bool:
    """False if the text of `winners` names several players in one case and nobody in another.

    If the text does not determine the number of winners, callers must compare all final positions. Declared
    sides are opposed: a win of all counts like a win of none.
    """
    if game.outcome.side is not None:
        return True
    numbers = possible_winners(game)
    return game.players == 1 or Winners.NOBODY not in numbers or numbers.isdisjoint(_TOGETHER)


def shared_win_is_apart(game: Game) -> bool:
    """True if a shared win may be worth more than no win, so that it is no draw."""
    return game.outcome.side is None and is_winnerless(game)


_TOGETHER = {Winners.SEVERAL, Winners.ALL}


def _winner_counts(winners: n.Expr, players: int) -> Iterator[Winners]:
    """Yield the possible numbers of winners from the cases of an expression."""
    waiting, seen = [winners], set[n.Function]()
    while waiting:
        e = waiting.pop()
        if isinstance(e, n.If):
            waiting += (e.then, e.otherwise)
        elif isinstance(e, n.Let):
            waiting.append(e.body)
        elif isinstance(e, n.Call):
            waiting += [e.function.body] if e.function not in seen else []
            seen.add(e.function)
        elif isinstance(e, n.Domain):
            yield _winner_count(len(e.of.values), players)
        elif isinstance(e, n.Const) and isinstance(e.value, frozenset):
            yield _winner_count(len(e.value), players)
        elif isinstance(e, n.SetOf) and all(isinstance(item, n.Const) for item in e.items):
            named = {item.value for item in e.items if isinstance(item, n.Const)}
            yield _winner_count(len(named - {None}), players)
        elif isinstance(e, n.SetOf) and len(e.items) == 1:
            yield _winner_count(1, players)
            if isinstance(e.items[0].type, Optional):
                yield Winners.NOBODY
        elif isinstance(e, n.Select) and isinstance(e.source, n.Domain) and not _is_about(e.body, e.var):
            yield _winner_count(len(e.source.of.values), players)
            yield Winners.NOBODY
        else:
            yield Winners.OPEN


def _winner_count(winners: int, players: int) -> Winners:
    if winners == players:
        return Winners.ALL
    return Winners.NOBODY if not winners else Winners.ONE if winners == 1 else Winners.SEVERAL


def _is_about(e: n.Expr, var: n.Var) -> bool:
    """True if an expression depends on a local variable that is bound around it."""
    return any(isinstance(node, n.Local) and node.var == var for node in nodes_within(e))
