"""Maps and sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.types import List, Map, Type, Value

from ..aig import FALSE, TRUE
from ..context import Env, Evaluator, Handler, Moment
from ..values import Symbol, SymbolicList, cases_of, count_true, element, intern, is_member, mux, nothing
from .finite import set_of_values


def _tabulate(m: Evaluator, e: n.Tabulate, env: Env, at: Moment) -> Symbol:
    return {key: m(e.body, {**env, e.var: element(e.keys, key)}, at) for key in e.keys.values}


def _read(m: Evaluator, e: n.Read, env: Env, at: Moment) -> Symbol:
    return _read_for(m, e, env, at, e.type, lambda value: value)


def _read_for(
    m: Evaluator, e: n.Read, env: Env, at: Moment, t: Type, use: Callable[[Symbol], Symbol]
) -> Symbol:
    """The result of `use` for a map's value at a symbolic key, merged over all keys."""
    key, keys = m(e.key, env, at), cast(Map, e.map.type).keys
    cases = list(cases_of(keys, key))
    absent = nothing(e.type)
    if len(cases) == 1:
        value = cases[0][0]
        return use(m(e.map, env, at)[value] if value is not None and value in keys else absent)
    table = m(e.map, env, at)
    return mux(m.gates, t, [(g, use(table[v] if v is not None and v in keys else absent)) for v, g in cases])


def _set_of(m: Evaluator, e: n.SetOf, env: Env, at: Moment) -> Symbol:
    return set_of_values(m, ((item.type, m(item, env, at), TRUE) for item in e.items))


def _member(m: Evaluator, e: n.Member, env: Env, at: Moment) -> Symbol:
    cases = [(v, lit) for v, lit in cases_of(e.item.type, m(e.item, env, at)) if v is not None]
    if type(e.of) is n.Domain:
        return m.gates.any(lit for v, lit in cases if v in e.of.of)
    return is_member(m.gates, cases, m(e.of, env, at))


def _union(m: Evaluator, e: n.Union, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    return intern(m.gates, {v: m.gates.either(a.get(v, FALSE), b.get(v, FALSE)) for v in {**a, **b}})


def _intersection(m: Evaluator, e: n.Intersection, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    return without_false(m, {v: m.gates.both(lit, b[v]) for v, lit in a.items() if v in b})


def _difference(m: Evaluator, e: n.Difference, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    return without_false(m, {v: m.gates.both(lit, -b.get(v, FALSE)) for v, lit in a.items()})


def without_false(m: Evaluator, found: dict[Value, int]) -> dict[Value, int]:
    """A set without the elements that are certainly not in it."""
    return intern(m.gates, {v: lit for v, lit in found.items() if lit != FALSE})


def _size(m: Evaluator, e: n.Size, env: Env, at: Moment) -> Symbol:
    def size(of: Symbol) -> Symbol:
        return of.size if isinstance(of, SymbolicList) else count_true(m.gates, of.values())

    # Of lists at a key that is not known the sizes are enough.
    if type(e.item) is n.Read and isinstance(e.item.type, List):
        return _read_for(m, e.item, env, at, e.type, size)
    return size(m(e.item, env, at))


HANDLERS: dict[type[n.Expr], Handler] = {
    n.Tabulate: _tabulate,
    n.Read: _read,
    n.SetOf: _set_of,
    n.Member: _member,
    n.Union: _union,
    n.Intersection: _intersection,
    n.Difference: _difference,
    n.Size: _size,
}
