"""Saturating sums: numbers whose excess beyond a limit does not matter.

That a card is in one place and no other is asked of a sum over all places. Worked out in full, such a sum has
a case for each number of places; asked only whether it is one, it has three, however many places there are.
"""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.types import Int, scalar_of

from ..context import Env, Evaluator, Moment
from ..values import SymbolicList, Union, constant, count_true, union
from .finite import terms


def adds_up(e: n.Expr) -> bool:
    """True if a number comes of adding what is never negative, so that a limit spares work."""
    if isinstance(e, n.Add):
        return _natural(e.a) and _natural(e.b)
    return isinstance(e, n.Size) or (isinstance(e, n.Sum) and _natural(e.body))


def _natural(e: n.Expr) -> bool:
    t = scalar_of(e.type)
    return isinstance(t, Int) and t.lo >= 0


def up_to(m: Evaluator, most: int, e: n.Expr, env: Env, at: Moment) -> Union:
    """The symbolic value of a number that `adds_up`; beyond `most` it may be told as `most + 1`."""
    if isinstance(e, n.Add):
        return _added(m, most, m.up_to(most, e.a, env, at), m.up_to(most, e.b, env, at))
    if isinstance(e, n.Size):
        of = m(e.item, env, at)
        size: Union = of.size if isinstance(of, SymbolicList) else count_true(m.gates, of.values(), most + 1)
        return size
    assert isinstance(e, n.Sum)
    total = constant(0)
    for term in terms(m, e, env, at):
        total = _added(m, most, total, term)
    return total


def _added(m: Evaluator, most: int, a: Union, b: Union) -> Union:
    both = m.gates.both
    cases = [(v, w, both(x, y)) for v, x in a.items() for w, y in b.items()]
    return union(m.gates, ((None if None in (v, w) else min(v + w, most + 1), lit) for v, w, lit in cases))
