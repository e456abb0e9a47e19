"""A heuristic distance from a state to a condition, computed from the failing parts of the condition.

0 exactly if the condition holds. Distances add up over a conjunction, also over the elements of `every`; a
disjunction has the minimum; numbers count by their difference, sets by the elements in only one of them; any
other failing condition counts 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, Int, List, Set, integers

MOST = integers(0, 1_000_000_000)
ANY = integers(-MOST.hi, MOST.hi)


def distance(e: n.Expr) -> n.Expr:
    """The distance of a state from a condition, as a number over the state."""
    match e:
        case n.And():
            return _sum(map(distance, e.items))
        case n.Or():
            return reduce(_lesser, map(distance, e.items))
        case n.All() if not isinstance(e.source.type, List):
            return n.Sum(MOST, e.var, e.source, distance(e.body))
        case n.Let():
            return n.Let(MOST, e.var, e.value, distance(e.body))
        case n.Call() if not e.function.params:
            return distance(e.function.body)
        case n.Equal(a=a, b=b) if isinstance(a.type, Set) and isinstance(b.type, Set):
            ways = (n.Difference(a.type, a, b), n.Difference(b.type, b, a))
            return _sum(n.Size(MOST, way) for way in ways)
        case n.Equal(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            return _sum([_excess(a, b, 0), _excess(b, a, 0)])
        case n.AtMost(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            return _excess(a, b, 0)
        case n.Less(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            return _excess(a, b, 1)
    return n.If(MOST, e, _number(0), _number(1))


def _excess(a: n.Expr, b: n.Expr, more: int) -> n.Expr:
    """The excess of `a + more` over `b`; 0 if there is none."""
    over = n.Add(ANY, n.Sub(ANY, a, b), _number(more))
    return _named_part(over, lambda x: n.If(MOST, n.AtMost(BOOL, x, _number(0)), _number(0), x))


def _lesser(a: n.Expr, b: n.Expr) -> n.Expr:
    return _named_part(a, lambda x: _named_part(b, lambda y: n.If(MOST, n.AtMost(BOOL, x, y), x, y)))


def _named_part(value: n.Expr, body: Callable[[n.Expr], n.Expr]) -> n.Expr:
    var = n.Var("so-far", value.type)
    return n.Let(MOST, var, value, body(n.Local(var.type, var)))


def _sum(items: Iterable[n.Expr]) -> n.Expr:
    return reduce(partial(n.Add, MOST), items)


def _number(value: int) -> n.Expr:
    return n.Const(integers(value, value), value)
