"""Operators over the elements of a set or list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from rulespec.core import nodes as n
from rulespec.core.types import Int, Truth, Type, Value, scalar_of

from ..aig import FALSE, TRUE
from ..context import Env, Evaluator, Handler, Moment
from ..values import Symbol, SymbolicList, Union, cases_of, combine, constant, count_true, intern, mux, union
from .lists import append


def _for_all(m: Evaluator, e: n.All, env: Env, at: Moment) -> Symbol:
    lits = []
    for _, guard, body in m.bodies(e, env, at):
        lit = m.gates.either(-guard, body)
        if lit == FALSE:
            return FALSE
        lits.append(lit)
    return m.gates.all(lits)


def _exists(m: Evaluator, e: n.Any, env: Env, at: Moment) -> Symbol:
    lits = []
    for _, guard, body in m.bodies(e, env, at):
        lit = m.gates.both(guard, body)
        if lit == TRUE:
            return TRUE
        lits.append(lit)
    return m.gates.any(lits)


def _sum(m: Evaluator, e: n.Sum, env: Env, at: Moment) -> Symbol:
    total = constant(0)
    for term in terms(m, e, env, at):
        total = combine(m.gates, lambda v, w: v + w, total, term)
    return total


def terms(m: Evaluator, e: n.Sum, env: Env, at: Moment) -> list[Symbol]:
    """The terms of a sum; none and absent elements add 0."""
    result = []
    for _, guard, body in m.bodies(e, env, at):
        term = combine(m.gates, lambda v: 0 if v is None else v, body)
        if guard != TRUE:
            term = mux(m.gates, e.type, [(guard, term), (-guard, constant(0))])
        result.append(term)
    if m.gates.orderly:
        result.sort(key=lambda term: sorted(term.items()))
    return result


def _best(m: Evaluator, e: n.Best, env: Env, at: Moment) -> Symbol:
    reached: dict[Value, list[int]] = {}
    for _, guard, body in m.bodies(e, env, at):
        for value, lit in body.items():
            if value is not None:
                reached.setdefault(value, []).append(m.gates.both(guard, lit))
    result: list[tuple[Value, int]] = []
    open_ = TRUE
    for value in sorted(reached, reverse=e.most):
        here = m.gates.any(reached[value])
        result.append((value, m.gates.both(open_, here)))
        open_ = m.gates.both(open_, -here)
    return union(m.gates, [*result, (None, open_)])


def _first(m: Evaluator, e: n.First, env: Env, at: Moment) -> Symbol:
    result: list[tuple[Value, int]] = []
    of = cast(Any, e.source.type).of
    open_ = TRUE
    for element, guard, body in m.bodies(e, env, at):
        hit = m.gates.both(guard, body)
        here = m.gates.both(open_, hit)
        result += [(v, m.gates.both(here, lit)) for v, lit in cases_of(of, element)]
        open_ = m.gates.both(open_, -hit)
        if open_ == FALSE:
            break
    if isinstance(e.type, Truth):
        return m.gates.any(lit for v, lit in result if v)
    return union(m.gates, [*result, (None, open_)])


def _select(m: Evaluator, e: n.Select, env: Env, at: Moment) -> Symbol:
    of = cast(Any, e.source.type).of
    return set_of_values(m, ((of, x, m.gates.both(g, b)) for x, g, b in m.bodies(e, env, at)))


def _image(m: Evaluator, e: n.Image, env: Env, at: Moment) -> Symbol:
    return set_of_values(m, ((e.body.type, b, g) for _, g, b in m.bodies(e, env, at)))


def set_of_values(m: Evaluator, members: Iterator[tuple[Type | None, Symbol, int]]) -> Symbol:
    """A set of values, each given with its type and the condition that it is an element."""
    result: dict[Value, list[int]] = {}
    for of, symbol, guard in members:
        for value, lit in cases_of(of, symbol):
            here = m.gates.both(guard, lit)
            if value is not None and here != FALSE:
                result.setdefault(value, []).append(here)
    return intern(m.gates, {v: m.gates.any(lits) for v, lits in result.items()})


def _collect(m: Evaluator, e: n.Collect, env: Env, at: Moment) -> Symbol:
    row = SymbolicList((), constant(0))
    for _, guard, body in m.bodies(e, env, at):
        row = append(m, row, dict(cases_of(e.body.type, body)), guard)
    return row


def _fold(m: Evaluator, e: n.Fold, env: Env, at: Moment) -> Symbol:
    inner = dict(env)
    total = m(e.start, env, at)
    for element, guard in m.elements(e.source, env, at):
        inner[e.var], inner[e.total] = element, total
        total = mux(m.gates, e.type, [(guard, m(e.body, inner, at)), (-guard, total)])
    return total


# ---- saturating sums: numbers whose excess beyond a limit does not matter
#
# That a card is in one place and no other is asked of a sum over all places. Worked out in full, such a sum
# has a case for each number of places; asked only whether it is one, it has three, however many there are.


def adds_up(e: n.Expr) -> bool:
    """True if a number is a sum of nonnegative terms, so that a limit saves work."""
    if isinstance(e, n.Add):
        return _natural(e.a) and _natural(e.b)
    return isinstance(e, n.Size) or (isinstance(e, n.Sum) and _natural(e.body))


def _natural(e: n.Expr) -> bool:
    t = scalar_of(e.type)
    return isinstance(t, Int) and t.lo >= 0


def up_to(m: Evaluator, most: int, e: n.Expr, env: Env, at: Moment) -> Union:
    """The symbolic value of a number that `adds_up`; a value beyond `most` may become `most + 1`."""
    if isinstance(e, n.Add):
        return _saturating_sum(m, most, m.up_to(most, e.a, env, at), m.up_to(most, e.b, env, at))
    if isinstance(e, n.Size):
        of = m(e.item, env, at)
        size: Union = of.size if isinstance(of, SymbolicList) else count_true(m.gates, of.values(), most + 1)
        return size
    assert isinstance(e, n.Sum)
    total = constant(0)
    for term in terms(m, e, env, at):
        total = _saturating_sum(m, most, total, term)
    return total


def _saturating_sum(m: Evaluator, most: int, a: Union, b: Union) -> Union:
    both = m.gates.both
    cases = [(v, w, both(x, y)) for v, x in a.items() for w, y in b.items()]
    return union(m.gates, ((None if None in (v, w) else min(v + w, most + 1), lit) for v, w, lit in cases))


HANDLERS: dict[type[n.Expr], Handler] = {
    n.All: _for_all,
    n.Any: _exists,
    n.Sum: _sum,
    n.Best: _best,
    n.First: _first,
    n.Select: _select,
    n.Image: _image,
    n.Collect: _collect,
    n.Fold: _fold,
}
