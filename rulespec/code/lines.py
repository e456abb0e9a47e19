"""The first step along a line of places, by words.

Where a condition asks for a number only by a place that follows from it, and the places of ascending numbers
lie in ascending or in descending order until there is none any more, all steps are looked at together: the
places of the line are a mask, and so are those that fulfil the condition. The first number is that of steps
in the mask before the first place in both.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise, product
from math import prod
from typing import NamedTuple

from ..core import nodes as n
from ..core.types import BOOL, Map, Scalar, Type, scalar_of
from ..core.walk import inside, rebuilt
from ..machine import form as f
from ..machine.building import (
    TRUE,
    ZERO,
    bit,
    both,
    choose,
    compare,
    counted,
    differ,
    either,
    high,
    intersection,
    load,
    plus,
    union,
    word,
)  # fmt: skip
from . import lanes
from .body import Body
from .tables import line_rows, shape
from .vals import NONE, Env, Lanes, Val

MOST_WAYS = 64
"""Of a condition at the end of a line so many cases are tried."""
LEAST_STEPS = 3
"""Of fewer numbers each is tried."""


class Walk(NamedTuple):
    """A line up to the first number for which a condition holds."""

    number: Val
    place: n.Expr
    """The place of a number, given the local name of that."""
    keys: Scalar
    at: f.Expr
    """The place of that number as a word, empty where there is none."""
    before: f.Expr
    """The places of the numbers before it as a word, empty where the condition holds for no number."""


def first_step(w: Body, e: n.First, env: Env) -> Val | None:
    """The first number for which a condition along a line holds; None where it is no such condition."""
    walk = _walk(w, e, env)
    return None if walk is None else walk.number


def walked(w: Body, e: n.Let, env: Env) -> tuple[n.Expr, Env] | None:
    """The body of a local name for such a number, with names for what words answer: whether a map at the
    place equals something, and which places come before. None where there is no such number.
    """
    first = e.value
    walk = _walk(w, first, env) if isinstance(first, n.First) else None
    if walk is None or not isinstance(first, n.First):
        return None
    inner, step = {**env, e.var: walk.number}, n.Local(first.var.type, first.var)

    def named(t: Type, made: f.Expr) -> n.Expr:
        x = n.Var("walked", t)
        inner[x] = Val(t, (made,))
        return n.Local(t, x)

    def is_place(key: n.Expr, number: n.Var) -> bool:
        again = rebuilt(key, lambda x: step if isinstance(x, n.Local) and x.var is number else x)
        marks: dict[object, Hashable] = {x: i for i, x in enumerate(w.program.free(walk.place))}
        return shape(again, {**marks}) == shape(walk.place, {**marks})

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        if isinstance(node, n.Image) and is_place(node.body, node.var) and _before(w, node.source, e):
            return named(node.type, walk.before)
        read = isinstance(node, n.Equal) and node.a
        if isinstance(node, n.Equal) and isinstance(read, n.Read) and is_place(read.key, e.var):
            at = n.Var("place", walk.keys)
            met = _with(node, read.key, n.Local(walk.keys, at))
            if isinstance(node.b.type, Scalar) and e.var not in w.program.free(met):
                words = lanes.mask(w, walk.keys, met, {**env, at: Lanes()})
                return named(BOOL, differ(intersection(walk.at, words[0]), ZERO)) if words else node
        return node

    return rebuilt(e.body, change), inner


def _before(w: Body, source: n.Expr, e: n.Let) -> bool:
    """True if a set is that of the numbers before the one that has a local name."""
    assert isinstance(e.value, n.First)
    if w.program.reads_state(source) or set(w.program.free(source)) - {e.var}:
        return False
    steps = sorted(w.program.static.value(e.value.source, {}))
    before = {step: frozenset(range(steps[0], step)) for step in steps}
    numbers = ((x, w.program.static.value(source, {e.var: x})) for x in (*steps, None))
    return all(found == before.get(x, frozenset()) for x, found in numbers)


def _walk(w: Body, e: n.First, env: Env) -> Walk | None:
    known = w.known(e.source, env)
    steps = sorted(known.value) if known is not None and isinstance(known.value, frozenset) else []
    if len(steps) < LEAST_STEPS or type(steps[0]) is not int or steps != list(range(steps[0], steps[-1] + 1)):
        return None
    place = _place(w, e)
    keys = scalar_of(place.type) if place is not None else None
    if place is None or keys is None or w.program.lanes(keys) != 1:
        return None
    at = n.Var("place", keys)
    line = line_rows(w, place, e.var, steps, env)
    masks = [_mask(w, keys, row) for row in line.rows] if line is not None else []
    held = [x for x in masks if x is not None]
    if any(down for _, down in held):  # a place alone is either
        held = [(0, up | down) if up.bit_count() < 2 else (up, down) for up, down in held]
    if line is None or len(held) < len(masks):
        return None
    met = lanes.mask(w, keys, _with(e.body, place, n.Local(keys, at)), {**env, at: Lanes()})
    if met is None:
        return None
    name, meaning = "along", f"the places of a line that {line.depends} has"
    up, down = (
        w.atom(load(w.program.table([x[k] for x in held], f"{way} {name}", meaning, f.WORDS), line.at), way)
        if any(x[k] for x in held) else ZERO for k, way in enumerate(("up", "down"))
    )  # fmt: skip
    above, below = w.atom(intersection(up, met[0]), "met"), w.atom(intersection(down, met[0]), "met")
    first = w.named("first", intersection(above, f.Binary(f.WORD, "-", ZERO, above)))
    last, some = w.named("last", high(below)), differ(below, ZERO)
    beyond = choose(some, f.Binary(f.WORD, "<<", word(~1), last), word(~0))
    passed = union(intersection(up, f.Binary(f.WORD, "-", first, word(1))), intersection(down, beyond))
    before = w.named("before", passed)
    number = w.named(e.var, plus(counted(before), steps[0]))
    there: f.Expr = TRUE
    if max(x.bit_count() for both_ways in held for x in both_ways) == len(steps) or not _ends(w, e, place):
        nowhere = w.cond(_with(e.body, place, n.Const(place.type, None)), env)
        there = either(differ(union(above, below), ZERO), both(compare("<=", number, steps[-1]), nowhere))
    val = Val(e.type, (choose(there, number, NONE),), there != TRUE)
    at_last = union(first, choose(some, bit(last), ZERO))
    return Walk(val, place, keys, at_last, choose(there, before, ZERO))


def _ends(w: Body, e: n.First, place: n.Expr) -> bool:
    """True if the condition surely holds where the line has no place any more."""

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        at = isinstance(node, n.Read) and node.key
        nowhere = isinstance(node, n.Read) and isinstance(at, n.Const) and at.value is None
        return n.Const(node.type, node.type.nothing) if nowhere else node  # type: ignore[union-attr]

    beyond = rebuilt(_with(e.body, place, n.Const(place.type, None)), change)
    free = w.program.free(beyond)
    if w.program.reads_state(beyond) or not all(isinstance(x.type, Scalar) for x in free):
        return False
    values = [x.type.values for x in free if isinstance(x.type, Scalar)]
    each = (w.program.static.value(beyond, dict(zip(free, x, strict=True))) for x in product(*values))
    return prod(map(len, values)) <= MOST_WAYS and all(each)


def _place(w: Body, e: n.First) -> n.Expr | None:
    """The place by which alone the condition depends on the number."""
    found = [
        x.key for x in inside(e.body)
        if isinstance(x, n.Read) and isinstance(x.map.type, Map) and e.var in w.program.free(x.key)
    ]  # fmt: skip
    if len(found) != 1 or w.program.reads_state(found[0]):
        return None
    rest = _with(e.body, found[0], n.Const(found[0].type, None))
    return None if e.var in w.program.free(rest) else found[0]


def _with(e: n.Expr, place: n.Expr, other: n.Expr) -> n.Expr:
    """A condition with something else in the place of a place."""
    return rebuilt(e, lambda node: other if node is place else node)


def _mask(w: Body, keys: Scalar, row: Sequence[int]) -> tuple[int, int] | None:
    """The places of a line as a mask of ascending ones, and of descending ones; None if they are neither."""
    size = row.index(f.NONE) if f.NONE in row else len(row)
    places = [code - w.codes.base(keys) for code in row[:size]]
    if any(code != f.NONE for code in row[size:]) or any(not 0 <= x < 64 for x in places):
        return None
    bits = sum(1 << x for x in set(places))
    if all(a < b for a, b in pairwise(places)):
        return bits, 0
    return (0, bits) if all(a > b for a, b in pairwise(places)) else None
