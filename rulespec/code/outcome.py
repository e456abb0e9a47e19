"""Results as code: the score of a player, and the winners."""

from __future__ import annotations

from ..core import nodes as n
from ..core.types import Int, Scalar, Set
from ..machine import form as f
from ..machine.builder import (
    ZERO,
    as_type,
    bit,
    both,
    choose,
    compare,
    either,
    equal,
    intersection,
    minus,
    number,
    shift_word,
    union,
)  # fmt: skip
from .bindings import NONE, Val
from .body import B, Body, Functions, S
from .codes import WORD


def write_winners(functions: Functions) -> None:
    """Write `score(s, b, player)` if the game has scores, and `winners(s, b)`.

    `winners` returns a word in which bit p stands for player p, which need not be the layout of sets.
    """
    outcome = functions.program.game.outcome
    if outcome.score is not None:
        body = Body(functions.program, functions, steady=True)
        x = body.name(outcome.player)
        found = body.value(outcome.score, {outcome.player: Val(outcome.player.type, (x,))})
        body.give(_number_or_zero(body, found))
        functions.add("score", [S, B, x], body, f.NUMBER, entry=True)
    body = Body(functions.program, functions, steady=True)
    won = body.named("won", ZERO)
    if outcome.winners is not None and isinstance(outcome.winners.type, Set):
        _set_of_winners(body, won, outcome.winners)
    elif outcome.winners is not None:
        _each_winner(body, won, outcome.winners)
    elif outcome.score is not None:
        _write_most(body, won)
    body.give(won)
    functions.add("winners", [S, B], body, f.WORD, entry=True)


def _set_of_winners(body: Body, won: f.Local, winners: n.Expr) -> None:
    """Write code that marks the members of a set of winners."""
    assert isinstance(winners.type, Set)
    of = winners.type.of
    if of is None:
        return
    assert isinstance(of, Int)
    held = body.atoms(body.value(winners, {})).parts
    for player in of.values:
        word, place = divmod(body.codes.code(of, player) - body.codes.base(of), WORD)
        wins = intersection(held[word], bit(number(place)))
        body.set(won, union(won, shift_word(wins, place - player)))


def _each_winner(body: Body, won: f.Local, winners: n.Expr) -> None:
    """Write a loop that marks each player who satisfies the condition for winners."""
    player = body.program.game.outcome.player
    of = player.type
    assert isinstance(of, Scalar)
    x = body.name(player)
    with body.each(x, of.values[0], of.values[-1] + 1):
        wins = body.cond(winners, {player: Val(of, (x,))})
        with body.when(wins):
            body.set(won, union(won, bit(x)))


def _write_most(body: Body, won: f.Local) -> None:
    """Add the players with the highest score, after tie-breaks, to the winners."""
    player, ties = body.program.game.outcome.player, body.program.game.outcome.ties
    of = player.type
    assert isinstance(of, Scalar)
    x = body.name(player)
    mine = [body.name("mine") for _ in range(1 + len(ties))]
    best = [body.named("best", 0) for _ in mine]
    with body.each(x, of.values[0], of.values[-1] + 1):
        body.set(mine[0], body.call(f.NUMBER, "score", S, B, x))
        for name, (most, tie) in zip(mine[1:], ties, strict=True):
            found = _number_or_zero(body, body.value(tie, {player: Val(of, (x,))}))
            body.set(name, found if most else minus(0, found))
        # The first that differs decides.
        more, alike = compare(">", mine[-1], best[-1]), equal(mine[-1], best[-1])
        for a, b in zip(mine[-2::-1], best[-2::-1], strict=True):
            more = either(compare(">", a, b), both(equal(a, b), more))
            alike = both(equal(a, b), alike)
        with body.when(either(equal(won, 0), more)):
            body.set(won, bit(x))
            for a, b in zip(best, mine, strict=True):
                body.set(a, b)
        with body.otherwise(), body.when(alike):
            body.set(won, union(won, bit(x)))


def _number_or_zero(body: Body, val: Val) -> f.Expr:
    """A number, 0 for none."""
    e = body.atom(val.expr)
    return choose(equal(e, NONE), 0, e) if val.none else as_type(e, f.NUMBER)
