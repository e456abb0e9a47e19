"""Comparisons with a set that grows with a closure: the search ends as soon as the comparison is decided.

The liberties of a chain are found with the chain, so whether they are one given point is decided by the first
other one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...core import nodes as n
from ...core.types import Scalar, Set, fits
from ...machine import form as f
from ...machine.builder import FALSE, TRUE, complement, differ, equal, intersection, union
from ..bindings import Env, Val
from ..body import Body
from .algebra import Bitset

Closure = Callable[[Body, n.Reach, Env, Callable[[Bitset], None]], Val | None]
"""Writes a closure; its last argument writes what is done with the elements found in each step."""


class Growing(NamedTuple):
    """A set that distributes over the union of parts of a closure, which `hole` stands for in `whole`."""

    reach: n.Reach
    whole: n.Expr
    hole: n.Var
    env: Env


def write_growing_comparison(
    w: Body, e: n.Expr, other: n.Expr | None, env: Env, closure: Closure
) -> f.Expr | None:
    """Write a comparison of a growing set with another (default: the empty one), which stops once decided.

    Returns its condition; None if the set does not grow with a closure.
    """
    found = _growing(w, e, env)
    if found is None:
        return None
    rest = () if other is None else w.atoms(w.value(other, env)).parts
    name = w.named("holds", TRUE)

    def part(words: Bitset) -> Bitset:
        return w.value(found.whole, {**found.env, found.hole: Val(found.reach.type, words)}).parts

    def leave_if_decided(words: Bitset) -> None:
        more = part(words)
        beyond = map(intersection, more, map(complement, w.widened(rest, len(more))))
        with w.when(differ(union(*beyond), 0)):
            w.set(name, FALSE)
            w.leave()

    reached = closure(w, found.reach, found.env, leave_if_decided)
    if reached is None:
        return None
    if rest:
        with w.when(name):
            more = part(reached.parts)
            missing = map(intersection, rest, map(complement, w.widened(more, len(rest))))
            w.set(name, equal(union(*missing), 0))
    w.plans["a search that ends once a comparison is decided"] = None
    return name


def _growing(w: Body, e: n.Expr, env: Env) -> Growing | None:
    """The parts of a set that grows with a closure; definitions that it calls are opened."""
    match e:
        case n.Reach():
            hole = n.Var("so far", e.type)
            return Growing(e, n.Local(e.type, hole), hole, env)
        case n.Call(function=function, args=args) if function.falling is None:
            inner = dict(env)
            for param, arg in zip(function.params, args, strict=True):
                if not isinstance(param.type, Scalar) or not fits(arg.type, param.type):
                    return None
                inner[param] = w.known(arg, env) or w.atoms(w.value(arg, env), param)
            return _growing(w, function.body, inner)
        case n.Select(source=source) | n.Image(source=source):
            found = _growing(w, source, env)
        case n.Fold(total=total, source=source, body=n.Union(a=n.Local(var=var), b=more)) if (
            var is total and total not in w.program.free(more) and isinstance(e.type, Set)
        ):
            found = _growing(w, source, env)
        case _:
            return None
    return found and found._replace(whole=n.copy_with(e, source=found.whole))
