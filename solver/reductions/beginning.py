"""The game that begins in a position of another, and the same with requirements that may be waived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Game, Requirement
from rulespec.core.types import BOOL, Set, Value, integers

Clause = tuple[str, str]
"""A requirement: the rule that it belongs to, and its name there."""


def beginning_in(game: Game, values: Sequence[Value]) -> Game:
    """The game whose plays continue from a position that is not over.

    `values` are those of its variables. The turn has begun there, so the first turn begins without effect.
    """
    held = zip(game.state.values(), values, strict=True)
    setup: tuple[n.Effect, ...] = tuple(n.Assign(var, (), n.Const(var.type, x)) for var, x in held)
    if game.turn.begin is n.NOTHING_DONE:
        return replace(game, setup=n.Block(setup))
    begun = n.StateVar("begun", BOOL, n.Const(BOOL, False))
    begin = n.When(n.Get(BOOL, begun), game.turn.begin, n.Assign(begun, (), n.Const(BOOL, True)))
    state = {**game.state, begun.name: begun}
    return replace(game, state=state, setup=n.Block(setup), turn=replace(game.turn, begin=begin))


def with_waivers(game: Game) -> tuple[Game, dict[Clause, n.Expr]]:
    """The game in which chance decides before the setup which requirements are in force.

    Returns it with the condition for each requirement that it is. If all are in force, its plays are those of
    the game.
    """
    clauses = dict.fromkeys((r.clause, r.id) for a in game.actions.values() for r in a.requirements)
    t = integers(0, 1)
    forces = {clause: n.StateVar(f"in force {i}", t, n.Const(t, 0)) for i, clause in enumerate(clauses)}
    held: dict[Clause, n.Expr] = {
        clause: n.Equal(BOOL, n.Get(t, var), n.Const(t, 1)) for clause, var in forces.items()
    }

    def waivable(r: Requirement) -> Requirement:
        return replace(r, condition=n.Or(BOOL, (n.Not(BOOL, held[r.clause, r.id]), r.condition)))

    draws = []
    for var in forces.values():
        drawn = n.Var(var.name, t)
        draws.append(n.Draw(drawn, n.Domain(Set(t), t), None, n.Assign(var, (), n.Local(t, drawn))))
    listed = game.actions.items()
    actions = {name: replace(a, requirements=tuple(map(waivable, a.requirements))) for name, a in listed}
    state = {**game.state, **{var.name: var for var in forces.values()}}
    return replace(game, state=state, setup=n.Block((*draws, game.setup)), actions=actions), held
