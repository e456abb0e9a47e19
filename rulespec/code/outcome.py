"""How a play is judged, as code: a player's score, and who wins."""

from __future__ import annotations

from ..core import nodes as n
from ..core.types import Int, Scalar, Set
from .body import Body, Functions
from .codes import WORD
from .vals import Val


def judging(functions: Functions) -> None:
    """Write `score(s, b, player)` if the game has scores, and `winners(s, b)`.

    `winners` returns a word in which bit p stands for player p, which need not be the layout of sets.
    """
    outcome = functions.program.game.outcome
    if outcome.score is not None:
        body = Body(functions.program, functions)
        x = body.local(outcome.player)
        found = body.atoms(body.value(outcome.score, {outcome.player: Val(outcome.player.type, (x,))}))
        body.line(f"return {_or_0(found)}")
        functions.add("score", ["s", "b", x], body, entry=True, mark="steady")
    body = Body(functions.program, functions)
    if outcome.winners is not None and isinstance(outcome.winners.type, Set):
        _set_of_winners(body, outcome.winners)
    elif outcome.winners is not None:
        _each_winner(body, outcome.winners)
    elif outcome.score is not None:
        _most(body)
    else:
        body.line("return ZERO")
    functions.add("winners", ["s", "b"], body, entry=True, mark="steady")


def _set_of_winners(body: Body, winners: n.Expr) -> None:
    assert isinstance(winners.type, Set)
    of = winners.type.of
    if of is None:
        body.line("return ZERO")
        return
    assert isinstance(of, Int)
    won, found = body.atoms(body.value(winners, {})), body.local("won")
    body.line(f"{found} = ZERO")
    for player in of.values:
        word, bit = divmod(body.codes.code(of, player) - body.codes.base(of), WORD)
        with body.block(f"if {won.texts[word]} & BIT[{bit}] != ZERO"):
            body.line(f"{found} |= BIT[{player}]")
    body.line(f"return {found}")


def _each_winner(body: Body, winners: n.Expr) -> None:
    player = body.program.game.outcome.player
    of = player.type
    assert isinstance(of, Scalar)
    found, x = body.local("won"), body.local(player)
    body.line(f"{found} = ZERO")
    with body.block(f"for {x} in range({of.values[0]}, {of.values[-1] + 1})"):
        text = body.cond(winners, {player: Val(of, (x,))})
        with body.block(f"if {text}"):
            body.line(f"{found} |= BIT[{x}]")
    body.line(f"return {found}")


def _most(body: Body) -> None:
    """Those with the highest score, and among them with the best of what breaks ties."""
    player, ties = body.program.game.outcome.player, body.program.game.outcome.ties
    of = player.type
    assert isinstance(of, Scalar)
    found, x = body.local("won"), body.local(player)
    body.line(f"{found} = ZERO")
    mine = [body.local("mine") for _ in range(1 + len(ties))]
    best = [body.local("best") for _ in mine]
    for name in best:
        body.line(f"{name} = 0")
    with body.block(f"for {x} in range({of.values[0]}, {of.values[-1] + 1})"):
        body.line(f"{mine[0]} = score(s, b, {x})")
        for name, (most, tie) in zip(mine[1:], ties, strict=True):
            text = _or_0(body.atoms(body.value(tie, {player: Val(of, (x,))})))
            body.line(f"{name} = {text if most else f'-({text})'}")
        mine_text, best_text = mine[0], best[0]
        if ties:
            mine_text, best_text = f"({', '.join(mine)})", f"({', '.join(best)})"
        with body.block(f"if {found} == ZERO or {mine_text} > {best_text}"):
            body.line(f"{found} = BIT[{x}]")
            for a, b in zip(best, mine, strict=True):
                body.line(f"{a} = {b}")
        with body.block(f"elif {mine_text} == {best_text}"):
            body.line(f"{found} |= BIT[{x}]")
    body.line(f"return {found}")


def _or_0(val: Val) -> str:
    return f"0 if {val.text} == NONE else {val.text}" if val.none else val.text
