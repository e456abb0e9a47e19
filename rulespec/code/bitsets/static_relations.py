"""Static relations between values: the image of a set, and the transitive closure.

If related values lie at few distances from each other, the image of a whole set takes one shift for each
distance (a *dilation*), and a closure one dilation for each step outwards (a breadth-first search whose
frontier is a bit set). Other relations are left to loops over the elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core import nodes as n
from ...core.types import BOOL, Scalar, Set, Value
from ...machine.builder import complement, intersection, union
from ..bindings import EachValue, Env, Val
from ..body import Body
from .algebra import Bitset, NotExpressible
from .conditions import BitsetWriter, condition_bitset
from .state_maps import Relation

MOST_PAIRS = 1 << 13
"""Maximum number of pairs for which a relation given by a condition is computed."""


def static_image(w: Body, var: n.Var, source: n.Expr, of: Scalar, image: n.Expr, env: Env) -> Bitset | None:
    """The union of a static set for each element; None if they are not static, or distances are many."""
    assert isinstance(var.type, Scalar)
    values = BitsetWriter(w, var.type).fixed(image, {**env, var: EachValue()})
    found = None if values is None else _relation(w, var.type, of, values)
    if found is None:
        return None
    words = w.widened(w.value(source, env).parts, w.codes.words(var.type))
    try:
        joined = found.maker.named(found.preimage(words))
    except NotExpressible:
        return None
    w.plans["dilation of a bit set"] = None
    return joined


def _relation(w: Body, of: Scalar, into: Scalar, images: Sequence[Value]) -> Relation | None:
    """The relation with these images of the values of a type; None if there are too many distances."""
    if w.program.lanes(of) is None or w.program.lanes(into) is None:
        return None
    related: dict[Value, list[Value]] = {y: [] for y in into.values}
    for x, image in zip(of.values, images, strict=True):
        for y in image or ():
            if y in related:
                related[y].append(x)
    found = Relation(BitsetWriter(w, into), [*related.values()], of)
    return found if found.by_shifts else None


def write_closure(
    w: Body,
    e: n.Reach,
    conds: Sequence[n.Expr],
    reached: Bitset,
    allowed: Bitset,
    env: Env,
    each: Callable[[Bitset], None] | None = None,
) -> Bitset | None:
    """The elements reached from the elements of a set through allowed ones, given the conditions on a step.

    `each` writes what is done with the elements of every step. None if a step depends on more than the rules
    and the conditions on the element it starts from.
    """
    of = e.source.type.of  # type: ignore[attr-defined]
    from_via = [cond for cond in conds if e.var not in w.program.free(cond)]
    edges = _edges(w, e, of, [cond for cond in conds if cond not in from_via], env)
    through = edges and condition_bitset(w, of, n.And(BOOL, tuple(from_via)), {**env, e.via: EachValue()})
    if not edges or not through:
        return None
    t = Set(of)
    names, frontier = (w.fresh(Val(t, reached), name).parts for name in ("reached", "frontier"))
    outside = w.fresh(Val(t, tuple(map(intersection, allowed, map(complement, names)))), "outside").parts
    with w.repeat(union(*frontier)):
        if each is not None:
            each(frontier)
        found = edges.preimage(tuple(map(intersection, frontier, through)))
        near = [w.named("near", intersection(a, b)) for a, b in zip(found, outside, strict=True)]
        for old, name, rest, new in zip(frontier, names, outside, near, strict=True):
            w.assign((old, name, rest), Val(t, (new, union(name, new), intersection(rest, complement(new)))))
    w.plans["breadth-first search, its frontier a bit set"] = None
    return names


def _edges(w: Body, e: n.Reach, of: Scalar, conds: Sequence[n.Expr], env: Env) -> Relation | None:
    """The relation from an element to those that lead to it; None if it depends on the state."""
    source: n.Expr = n.Domain(Set(of), of)
    for cond in conds:
        if (
            isinstance(cond, n.Member)
            and _is_local(cond.item, e.var)
            and e.var not in w.program.free(cond.of)
        ):
            source = cond.of
    if isinstance(source, n.Domain) and len(of.values) ** 2 > MOST_PAIRS:
        return None
    images = n.Select(source.type, e.var, source, n.And(BOOL, tuple(conds)))
    values = BitsetWriter(w, of).fixed(images, {**env, e.via: EachValue()})
    return None if values is None else _relation(w, of, of, values)


def _is_local(e: n.Expr, var: n.Var) -> bool:
    return isinstance(e, n.Local) and e.var is var
