"""Static analyses of a game compared with all its positions, explored by the interpreter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from confirming import Space, TooMany

from rulespec.core import nodes as n
from rulespec.core.game import Claim
from rulespec.core.types import BOOL, Int, List, Map, Set, Value, integers
from rulespec.play.position import Position
from rulespec.solver.analyses.deal_numbers import NotBlind, Starts
from rulespec.solver.analyses.flows import list_in
from rulespec.solver.analyses.shuffles import Deals
from rulespec.solver.analyses.weights import NOT_ABOVE, NotWeighed, Weights, demands_of, weights_of
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.linear.linear_forms import linear_form
from rulespec.solver.formulas.monotone import monotone
from rulespec.solver.reductions.remembering import numbers
from rulespec.solver.reductions.restriction import restrict

MOST_COMPARED = 60
"""The most positions that are compared in pairs."""


def mistakes(space: Space) -> Iterator[str]:
    """Every wrong result of the analyses for a game and its claims, in words."""
    yield from _never_falling(space)
    yield from _deals(space)
    yield from _starts(space)
    for claim in space.game.claims.values():
        yield from (f"{claim.id}: {text}" for text in _of_claim(space, claim))


def _of_claim(space: Space, claim: Claim) -> Iterator[str]:
    if claim.condition is None:
        return
    if claim.kind in ("reachable", "unreachable"):
        yield from _easier(space, claim.condition)
    elif claim.kind == "invariant":
        yield from _demands(space, claim.always)
    for number in _asked(claim):
        yield from _number(space, number)


def _asked(claim: Claim) -> Iterable[n.Expr]:
    if claim.kind == "never_falls":
        return numbers(claim)
    if claim.condition is not None and isinstance(claim.condition.type, Int):
        return [claim.condition]
    compared = claim.condition
    if isinstance(compared, n.AtMost | n.Less):
        return [e for e in (compared.a, compared.b) if isinstance(e.type, Int)]
    return []


def _number(space: Space, number: n.Expr) -> Iterator[str]:
    """The parts of a number add up to it in every position."""
    try:
        total = linear_form(number)
    except TooWide:
        return
    try:
        weights = weights_of(number, Dependencies(space.game))
    except NotWeighed:
        weights = None
    for position in space.depths:
        value = space.value(number, position)
        added = total.base + sum(f.weight for f in total.facts if space.value(f.fact, position))
        if added != value:
            yield f"a number of {value} comes to {added} when it is taken apart"
            return
        if weights is not None and _weighed(space, weights, position) != value:
            yield f"a number of {value} weighs {_weighed(space, weights, position)}"
            return


def _weighed(space: Space, weights: Weights, position: Position) -> int:
    state = dict(zip(space.machine.variables, position.values, strict=True))

    def at(var: n.StateVar, keys: Sequence[Value]) -> Any:
        t, value = var.type, state[var]
        for key in keys:
            assert isinstance(t, Map)
            if key not in t.keys:
                return () if list_in(t) is not None else None
            t, value = t.of, value[t.keys.index[key]]
        return value

    total = weights.base
    for (var, keys), held in weights.of.items():
        there = at(var, keys) if list_in(var.type) is not None else (at(var, keys),)
        total += sum(held.get(x, 0) for x in there)
    return total + sum(weight * at(var, keys) for (var, keys), weight in weights.numbers.items())


def _demands(space: Space, condition: n.Expr) -> Iterator[str]:
    """A condition stays true if each sum changes only as demanded."""
    try:
        sums = demands_of(condition, Dependencies(space.game))
    except NotWeighed:
        return
    some = [*space.depths][:MOST_COMPARED]
    weights = {p: [_weighed(space, of, p) for of, _ in sums] for p in some}
    for before, after in product(some, some):
        changes = zip(weights[before], weights[after], (demand for _, demand in sums), strict=True)
        kept = all(new == old or (new < old and demand == NOT_ABOVE) for old, new, demand in changes)
        if kept and space.value(condition, before) and not space.value(condition, after):
            yield "what a condition demands of sums is too little"
            return


def _never_falling(space: Space) -> Iterator[str]:
    at = {var: i for i, var in enumerate(space.machine.variables)}
    for var in monotone(space.game):
        if any(
            after.values[at[var]] < before.values[at[var]]
            for before, all_ in space.plies.items()
            for after in all_
        ):
            yield f"`{var.name}` falls"


def _easier(space: Space, goal: n.Expr) -> Iterator[str]:
    """A reachable goal is reachable in the narrowed game too."""
    if not any(space.value(goal, p) for p in space.depths):
        return
    game = space.game
    narrowed = restrict(game, goal, {})
    if narrowed is game:
        return
    try:
        other = Space(narrowed)
    except TooMany:
        return
    if not any(other.value(goal, p) for p in other.depths):
        yield "the goal is not reached in the narrowed game"


def _deals(space: Space) -> Iterator[str]:
    deals = Deals(space.game)
    for e in _expressions(space):
        known = deals.value(e)
        if known is not None and any(space.value(e, start) != known for start in space.starts):
            yield "something is said of all deals that is not so of all"
            return


def _expressions(space: Space) -> Iterator[n.Expr]:
    for claim in space.game.claims.values():
        if claim.condition is not None and not isinstance(claim.condition.type, List):
            yield claim.condition
    for var in space.game.state.values():
        if isinstance(var.type, Set | List):
            yield n.Size(integers(0, 9), n.Get(var.type, var))
        yield n.Equal(BOOL, n.Get(var.type, var), n.Get(var.type, var))
        yield n.Get(var.type, var)


def _starts(space: Space) -> Iterator[str]:
    try:
        starts = Starts(space.game)
    except NotBlind:
        return
    over = space.machine.variables.index(space.game.state["over"])

    def held(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return values[:over] + values[over + 1 :]

    numbered = [held(starts.position(i).values) for i in range(starts.count)]
    played = [held(p.values) for p in space.starts]
    if len(numbered) != len({*numbered}) or {*numbered} != {*played}:
        yield "the starts are not those that are numbered"
