"""The first step along a line of places, by words.

Where a condition asks for a number only by a place that follows from it, and the places of ascending numbers
lie in ascending or in descending order until there is none any more, all steps are looked at together: the
places of the line are a mask, and so are those that fulfil the condition. The first number is that of steps
in the mask before the first place in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..core import nodes as n
from ..core.types import Map, Scalar, scalar_of
from ..core.walk import inside, rebuilt
from ..machine import form as f
from ..machine.building import (
    ZERO,
    both,
    choose,
    compare,
    counted,
    differ,
    either,
    intersection,
    inverted,
    load,
    plus,
    shifted,
    union,
    word,
)  # fmt: skip
from . import lanes
from .body import Body
from .tables import Line, line_rows
from .vals import NONE, Env, Lanes, Val

LEAST_STEPS = 3
"""Of fewer numbers each is tried."""


def first_step(w: Body, e: n.First, env: Env) -> Val | None:
    """The first number for which a condition along a line holds; None where it is no such condition."""
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
    if line is None or None in masks:
        return None
    met = lanes.mask(w, keys, _with(e.body, place, n.Local(keys, at)), {**env, at: Lanes()})
    return None if met is None else _counted(w, e, env, place, line, masks, steps, met[0])


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


def _counted(
    w: Body, e: n.First, env: Env, place: n.Expr, line: Line, masks: Sequence[tuple[int, int] | None],
    steps: Sequence[int], met: f.Expr,
) -> Val:  # fmt: skip
    """The number by the places that come before the first that is met."""
    held = [x for x in masks if x is not None]
    name, meaning = "along", f"the places of a line that {line.depends} has"
    up, down = (
        w.atom(load(w.program.table([x[k] for x in held], f"{way} {name}", meaning, f.WORDS), line.at), way)
        for k, way in enumerate(("up", "down"))
    )
    above, below = w.atom(intersection(up, met), "met"), w.atom(intersection(down, met), "met")
    before = intersection(inverted(above), f.Binary(f.WORD, "-", above, word(1)))
    behind = below
    for distance in (1, 2, 4, 8, 16, 32):
        behind = w.named("behind", union(behind, shifted(behind, distance)))
    passed = counted(intersection(up, before), intersection(down, inverted(behind)))
    number = w.named(e.var, plus(passed, steps[0]))
    nowhere = w.cond(_with(e.body, place, n.Const(place.type, None)), env)
    there = either(differ(union(above, below), ZERO), both(compare("<=", number, steps[-1]), nowhere))
    return Val(e.type, (choose(there, number, NONE),), True)
