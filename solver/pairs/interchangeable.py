"""Values that the rules treat alike and a goal does not: the basis of pattern databases.

Without the ends of play, every permutation of a class of values maps plays to plays; formulas prove that for
a swap and a cycle, which generate them all. A play to the goal is one of the rules without ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.memo import by_game
from rulespec.core.symmetry import Image, Symmetry
from rulespec.core.traversal import nodes_with_definitions, place_of
from rulespec.core.types import BOOL, Map, Optional, Scalar, Value, scalar_of
from rulespec.solver.explore.pattern_databases import Abstraction, Place
from rulespec.solver.formulas.aig import TooWide
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.unrolling.bmc import Unrolling
from rulespec.solver.formulas.unrolling.query import Oracle

from .images import commute

SECONDS = 20.0
"""A class is not used if proving that its values are interchangeable takes longer."""
LEAST, MOST = 3, 64
"""Minimum and maximum size of a class."""


@by_game
def abstraction(game: Game, goal: n.Expr, engine: Oracle) -> Abstraction | None:
    """The largest class of values that only the goal distinguishes, if formulas prove that; else None."""
    read, judged = Dependencies(game).reads(goal), {game.state["over"], game.mover}
    if game.turn.begin is not n.NOTHING_DONE or game.has_chance_in_play or judged & read:
        return None
    endless = replace(game, ends=(), claims={})
    over = n.Or(BOOL, (n.Const(BOOL, False), *(end.condition for end in game.ends)))
    for t, values in sorted(_classes(endless), key=lambda found: -len(found[1])):
        places = [*_places((var for var in game.state.values() if var in read), t)]
        pins = _pins(endless, goal, t, places, engine) if places else {}
        found = Abstraction(endless, goal, over, _generators(t, values), t, values, pins)
        if found.apart and commute(endless, found.generators, SECONDS, engine):
            return found
    return None


def _classes(game: Game) -> Iterator[tuple[Scalar, tuple[Value, ...]]]:
    """The values of each type that no rule names, except in the setup."""
    roots = replace(game, setup=n.NOTHING_DONE, state={}).roots
    named = set[tuple[Scalar | None, Value]]()
    for e in chain.from_iterable(map(nodes_with_definitions, roots)):
        if isinstance(e, n.Assign) and isinstance(e.value, n.Const):
            named.add((scalar_of(place_of(e)), e.value.value))
        for x, y in ((e.a, e.b), (e.b, e.a)) if isinstance(e, n.Equal) else ():
            if isinstance(y, n.Const):
                named.add((scalar_of(x.type), y.value))
    for t in game.types.values():
        values = tuple(v for v in t.values if (t, v) not in named) if len(t.values) <= MOST else ()
        if len(values) >= LEAST:
            yield t, values


def _generators(t: Scalar, values: Sequence[Value]) -> list[Symmetry]:
    """The swap of the first two values of a class, and the cycle of all."""
    swapped = {values[0]: values[1], values[1]: values[0]}
    turned = dict(zip(values, (*values[1:], values[0]), strict=True))
    return [Symmetry([Image(t, tuple(to.get(v, v) for v in t.values))]) for to in (swapped, turned)]


def _places(variables: Iterable[n.StateVar], t: Scalar) -> Iterator[Place]:
    """The places of variables that hold values of a type."""
    for var in variables:
        keys, of = (len(var.type.keys.values), var.type.of) if isinstance(var.type, Map) else (1, var.type)
        yield from ((var, key) for key in range(keys if scalar_of(of) == t else 0))


def _pins(
    game: Game, goal: n.Expr, of: Scalar, places: Sequence[Place], engine: Oracle
) -> Mapping[Place, frozenset[Value]]:
    """The values that a goal allows at places, without unrestricted places."""
    budget = Budget(SECONDS)
    try:
        any_state = Unrolling(game, start="any", ask=[goal], engine=engine, watch=budget.check)
        asked, unseen = any_state.holds(goal, 0), dict[tuple[Place, Value], int]()
        for var, key in places:
            e: n.Expr = n.Get(var.type, var)
            if isinstance(var.type, Map):
                e = n.Read(var.type.of, e, n.Const(var.type.keys, var.type.keys.values[key]))
            for value in (*of.values, *([None] if isinstance(e.type, Optional) else [])):
                unseen[(var, key), value] = any_state.holds(n.Equal(BOOL, e, n.Const(e.type, value)), 0)
        every = [*unseen]
        while answer := any_state.solve([asked], budget.seconds_left, unseen.values()):
            unseen = {place: x for place, x in unseen.items() if not any_state.was(x)}
    except (OutOfBudget, TooWide):
        return {}
    seen = [place for place in every if place not in unseen]
    left = unseen if answer is False else ()  # None where the time did not suffice
    return {place: frozenset(v for at, v in seen if at == place) for place, _ in left}
