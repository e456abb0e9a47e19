"""Lists."""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.types import Optional, Truth, Value

from ..aig import FALSE, TRUE
from ..context import Env, Evaluator, Handler, Moment
from ..values import (
    Symbol,
    SymbolicList,
    Union,
    cases_of,
    combine,
    constant,
    mux,
    shared_row,
    union,
    value_of,
)


def _list_of(m: Evaluator, e: n.ListOf, env: Env, at: Moment) -> Symbol:
    row = SymbolicList((), constant(0))
    for item in e.items:
        row = append(m, row, dict(cases_of(item.type, m(item, env, at))), TRUE)
    return row


def append(m: Evaluator, row: SymbolicList, item: Union, guard: int) -> SymbolicList:
    """The list with an item added on top if a condition holds and the item is not none."""
    here = m.gates.both(guard, -item.get(None, FALSE))
    if here == FALSE:
        return row
    some = {v: lit for v, lit in item.items() if v is not None}
    size = value_of(row.size)
    if size is not None:
        items: list[Union] = [*row.items[: size[0]], some]
    else:
        items = []
        for i in range(max(row.size, default=0) + 1):
            top = row.size.get(i, FALSE)
            if i >= len(row.items):
                items.append(some)
            else:
                old = row.items[i]
                items.append(
                    old if top == FALSE else mux(m.gates, Optional(None), [(top, some), (-top, old)])
                )
    grown = {s + 1: lit for s, lit in row.size.items()}
    return shared_row(m.gates, items, mux(m.gates, Optional(None), [(here, grown), (-here, row.size)]))


def _item(m: Evaluator, e: n.Item, env: Env, at: Moment) -> Symbol:
    row, position = m(e.list, env, at), m(e.position, env, at)
    longer = row.longer(m.gates)
    result: list[tuple[Value, int]] = []
    for p, g in position.items():
        inside = p is not None and 1 <= p <= len(row.items)
        if not inside:
            result.append((e.type.nothing, g))
            continue
        there = m.gates.both(g, longer[p - 1])
        result.append((e.type.nothing, m.gates.both(g, -longer[p - 1])))
        result += [(v, m.gates.both(there, lit)) for v, lit in row.items[p - 1].items()]
    if isinstance(e.type, Truth):
        return m.gates.any(lit for v, lit in result if v)
    return union(m.gates, result)


def _clip(m: Evaluator, counts: Union, least: int, most: int, missing: int) -> Union:
    return combine(m.gates, lambda v: missing if v is None else max(least, min(v, most)), counts)


def _slice(m: Evaluator, e: n.Slice, env: Env, at: Moment) -> Symbol:
    row = m(e.list, env, at)
    cap = len(row.items)
    firsts = m(e.first, env, at)
    first = _clip(m, firsts, 1, cap + 1, cap + 1)
    last = _clip(m, m(e.last, env, at), 0, cap, 0)
    end = combine(m.gates, min, row.size, last)
    size = combine(m.gates, lambda v, f: max(0, v - f + 1), end, first)
    most = max(size, default=0)
    return _items_from(m, row, [(f - 1, g) for f, g in first.items()], size, most)


def _items_from(
    m: Evaluator, row: SymbolicList, starts: list[tuple[int, int]], size: Union, most: int
) -> SymbolicList:
    """The items of a list from a start on, which is one of several."""
    items = []
    for i in range(most):
        here = [(g, row.items[start + i]) for start, g in starts if start + i < len(row.items)]
        items.append(mux(m.gates, Optional(None), here) if here else constant(None))
    return shared_row(m.gates, items, size)


def _top(m: Evaluator, e: n.Top, env: Env, at: Moment) -> Symbol:
    row = m(e.list, env, at)
    count = _clip(m, m(e.count, env, at), 0, len(row.items), 0)
    result: dict[tuple[int, int], int] = {}
    for s, x in row.size.items():
        for c, y in count.items():
            both = m.gates.both(x, y)
            if both != FALSE:
                result[s, min(s, c)] = m.gates.either(result.get((s, min(s, c)), FALSE), both)
    size = union(m.gates, ((k, g) for (_, k), g in result.items()))

    def moved() -> list[Symbol]:
        places = range(max(size, default=0))
        cases = [[(g, row.items[s - k + i]) for (s, k), g in result.items() if i < k] for i in places]
        return [mux(m.gates, Optional(None), here) for here in cases]

    if len(result) == 1:
        return shared_row(m.gates, moved(), size)
    within = [m.gates.any(g for (s, k), g in result.items() if s - k <= i < s) for i in range(len(row.items))]
    return SymbolicList(moved, size, [x for x in zip(row.items, within, strict=True) if x[1] != FALSE])


def _rest(m: Evaluator, e: n.Rest, env: Env, at: Moment) -> Symbol:
    row = m(e.list, env, at)
    count = _clip(m, m(e.count, env, at), 0, len(row.items), 0)
    return shared_row(m.gates, row.items, combine(m.gates, lambda s, c: max(0, s - c), row.size, count))


def _concat(m: Evaluator, e: n.Concat, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    size = combine(m.gates, lambda v, w: v + w, a.size, b.size)
    items = []
    for i in range(max(size, default=0)):
        here: list[tuple[int, Symbol]] = []
        for s, g in a.size.items():
            if i < s:
                here.append((g, a.items[i]))
            elif i - s < len(b.items):
                here.append((g, b.items[i - s]))
        items.append(mux(m.gates, Optional(None), here) if here else constant(None))
    return shared_row(m.gates, items, size)


HANDLERS: dict[type[n.Expr], Handler] = {
    n.ListOf: _list_of,
    n.Item: _item,
    n.Slice: _slice,
    n.Top: _top,
    n.Rest: _rest,
    n.Concat: _concat,
}
