"""The first step along a ray of places, by bit sets.

The search applies if a condition depends on a number only through the place that the number leads to, and the
places of ascending numbers ascend or descend until the line ends. The places of the line are one mask, those
that fulfil the condition another. The first number is the count of steps in the mask before the first place
in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...core import nodes as n
from ...core.traversal import rebuild
from ...core.types import BOOL, Scalar, Type, scalar_of
from ...machine import form as f
from ...machine.builder import (
    TRUE,
    ZERO,
    both,
    choose,
    compare,
    count_bits,
    differ,
    either,
    intersection,
    load,
    plus,
    times,
    union,
)  # fmt: skip
from ..bindings import NONE, EachValue, Env, Val
from ..body import Body
from ..lookup_tables import ray_rows
from . import conditions
from .multiword import above_highest, below_lowest, highest_bit, lowest_bit, split_mask
from .rays import are_steps_before, is_same_place, ray_place, replace_place, step_numbers, values_past_end

LEAST_STEPS = 3
"""With fewer numbers, each one is tried in turn."""


def write_ray_search(w: Body, e: n.Let, env: Env) -> tuple[n.Expr, Env] | None:
    """The condition on a number, rewritten for a search by words, with an environment for its new names.

    The new names say whether a map at the place equals a value and which places come before. None if the
    condition has another form.
    """
    first = e.value
    if not isinstance(first, n.First):
        return None
    steps, place = step_numbers(w, first, env), ray_place(w, first)
    keys = scalar_of(place.type) if place is not None else None
    if len(steps) < LEAST_STEPS or place is None or keys is None or w.program.lanes(keys) is None:
        return None
    at = n.Var("place", keys)
    line = ray_rows(w, place, first.var, steps, env)
    masks = [_ray_masks(w, keys, row) for row in line.rows] if line is not None else []
    held = [x for x in masks if x is not None]
    if any(down for _, down in held):  # a place alone is either
        held = [(0, up | down) if up.bit_count() < 2 else (up, down) for up, down in held]
    if line is None or len(held) < len(masks):
        return None
    met = conditions.condition_bitset(
        w, keys, replace_place(first.body, place, n.Local(keys, at)), {**env, at: EachValue()}
    )
    if met is None:
        return None
    size = w.codes.words(keys)
    row = w.atom(times(line.at, size), "row") if size > 1 else line.at

    def along(way: int) -> Sequence[f.Expr]:
        """Words of the places of lines that ascend (0) or descend (1)."""
        if not any(x[way] for x in held):
            return (ZERO,) * size
        name, words = ("up", "down")[way], [e for x in held for e in split_mask(x[way], size)]
        table = w.program.table(
            words, f"{name} along", f"the places of a line that {line.depends} has", f.WORDS
        )
        return [w.atom(load(table, plus(row, i)), name) for i in range(size)]

    up, down = along(0), along(1)
    above = [w.atom(intersection(a, b), "met") for a, b in zip(up, met, strict=True)]
    below = [w.atom(intersection(a, b), "met") for a, b in zip(down, met, strict=True)]
    parts = zip(up, below_lowest(above), down, above_highest(below), strict=True)
    before = [w.named("before", union(intersection(a, b), intersection(c, d))) for a, b, c, d in parts]
    number = w.named(e.var, plus(count_bits(*before), steps[0]))
    there: f.Expr = TRUE
    past = replace_place(first.body, place, n.Const(place.type, None))
    full = any(x.bit_count() == len(steps) for both_ways in held for x in both_ways)
    if full or values_past_end(w, past) != {True}:
        nowhere = w.cond(past, env)
        there = either(differ(union(*above, *below), ZERO), both(compare("<=", number, steps[-1]), nowhere))
    at_number = list(map(union, lowest_bit(above), highest_bit(below)))
    inner = {**env, e.var: Val(first.type, (choose(there, number, NONE),), there != TRUE)}

    def met_at(key: n.Expr, number: n.Var) -> bool:
        return is_same_place(w, key, number, place, first.var)

    def named(t: Type, *words: f.Expr) -> n.Expr:
        x = n.Var("walked", t)
        inner[x] = Val(t, words)
        return n.Local(t, x)

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        if isinstance(node, n.Image) and met_at(node.body, node.var) and are_steps_before(w, node.source, e):
            return named(node.type, *(choose(there, e, ZERO) for e in before))
        read = isinstance(node, n.Equal) and node.a
        if isinstance(node, n.Equal) and isinstance(read, n.Read) and met_at(read.key, e.var):
            met = replace_place(node, read.key, n.Local(keys, at))
            if isinstance(node.b.type, Scalar) and e.var not in w.program.free(met):
                words = conditions.condition_bitset(w, keys, met, {**env, at: EachValue()})
                if words is None:
                    return node
                return named(BOOL, differ(union(*map(intersection, at_number, words)), ZERO))
        return node

    return rebuild(e.body, change), inner


def _ray_masks(w: Body, keys: Scalar, row: Sequence[int]) -> tuple[int, int] | None:
    """The places of a line as masks of ascending and of descending ones; None if they are neither."""
    size = row.index(f.NONE) if f.NONE in row else len(row)
    places = [code - w.codes.base(keys) for code in row[:size]]
    if any(code != f.NONE for code in row[size:]) or any(x < 0 for x in places):
        return None
    bits = sum(1 << x for x in set(places))
    if all(a < b for a, b in pairwise(places)):
        return bits, 0
    return (0, bits) if all(a > b for a, b in pairwise(places)) else None
