"""The minimum and maximum of two numbers."""

from __future__ import annotations

from typing import cast

from ...core import nodes as n
from ...core.types import BOOL, Int, Type, integers, scalar_of
from .folding import maybe_none, number


def extreme(a: n.Expr, b: n.Expr, least: bool) -> n.Expr:
    """The minimum or maximum of two numbers, with a computed range; none if either is none."""
    if isinstance(a, n.Const) and isinstance(b, n.Const):
        return number(min(a.value, b.value) if least else max(a.value, b.value))
    x, y = cast(Int, scalar_of(a.type)), cast(Int, scalar_of(b.type))
    choose = min if least else max
    of: Type = integers(choose(x.lo, y.lo), choose(x.hi, y.hi))
    first, second = n.Var("a", a.type), n.Var("b", b.type)
    one, two = n.Local(a.type, first), n.Local(b.type, second)
    smaller = n.If(of, n.AtMost(BOOL, one, two), one if least else two, two if least else one)
    if maybe_none(a.type) or maybe_none(b.type):
        of = of.with_none
        missing = n.Or(BOOL, (n.IsNone(BOOL, one), n.IsNone(BOOL, two)))
        smaller = n.If(
            of, missing, n.Const(of, None), n.If(of, smaller.cond, smaller.then, smaller.otherwise)
        )
    return n.Let(of, first, a, n.Let(of, second, b, smaller))
