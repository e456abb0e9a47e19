"""Claims about the effect of a ply, as invariants of a game that remembers the numbers before it."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.memo import by_game
from rulespec.core.settled_lists import items
from rulespec.core.types import BOOL, Int, List

NEVER_FALLS = "never_falls"


def numbers(claim: Claim) -> list[n.Expr]:
    """The numbers that a claim says no ply lowers."""
    e = claim.condition
    assert e is not None
    return items(e) if isinstance(e.type, List) else [e]


@by_game
def with_history_variables(game: Game, claim: Claim) -> tuple[Game, Claim]:
    """The game that remembers the numbers that a claim says never fall, and the equivalent invariant."""
    found = numbers(claim)
    before = []
    for i, e in enumerate(found, 1):
        t = e.type
        assert isinstance(t, Int)
        before.append(n.StateVar(f"before {i}", t, n.Const(t, t.lo)))
    noted = tuple(n.Assign(var, (), e) for var, e in zip(before, found, strict=True))
    actions = {a.id: replace(a, effect=n.Block((*noted, a.effect))) for a in game.actions.values()}
    held = tuple(n.AtMost(BOOL, n.Get(var.type, var), e) for var, e in zip(before, found, strict=True))
    state = {**game.state, **{var.name: var for var in before}}
    condition = held[0] if len(held) == 1 else n.And(BOOL, held)
    other = replace(game, state=state, actions=actions)
    return other, Claim(claim.id, claim.prose, "invariant", condition)
