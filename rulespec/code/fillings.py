"""Tests for empty sets, for all lanes at once."""

from __future__ import annotations

from functools import partial

from ..core import nodes as n
from ..core.types import BOOL, Optional, Set, integers
from .vals import Env
from .words import Algebra, GaveUp, Words

NUMBER = integers(0, 0)
MOST_UNROLLED = 24
"""A quantifier over more elements than this is not written out within words."""


def filled(maker: Algebra, e: n.Expr, env: Env) -> Words:
    """Where a set is not empty."""
    if not isinstance(e.type, Set):
        raise GaveUp
    if not maker.varies(e, env):
        return maker.mask(_some(e), env)
    fixed = maker.fixed(e, env)
    if fixed is not None:
        return maker.known(x for x, held in zip(maker.of.values, fixed, strict=True) if held)
    if isinstance(e, n.Let):
        return maker.within(e, env, partial(filled, maker))
    if isinstance(e, n.Call):
        return maker.called(e, env, partial(filled, maker))
    return maker.mask(_condition(maker, e), env)


def _some(e: n.Expr) -> n.Expr:
    return n.Not(BOOL, n.Equal(BOOL, n.Size(NUMBER, e), n.Const(NUMBER, 0)))


def _condition(maker: Algebra, e: n.Expr) -> n.Expr:
    """The condition that a set is not empty, by what it is made of."""
    match e:
        case n.If(_, cond, then, other):
            return n.If(BOOL, cond, _some(then), _some(other))
        case n.Union(_, a, b):
            return n.Or(BOOL, (_some(a), _some(b)))
        case n.Fold(_, var, total, source, start, n.Union(_, n.Local(_, before), more)):
            if before is total and total not in maker.w.program.free(more):
                return n.Or(BOOL, (_some(start), n.Any(BOOL, var, source, _some(more))))
        case n.Select(_, var, source, body):
            return n.Any(BOOL, var, source, body)
        case n.Image(_, var, source, n.Expression(Optional()) as body):
            conds: tuple[n.Expr, ...] = ()
            match body:
                case n.If(_, cond, then, n.Const(_, None)):
                    conds, body = (cond,), then
            return n.Any(BOOL, var, source, n.And(BOOL, (*conds, n.Not(BOOL, n.IsNone(BOOL, body)))))
        case n.Image():
            return _some(e.source)
    raise GaveUp
