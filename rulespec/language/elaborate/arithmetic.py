"""Arithmetic, the set and list operations with the same signs, and `otherwise`."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ...core import nodes as n
from ...core.types import NONE, Int, List, Optional, Set, Type, integers, join, join_scalars, scalar_of
from ..syntax.parser import Syntax
from .expressions import expression, makes, pair, whole_number
from .folding import fold, number
from .world import Frame, phrase

OPERATORS: dict[str, Callable[[Type, n.Expr, n.Expr], n.Expr]] = {
    "+": n.Add, "-": n.Sub, "*": n.Mul, "div": n.Div, "mod": n.Mod,
}  # fmt: skip
"""The operator of each sign of arithmetic."""


@makes("arith")
def _arithmetic(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    left, sign, right = tree.children
    a = expression(frame, cast(Syntax, left), wanted if isinstance(wanted, Set | List) else None)
    b = expression(frame, cast(Syntax, right), a.type if isinstance(a.type, Set | List) else None)
    if isinstance(a.type, Set) and isinstance(b.type, Set) and sign in ("+", "-", "&"):
        return _sets(frame, tree, str(sign), a, b)
    if isinstance(a.type, List) and isinstance(b.type, List) and sign == "+":
        of = join_scalars(a.type.of, b.type.of)
        if of is None and (a.type.of or b.type.of):
            frame.fail("type.compare", f"{phrase(a.type)} and {phrase(b.type)} do not mix", tree)
        return n.Concat(List(of, a.type.cap + b.type.cap), a, b)
    for item, part in ((a, left), (b, right)):
        if not isinstance(scalar_of(item.type), Int) or sign == "&":
            works = "sets; of conditions write `and`" if sign == "&" else "numbers"
            message = f"`{sign}` works on {works}; this is {phrase(item.type)}"
            frame.fail("type.number", message, cast(Syntax, part))
    return arithmetic(str(sign), a, b)


def arithmetic(sign: str, a: n.Expr, b: n.Expr) -> n.Expr:
    """The result of arithmetic on two numbers, with a computed range; none if either is none."""
    x, y = cast(Int, scalar_of(a.type)), cast(Int, scalar_of(b.type))
    optional = isinstance(a.type, Optional) or isinstance(b.type, Optional)
    if sign in ("div", "mod"):
        optional = optional or 0 in y
        divisors = [d for d in (y.lo, y.hi, -1, 1) if d and y.lo <= d <= y.hi]
        if not divisors:
            return n.Const(NONE, None)
        if sign == "div":
            found = [v // d for v in (x.lo, x.hi) for d in divisors]
        elif x.lo >= 0 and y.lo > 0 and x.hi < y.lo:
            found = [x.lo, x.hi]
        else:
            found = [min(0, y.lo + 1), max(0, y.hi - 1)]
    else:
        operation: Callable[[int, int], int] = {
            "+": lambda v, w: v + w,
            "-": lambda v, w: v - w,
            "*": lambda v, w: v * w,
        }[sign]
        found = [operation(v, w) for v in (x.lo, x.hi) for w in (y.lo, y.hi)]
    of = integers(min(found), max(found))
    return fold(OPERATORS[sign](Optional(of) if optional else of, a, b))


def _sets(frame: Frame, tree: Syntax, sign: str, a: n.Expr, b: n.Expr) -> n.Expr:
    left, right = cast(Set, a.type).of, cast(Set, b.type).of
    if left is not None and right is not None and left.family != right.family:
        frame.fail("type.compare", f"{phrase(a.type)} and {phrase(b.type)} do not mix", tree)
    if sign == "+":
        return n.Union(Set(join_scalars(left, right)), a, b)
    if sign == "-":
        return n.Difference(Set(left), a, b)
    smaller = left if left is None or right is None or left.within(right) else right
    return n.Intersection(Set(smaller), a, b)


@makes("negate")
def _negate(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return arithmetic("-", number(0), whole_number(frame, cast(Syntax, tree.children[0])))


@makes("otherwise_")
def _otherwise(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    a, b = pair(frame, *(cast(Syntax, c) for c in tree.children))
    if not isinstance(a.type, Optional):
        return a
    if a.type.of is None:
        return b
    both = join(a.type.of, b.type)
    if both is None:
        frame.fail("type.branches", f"{phrase(a.type)} otherwise {phrase(b.type)} has no type", tree)
    return n.Otherwise(both, a, b)
