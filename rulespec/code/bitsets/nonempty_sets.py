"""Existence in place of a search: sets that are not empty, and searches that find something."""

from __future__ import annotations

from functools import partial

from ...core import nodes as n
from ...core.types import BOOL, Optional, Scalar, Set, fits, integers
from ..bindings import Env
from .algebra import Bitset, BitsetAlgebra, NotExpressible

NUMBER = integers(0, 0)
MOST_UNROLLED = 24
"""A quantifier over more elements than this is not unrolled into operations on words."""


def write_nonempty(maker: BitsetAlgebra, e: n.Expr, env: Env) -> Bitset:
    """The bit set of the lanes in which a set is not empty. Raises NotExpressible."""
    if not isinstance(e.type, Set):
        raise NotExpressible
    if not maker.varies(e, env):
        return maker.mask(_is_nonempty(e), env)
    fixed = maker.fixed(e, env)
    if fixed is not None:
        return maker.known(x for x, held in zip(maker.of.values, fixed, strict=True) if held)
    if isinstance(e, n.Let):
        return maker.within(e, env, partial(write_nonempty, maker))
    if isinstance(e, n.Call):
        return maker.called(e, env, partial(write_nonempty, maker))
    return maker.mask(_nonempty_condition(maker, e), env)


def _is_nonempty(e: n.Expr) -> n.Expr:
    return n.Not(BOOL, n.Equal(BOOL, n.Size(NUMBER, e), n.Const(NUMBER, 0)))


def _nonempty_condition(maker: BitsetAlgebra, e: n.Expr) -> n.Expr:
    """The condition that a set is not empty, built from the parts of its expression.

    Raises NotExpressible.
    """
    match e:
        case n.If(_, cond, then, other):
            return n.If(BOOL, cond, _is_nonempty(then), _is_nonempty(other))
        case n.Union(_, a, b):
            return n.Or(BOOL, (_is_nonempty(a), _is_nonempty(b)))
        case n.Fold(_, var, total, source, start, n.Union(_, n.Local(_, before), more)):
            if before is total and total not in maker.w.program.free(more):
                return n.Or(BOOL, (_is_nonempty(start), n.Any(BOOL, var, source, _is_nonempty(more))))
        case n.Select(_, var, source, body):
            return n.Any(BOOL, var, source, body)
        case n.Image(_, var, source, n.Expression(Optional()) as body):
            conds: tuple[n.Expr, ...] = ()
            match body:
                case n.If(_, cond, then, n.Const(_, None)):
                    conds, body = (cond,), then
            return n.Any(BOOL, var, source, n.And(BOOL, (*conds, n.Not(BOOL, n.IsNone(BOOL, body)))))
        case n.Image():
            return _is_nonempty(e.source)
    raise NotExpressible


def search_finds_something(e: n.Expr) -> n.Expr | None:
    """The condition that a search for a first element finds one; None for expressions of other kinds.

    A call of a definition that is nothing but a search counts as the search.
    """
    match e:
        case n.First(t, var, source, body) if t.nothing is None:
            return n.Any(BOOL, var, source, body)
        case n.Call(_, function, args) if function.falling is None:
            found = search_finds_something(function.body)
            fitting = (
                isinstance(p.type, Scalar) and fits(a.type, p.type)
                for p, a in zip(function.params, args, strict=True)
            )
            if found is None or not all(fitting):
                return None
            for param, arg in zip(function.params, args, strict=True):
                found = n.Let(BOOL, param, arg, found)
            return found
    return None
