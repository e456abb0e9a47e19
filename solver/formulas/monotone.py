"""Monotone counters: number variables that nothing lowers, and the bounds that a goal implies during play.

Gates prove it, without an engine: for each value of the variable, and all other reads free within their
types, the gate for storing a smaller number folds to false. This is tested for every store of a ply by
itself, whatever leads to it. So a monotone variable is no lower at the end of a ply than within it, and no
lower there than before; and if a goal bounds it from above, it stays within that bound on every play to the
goal.

Storing a value that is no number, or lies outside the variable's type, is a fault, which leaves the state as
it was before the ply.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.memo import by_game
from rulespec.core.traversal import assignments, conjuncts
from rulespec.core.types import BOOL, Int

from .aig import FALSE, Gates, TooWide
from .context import Moment
from .dependencies import Dependencies, effects_of_plies
from .layout import free_state
from .legality import Legality
from .symbolic_evaluation import SymbolicEvaluator
from .values import constant

MOST_VALUES = 1_000
"""A variable with more values is not considered."""
MOST_GATES = 200_000
"""Maximum number of gates for all values of a variable, including free literals for the reads of a store."""


def monotone(game: Game) -> set[n.StateVar]:
    """The number variables that no store of a ply lowers."""
    return {v for v in game.state.values() if _is_monotone(game, v)}


def bounds_on_the_way(game: Game, goal: n.Expr) -> dict[n.StateVar, int]:
    """The greatest value of each monotone variable before `goal` holds, where that is a restriction.

    Derived from the conjuncts of the goal that read one variable and nothing else.
    """
    facts = Dependencies(game)
    found: dict[n.StateVar, int] = {}
    for part in conjuncts(goal):
        read = facts.reads(part)
        if len(read) == 1:
            (var,) = read
            bound = _greatest(game, facts, part, var)
            if bound is not None:
                found[var] = min(bound, found.get(var, bound))
    return {var: bound for var, bound in found.items() if _is_monotone(game, var)}


def _is_counter(game: Game, var: n.StateVar) -> bool:
    return var is not game.mover and isinstance(var.type, Int) and len(var.type.values) <= MOST_VALUES


def _greatest(game: Game, facts: Dependencies, e: n.Expr, var: n.StateVar) -> int | None:
    """The greatest value of a variable at which a condition on it alone may hold.

    The least of its type if there is none. None if it is the greatest of its type, or is unknown.
    """
    if not _is_counter(game, var):
        return None
    t = var.type
    assert isinstance(t, Int)
    try:
        bound = next(_where_possible(game, facts, e, var), t.lo)
    except TooWide:
        return None
    return bound if bound < t.hi else None


@by_game
def _is_monotone(game: Game, var: n.StateVar) -> bool:
    facts = Dependencies(game)
    return _is_counter(game, var) and not any(_may_lower(game, facts, store) for store in _stores(game, var))


def _stores(game: Game, var: n.StateVar) -> Iterator[n.Assign]:
    """Every store to a variable that plies can make; the setup comes before the first ply."""
    for effect in effects_of_plies(game, game.actions.values()):
        yield from (assign for assign in assignments(effect) if assign.target is var)


def _may_lower(game: Game, facts: Dependencies, store: n.Assign) -> bool:
    """True unless gates prove that a store never lowers its variable."""
    var = store.target
    less = n.Less(BOOL, store.value, n.Get(var.type, var))
    try:
        return any(True for _ in _where_possible(game, facts, less, var))
    except TooWide:
        return True


def _where_possible(game: Game, facts: Dependencies, e: n.Expr, var: n.StateVar) -> Iterator[int]:
    """The values of a number variable, greatest first, at which a condition may hold.

    It may hold if its gate does not fold to false when all other reads are free.
    """
    assert isinstance(var.type, Int)
    gates = Gates(MOST_GATES)
    evaluate = SymbolicEvaluator(gates, facts)
    can = Legality(evaluate, list(game.actions.values())).can
    names = {name: n.StateVar(name.name, name.type, n.Const(BOOL, False)) for name in facts.free(e)}
    others = free_state(gates, [*(facts.reads(e) - {var}), *names.values()], {}, {})
    env = {name: others[stand_in] for name, stand_in in names.items()}
    for value in reversed(var.type.values):
        if evaluate(e, env, Moment({**others, var: constant(value)}, can)) != FALSE:
            yield value
