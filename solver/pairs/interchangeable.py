"""Values that the rules treat alike and a goal does not: the ground of pattern databases.

Without the ends of play, every permutation of a class of values takes plays to plays; that formulas show of a
swap and a cycle, which generate them all. A play to the goal is one of the rules without ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.memo import by_game
from rulespec.core.symmetry import Image, Symmetry
from rulespec.core.types import Map, Scalar, Truth, Value, scalar_of
from rulespec.core.walk import parts, place_of, unfolded
from solver.explore.pattern_databases import Abstraction, Pin
from solver.formulas.aig import FALSE, Gates, TooWide
from solver.formulas.dependencies import Dependencies, changed_by, effects_of_plies
from solver.formulas.effects import FAULT, STUCK
from solver.formulas.layout import constrain_to_type, free_state
from solver.formulas.query import Oracle, Query, is_true
from solver.formulas.transition_relation import TransitionBuilder

from .images import commute

RECKONING = (n.Less, n.AtMost, n.Add, n.Sub, n.Mul, n.Div, n.Mod, n.Field)
"""What treats the values of a type differently."""
SECONDS = 20.0
"""A class is not used where showing that its values are interchangeable takes longer."""
LEAST, MOST = 3, 64
"""The numbers of values of a class."""
MOST_GATES, MOST_MODELS = 50_000, 100
"""The limits of reading a goal: the gates of its formula, and how many examples are made."""


@by_game
def abstraction(game: Game, goal: n.Expr, engine: Oracle) -> Abstraction | None:
    """The largest class of values that is seen to be distinguished by the goal only; None without one."""
    read, judged = Dependencies(game).reads(goal), {game.state["over"], game.mover}
    if game.turn.begin is not n.NOTHING_DONE or judged & read:
        return None
    endless = replace(game, ends=(), claims={})
    over = tuple(end.condition for end in game.ends)
    still = frozenset(game.state.values()) - changed_by(effects_of_plies(game, game.actions.values()))
    classes = sorted(_classes(endless, read), key=lambda found: -len(found[1]))
    pins = [*_pins(endless, goal, engine)] if classes and not game.has_chance_in_play else []
    for t, values in classes:
        if any(_distinguishes(pin, t, values) for pin in pins):
            generators = _generators(t, values)
            if commute(endless, generators, SECONDS, engine):
                return Abstraction(endless, goal, over, still, generators, t, values, tuple(pins))
    return None


def _classes(game: Game, read: Iterable[n.StateVar]) -> Iterator[tuple[Scalar, tuple[Value, ...]]]:
    """Values of types that may be interchangeable: all of a type, or those that no rule names.

    They are in variables that a goal reads, and the rules do not reckon with them.
    """
    held = [x for t in (var.type for var in read) for x in ((t.keys, t.of) if isinstance(t, Map) else (t,))]
    plies = [*chain.from_iterable(map(unfolded, replace(game, setup=n.NOTHING_DONE, state={}).roots))]
    pairs = [(e.a, e.b) for e in plies if isinstance(e, n.Equal)]
    named = [
        (scalar_of(x.type), y.value) for a, b in pairs for x, y in ((a, b), (b, a)) if isinstance(y, n.Const)
    ]
    stores = (e for e in plies if isinstance(e, n.Assign) and isinstance(e.value, n.Const))
    named += [(scalar_of(place_of(e)), e.value.value) for e in stores if isinstance(e.value, n.Const)]
    reckoned = {
        scalar_of(operand.type)
        for e in plies
        if isinstance(e, RECKONING)
        for operand in parts(e)
        if isinstance(operand, n.Expr)
    }
    for t in game.types.values():
        stored = any(scalar_of(other) == t for other in held)
        if stored and LEAST <= len(t.values) <= MOST and not any(t is other for other in reckoned):
            listed = tuple(t.values)
            unnamed = tuple(v for v in listed if all((other, held) != (t, v) for other, held in named))
            yield t, listed
            if LEAST <= len(unnamed) < len(listed):
                yield t, unnamed


def _generators(t: Scalar, values: Sequence[Value]) -> tuple[Symmetry, Symmetry]:
    """The swap of the first two values of a class, and the cycle of all."""
    first, second, *_ = values
    swapped = {first: second, second: first}
    turned = dict(zip(values, (*values[1:], values[0]), strict=True))
    swap, cycle = (Symmetry([Image(t, tuple(to.get(v, v) for v in t.values))]) for to in (swapped, turned))
    return swap, cycle


def _distinguishes(pin: Pin, t: Scalar, values: Sequence[Value]) -> bool:
    """True if a pin tells values of a class apart: it allows some of them, or is the place of one."""
    held = pin.var.type
    if isinstance(held, Map) and held.keys == t:
        return True
    return pin.of == t and 0 < len(pin.values.intersection(values)) < len(values)


def _pins(game: Game, goal: n.Expr, engine: Oracle) -> Iterator[Pin]:
    """The places of the state whose values a goal narrows down, each with those that it allows."""
    actions, facts = [*game.actions.values()], Dependencies(game)
    builder = TransitionBuilder(gates := Gates(MOST_GATES), facts, None, {}, actions, actions)
    over = game.state["over"]
    try:
        state = free_state(gates, [var for var in game.state.values() if var is not over], {}, {})
        for var, symbol in state.items():
            constrain_to_type(gates, var.type, symbol)
        state |= {over: FALSE, FAULT: FALSE, STUCK: FALSE}
        gates.require((builder.evaluate(goal, {}, builder.moment(state)),))
    except TooWide:
        return
    places = [
        (var, key, scalar, symbol)
        for var in facts.reads(goal)
        if (scalar := scalar_of(var.type.of if isinstance(var.type, Map) else var.type)) is not None
        if not isinstance(scalar, Truth) and len(scalar.values) <= MOST
        for key, symbol in enumerate(state[var].values() if isinstance(var.type, Map) else [state[var]])
    ]
    query, unseen = Query(gates, engine), {x for *_, symbol in places for x in symbol.values()}
    for _ in range(MOST_MODELS):
        answer = query.solve([], SECONDS, unseen)
        if answer is not True:
            break
        true = query.model
        unseen = {x for x in unseen if not is_true(x, true)}
    else:
        return
    if answer is False:
        for var, key, scalar, symbol in places:
            if not unseen.isdisjoint(symbol.values()):
                yield Pin(var, key, scalar, frozenset(v for v, x in symbol.items() if x not in unseen))
