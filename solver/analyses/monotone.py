"""Facts about the direction in which variables move, read off the effects.

A number to which every effect after the setup only adds something not negative never falls. So a
goal that bounds it from above bounds it in every position on the way, which takes most actions out
of consideration before anything is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Int, scalar_of
from rulespec.core.walk import FreeVariables, assignments, conjuncts, reads_state

from .structure import effects_of_plies


def never_falling(game: Game) -> set[n.StateVar]:
    """The number variables that no ply can lower."""
    changes: dict[n.StateVar, list[n.Assign]] = {}
    for effect in effects_of_plies(game, game.actions.values()):
        for assign in assignments(effect):
            changes.setdefault(assign.target, []).append(assign)
    numbers = [v for v in game.state.values() if isinstance(v.type, Int) and v is not game.mover]
    return {v for v in numbers if all(_raises(a, v) for a in changes.get(v, []))}


def _raises(assign: n.Assign, var: n.StateVar) -> bool:
    """True if an assignment surely does not lower a number variable."""
    return not assign.path and _reaches(assign.value, var, {})


def _reaches(e: n.Expr, var: n.StateVar, named: Mapping[n.Var, n.Expr]) -> bool:
    """True if a number is at least the value of a variable, by its form and its type.

    This covers `v + n`, and a counter that saturates, `min(v + n, limit)`.
    """
    match e:
        case n.Get():
            return e.var is var
        case n.Local() if e.var in named:
            return _reaches(named[e.var], var, named)
        case n.Let():
            return _reaches(e.body, var, {**named, e.var: e.value})
        case n.If():
            return all(_reaches(x, var, named) for x in (e.then, e.otherwise))
        case n.Add():
            return any(
                _reaches(whole, var, named) and isinstance(t := scalar_of(added.type), Int) and t.lo >= 0
                for whole, added in ((e.a, e.b), (e.b, e.a))
            )
    t, of = scalar_of(e.type), var.type
    return isinstance(t, Int) and isinstance(of, Int) and t.lo >= of.hi


def bounds_on_the_way(game: Game, goal: n.Expr) -> dict[n.StateVar, int]:
    """The greatest value that each never-falling variable can have before `goal` holds.

    Read from conjuncts of the goal of the form `v = c`, `v <= c`, `v < c`.
    """
    rising = never_falling(game)
    found: dict[n.StateVar, int] = {}
    for part in conjuncts(goal):
        bound = _upper_bound(part)
        if bound is not None and bound[0] in rising:
            found[bound[0]] = min(bound[1], found.get(bound[0], bound[1]))
    return found


def _upper_bound(e: n.Expr) -> tuple[n.StateVar, int] | None:
    if not isinstance(e, n.Equal | n.Less | n.AtMost):
        return None
    sides: Iterable[tuple[n.Expr, n.Expr]] = (
        ((e.a, e.b), (e.b, e.a)) if isinstance(e, n.Equal) else ((e.a, e.b),)
    )
    for var, limit in sides:
        if (
            isinstance(var, n.Get)
            and isinstance(limit, n.Const | n.Add | n.Sub | n.Mul)
            and not reads_state(limit)
            and not FreeVariables()(limit)
        ):
            value = evaluate(limit, {}, Context())
            if isinstance(value, int):
                return var.var, value - isinstance(e, n.Less)
    return None
