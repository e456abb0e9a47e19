"""Constants and names, logic, order, numbers, records, optional values."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.core import nodes as n
from rulespec.core.types import Int, Optional, Truth, Value

from ..aig import FALSE, TRUE, TooWide
from ..context import Env, Evaluator, Handler, Moment, force
from ..values import Symbol, cases_of, combine, is_none, lift, mux, same, union

MOST_COMBINATIONS = 16_384
"""Maximum number of combinations of the cases of a record's fields."""


def _const(m: Evaluator, e: n.Const, env: Env, at: Moment) -> Symbol:
    return lift(e.type, e.value)


def _domain(m: Evaluator, e: n.Domain, env: Env, at: Moment) -> Symbol:
    return dict.fromkeys(e.of.values, TRUE)


def _local(m: Evaluator, e: n.Local, env: Env, at: Moment) -> Symbol:
    return force(env, e.var)


def _get(m: Evaluator, e: n.Get, env: Env, at: Moment) -> Symbol:
    return at.state[e.var]


def _not(m: Evaluator, e: n.Not, env: Env, at: Moment) -> Symbol:
    return -m(e.item, env, at)


def _and(m: Evaluator, e: n.And, env: Env, at: Moment) -> Symbol:
    lits = []
    for item in e.items:
        lit = m(item, env, at)
        if lit == FALSE:
            return FALSE
        lits.append(lit)
    return m.gates.all(lits)


def _or(m: Evaluator, e: n.Or, env: Env, at: Moment) -> Symbol:
    lits = []
    for item in e.items:
        lit = m(item, env, at)
        if lit == TRUE:
            return TRUE
        lits.append(lit)
    return m.gates.any(lits)


def _if(m: Evaluator, e: n.If, env: Env, at: Moment) -> Symbol:
    cond = m(e.cond, env, at)
    if cond == TRUE:
        return m(e.then, env, at)
    if cond == FALSE:
        return m(e.otherwise, env, at)
    return mux(m.gates, e.type, [(cond, m(e.then, env, at)), (-cond, m(e.otherwise, env, at))])


def _let(m: Evaluator, e: n.Let, env: Env, at: Moment) -> Symbol:
    return m(e.body, {**env, e.var: m(e.value, env, at)}, at)


def _sides(m: Evaluator, e: n.Equal | n.Less | n.AtMost, env: Env, at: Moment) -> tuple[Symbol, Symbol]:
    """Both sides of a comparison; a side that can far exceed the other is counted only as far as matters."""
    a, b = e.a.type, e.b.type
    if isinstance(a, Int) and isinstance(b, Int) and a.lo >= 0 and b.lo >= 0:
        if a.hi > b.hi + 1:
            return m.up_to(b.hi, e.a, env, at), m(e.b, env, at)
        if b.hi > a.hi + 1:
            return m(e.a, env, at), m.up_to(a.hi, e.b, env, at)
    return m(e.a, env, at), m(e.b, env, at)


def _equal(m: Evaluator, e: n.Equal, env: Env, at: Moment) -> Symbol:
    t = e.b.type if e.a.type == Optional(None) else e.a.type
    return same(m.gates, t, *_sides(m, e, env, at))


def _comparison(holds: Callable[[Value, Value], bool]) -> Handler:
    """The handler of a comparison of numbers, false if one of them is none."""

    def handler(m: Evaluator, e: n.Less, env: Env, at: Moment) -> Symbol:
        a, b = _sides(m, e, env, at)
        pairs = [(x, y, None not in (v, w) and holds(v, w)) for v, x in a.items() for w, y in b.items()]
        if all(held for _, _, held in pairs):
            return TRUE
        return m.gates.any(m.gates.both(x, y) for x, y, held in pairs if held)

    return handler


def _strict(operation: Callable[[int, int], int | None]) -> Handler:
    """The handler of an operation on numbers that gives none if one of them is none."""

    def lifted(v: int | None, w: int | None) -> int | None:
        return None if v is None or w is None else operation(v, w)

    def handler(m: Evaluator, e: n.Add, env: Env, at: Moment) -> Symbol:
        return combine(m.gates, lifted, m(e.a, env, at), m(e.b, env, at))

    return handler


def _divide(a: int, b: int) -> int | None:
    return a // b if b else None


def _modulo(a: int, b: int) -> int | None:
    return a % b if b else None


def _make(m: Evaluator, e: n.Make, env: Env, at: Moment) -> Symbol:
    result: list[tuple[tuple[Value, ...], int]] = [((), TRUE)]
    for field in e.fields:
        cases = list(cases_of(field.type, m(field, env, at)))
        result = [((*v, w), m.gates.both(x, y)) for v, x in result for w, y in cases]
        if len(result) > MOST_COMBINATIONS:
            raise TooWide(f"a record of {len(result):,} cases")
    return union(m.gates, ((v if v in e.of else None, lit) for v, lit in result))


def _field(m: Evaluator, e: n.Field, env: Env, at: Moment) -> Symbol:
    item = m(e.item, env, at)
    if isinstance(e.type, Truth):
        return m.gates.any(lit for v, lit in item.items() if v is not None and v[e.position])
    return combine(m.gates, lambda v: None if v is None else v[e.position], item)


def _is_none(m: Evaluator, e: n.IsNone, env: Env, at: Moment) -> Symbol:
    return is_none(m(e.item, env, at))


def _otherwise(m: Evaluator, e: n.Otherwise, env: Env, at: Moment) -> Symbol:
    a = m(e.a, env, at)
    missing = a.get(None, FALSE)
    if missing == FALSE:
        return a
    b = m(e.b, env, at)
    rest = [(v, lit) for v, lit in a.items() if v is not None]
    return union(m.gates, [*rest, *((v, m.gates.both(missing, lit)) for v, lit in b.items())])


def _narrow(m: Evaluator, e: n.Narrow, env: Env, at: Moment) -> Symbol:
    return combine(m.gates, lambda v: v if v is not None and v in e.into else None, m(e.item, env, at))


HANDLERS: dict[type[n.Expr], Handler] = {
    n.Const: _const,
    n.Domain: _domain,
    n.Local: _local,
    n.Get: _get,
    n.Not: _not,
    n.And: _and,
    n.Or: _or,
    n.If: _if,
    n.Let: _let,
    n.Equal: _equal,
    n.Less: _comparison(lambda v, w: v < w),
    n.AtMost: _comparison(lambda v, w: v <= w),
    n.Add: _strict(lambda v, w: v + w),
    n.Sub: _strict(lambda v, w: v - w),
    n.Mul: _strict(lambda v, w: v * w),
    n.Div: _strict(_divide),
    n.Mod: _strict(_modulo),
    n.Make: _make,
    n.Field: _field,
    n.IsNone: _is_none,
    n.Otherwise: _otherwise,
    n.Narrow: _narrow,
}
