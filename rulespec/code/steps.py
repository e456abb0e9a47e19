"""Conditions on a number that ask only for places along a line."""

from __future__ import annotations

from collections.abc import Hashable
from math import prod

from ..core import nodes as n
from ..core.traversal import inside, rebuilt
from ..core.types import Map, Scalar, Value
from .body import Body
from .tables import shape
from .vals import Env

MOST_WAYS = 64
"""Of a condition at the end of a line so many cases are tried."""


def numbers_of(w: Body, e: n.First, env: Env) -> list[int]:
    """The numbers that are tried, if they follow each other; else none."""
    known = w.known(e.source, env)
    steps = sorted(known.value) if known is not None and isinstance(known.value, frozenset) else []
    follow = bool(steps) and type(steps[0]) is int and steps == list(range(steps[0], steps[-1] + 1))
    return steps if follow else []


def place_of(w: Body, e: n.First) -> n.Expr | None:
    """The place by which alone the condition depends on the number."""
    found = [
        x.key for x in inside(e.body)
        if isinstance(x, n.Read) and isinstance(x.map.type, Map) and e.var in w.program.free(x.key)
    ]  # fmt: skip
    if len(found) != 1 or w.program.reads_state(found[0]):
        return None
    rest = with_place(e.body, found[0], n.Const(found[0].type, None))
    return None if e.var in w.program.free(rest) else found[0]


def with_place(e: n.Expr, place: n.Expr, other: n.Expr) -> n.Expr:
    """A condition with something else in the place of a place."""
    return rebuilt(e, lambda node: other if node is place else node)


def is_place(w: Body, key: n.Expr, number: n.Var, place: n.Expr, step: n.Var) -> bool:
    """True if a key is for one number the place that another expression is for a step."""
    local = n.Local(step.type, step)
    again = rebuilt(key, lambda x: local if isinstance(x, n.Local) and x.var is number else x)
    marks: dict[object, Hashable] = {x: i for i, x in enumerate(w.program.free(place))}
    return shape(again, {**marks}) == shape(place, {**marks})


def are_before(w: Body, source: n.Expr, e: n.Let) -> bool:
    """True if a set is that of the numbers before the first one that has a local name."""
    assert isinstance(e.value, n.First)
    if w.program.reads_state(source) or set(w.program.free(source)) - {e.var}:
        return False
    steps = sorted(w.program.static.value(e.value.source, {}))
    before = {step: frozenset(range(steps[0], step)) for step in steps}
    numbers = (*steps, None)
    found = w.program.static.values(source, [{e.var: numbers}])
    return all(x == before.get(number, frozenset()) for number, x in zip(numbers, found, strict=True))


def at_the_end(w: Body, e: n.Expr) -> set[Value] | None:
    """The values of an expression in which a place is none, as behind the end of a line; None if unknown."""

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        at = isinstance(node, n.Read) and node.key
        nowhere = isinstance(node, n.Read) and isinstance(at, n.Const) and at.value is None
        return n.Const(node.type, node.type.nothing) if nowhere else node  # type: ignore[union-attr]

    changed = rebuilt(e, change)
    free: list[n.Var | n.StateVar] = [*w.program.free(changed)]
    free += dict.fromkeys(x.var for x in inside(changed) if isinstance(x, n.Get))
    cases = [{x: x.type.values} for x in free if isinstance(x.type, Scalar)]
    calls = any(isinstance(x, n.Call) and w.program.reads_state(x) for x in inside(changed))
    if calls or len(cases) < len(free) or prod(len(*x.values()) for x in cases) > MOST_WAYS:
        return None
    return {*w.program.static.values(changed, cases)}
