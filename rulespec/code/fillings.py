"""Tests for empty sets, for all lanes at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ..core import nodes as n
from ..core.evaluate import in_order
from ..core.types import BOOL, Optional, Set, integers
from .lookups import GaveUp, Words
from .vals import Env, Known

if TYPE_CHECKING:
    from .lanes import Maker

NUMBER = integers(0, 0)
MOST_UNROLLED = 24
"""A quantifier over more elements than this is not written out within words."""


def filled(maker: Maker, e: n.Expr, env: Env) -> Words:
    """Where a set is not empty."""
    if not isinstance(e.type, Set):
        raise GaveUp
    if not maker.varies(e, env):
        return maker.mask(n.Not(BOOL, n.Equal(BOOL, n.Size(NUMBER, e), n.Const(NUMBER, 0))), env)
    fixed = maker.fixed(e, env)
    if fixed is not None:
        return maker.known(x for x, held in zip(maker.of.values, fixed, strict=True) if held)
    handler = _FILLED.get(type(e))
    if handler is None:
        raise GaveUp
    return handler(maker, e, env)


def _filled_if(maker: Maker, e: n.If, env: Env) -> Words:
    cond = maker.named(maker.mask(e.cond, env))
    first = maker.both(cond, filled(maker, e.then, env))
    return maker.either(first, maker.both(maker.inverted(cond), filled(maker, e.otherwise, env)))


def _filled_fold(maker: Maker, e: n.Fold, env: Env) -> Words:
    """A union over known elements."""
    source = maker.w.known(e.source, env)
    if source is None or not isinstance(e.body, n.Union) or len(source.value) > MOST_UNROLLED:
        raise GaveUp
    if not isinstance(e.body.a, n.Local) or e.body.a.var is not e.total:
        raise GaveUp
    if e.total in maker.w.program.free(e.body.b):
        raise GaveUp
    parts = [filled(maker, e.body.b, {**env, e.var: Known(v)}) for v in in_order(e.source.type, source.value)]
    return maker.either(filled(maker, e.start, env), *parts)


def _filled_image(maker: Maker, e: n.Image, env: Env) -> Words:
    if isinstance(e.body.type, Optional):
        body: n.Expr = e.body
        conds: list[n.Expr] = []
        if isinstance(body, n.If) and _is_nothing(body.otherwise):
            conds.append(body.cond)
            body = body.then
        there = n.And(BOOL, (*conds, n.Not(BOOL, n.IsNone(BOOL, body))))
        return maker.quantified(n.Any(BOOL, e.var, e.source, there), env)
    return filled(maker, e.source, env)


def _filled_select(maker: Maker, e: n.Select, env: Env) -> Words:
    return maker.quantified(n.Any(BOOL, e.var, e.source, e.body), env)


def _filled_union(maker: Maker, e: n.Union, env: Env) -> Words:
    return maker.either(filled(maker, e.a, env), filled(maker, e.b, env))


def _filled_let(maker: Maker, e: n.Let, env: Env) -> Words:
    return maker.within(e, env, partial(filled, maker))


def _filled_call(maker: Maker, e: n.Call, env: Env) -> Words:
    return maker.called(e, env, partial(filled, maker))


def _is_nothing(e: n.Expr) -> bool:
    return isinstance(e, n.Const) and e.value is None


_FILLED: dict[type[n.Expr], Callable[..., Words]] = {
    n.If: _filled_if,
    n.Let: _filled_let,
    n.Call: _filled_call,
    n.Fold: _filled_fold,
    n.Image: _filled_image,
    n.Select: _filled_select,
    n.Union: _filled_union,
}
