"""First steps along lines for all values of a type at once.

Where the next place follows from the place, and not from the number of the step, the words of all steps come
from the far end: what holds of a place that is a step away, for each place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..core import nodes as n
from ..core.traversal import rebuilt
from ..core.types import Set, Value, scalar_of
from .lookups import GaveUp, Shifted, Words
from .steps import are_before, at_the_end, is_place, numbers_of, place_of, with_place
from .vals import Env, Known, Lanes

if TYPE_CHECKING:
    from .lanes import Maker


def run(maker: Maker, e: n.Let, env: Env, made: Callable[[n.Expr, Env], Words]) -> Words:
    """Make something of the body of a local name for a first step; GaveUp where it does not go by steps."""
    w, first = maker.w, e.value
    assert isinstance(first, n.First)
    steps, place = numbers_of(w, first, env), place_of(w, first)
    if len(steps) < 2 or place is None or scalar_of(place.type) != maker.of:
        raise GaveUp
    columns = [maker.fixed(place, {**env, first.var: Known(step)}) or () for step in steps]
    if not _follow(maker, columns):
        raise GaveUp
    columns = [column for column in columns if any(x is not None for x in column)]
    if not columns:
        raise GaveUp
    at = n.Var("place", maker.of)
    here = n.Local(maker.of, at)
    cond = with_place(first.body, place, here)
    bodies = [_asked(maker, e, place, here, some) for some in (False, True)]
    blank = _asked(maker, e, place, n.Const(place.type, None), True)
    if None in bodies or blank is None or (at_the_end(w, blank) or {True}) - {False, frozenset()}:
        raise GaveUp
    parts = [cond, *(x for x in bodies if x is not None)]
    if any(
        maker.varies(n.Local(x.type, x), env) for part in parts for x in w.program.free(part) if x is not at
    ):
        raise GaveUp
    cared, maker.cared, lanes = maker.cared, set(maker.of.values), {**env, at: Lanes()}
    met = maker.named(maker.mask(cond, lanes))
    near, far = (maker.named(maker.both(met, made(x, lanes))) for x in parts[1:])
    maker.cared = cared
    step = Shifted(maker, columns[0], maker.of)
    passed, found = maker.named(maker.both(maker.inverted(met), step.there)), far
    for k in range(len(columns) - 2, -1, -1):
        beyond = maker.both(passed, step.of(found, cut=False))
        found = maker.named(maker.either(far if k else near, beyond))
    return maker.named(step.of(found if columns[1:] else near))


def _follow(maker: Maker, columns: Sequence[Sequence[Value]]) -> bool:
    """True if each further place is the next one of the place before."""
    following = {None: None, **dict(zip(maker.of.values, columns[0], strict=False))}
    pairs = pairwise(columns)
    return all(columns) and all(list(b) == [following.get(x) for x in a] for a, b in pairs)


def _asked(maker: Maker, e: n.Let, place: n.Expr, at: n.Expr, some: bool) -> n.Expr | None:
    """The body for a place, with some places before it or none; None where it asks for more."""
    w, first = maker.w, e.value
    assert isinstance(first, n.First)

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        if isinstance(node, n.Read) and is_place(w, node.key, e.var, place, first.var):
            return n.Read(node.type, node.map, at)
        return node

    def shaped(node: n.Expr) -> n.Expr:
        if isinstance(node, n.If):
            return n.If(node.type, rebuilt(node.cond, change), shaped(node.then), shaped(node.otherwise))
        if (
            isinstance(node, n.Image)
            and is_place(w, node.body, node.var, place, first.var)
            and are_before(w, node.source, e)
        ):
            return n.Const(node.type, frozenset(maker.of.values[:some]))
        return rebuilt(node, change) if not isinstance(node.type, Set) else node

    found = shaped(e.body)
    return None if e.var in w.program.free(found) else found
