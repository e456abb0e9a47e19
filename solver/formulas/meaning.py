"""The symbolic meaning of expressions: one handler for each operator, in a table.

A handler gets the node, the local environment (symbolic values), and the moment: the symbolic state
and the gates. Costly nodes are remembered by what they depend on, so an expression that does not
ask for what differs between two cases is built once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, cast

from rulespec.core import nodes as n
from rulespec.core.evaluate import Context, call
from rulespec.core.types import Map, Optional, Scalar, Truth, Type, Value

from .facts import Facts
from .gates import FALSE, TRUE, Gates
from .values import (
    Row,
    Symbol,
    TooWide,
    Union,
    combine,
    known,
    lift,
    mux,
    nothing,
    same,
    shared,
    shared_row,
    union,
    value_of,
)

Env = dict[n.Var, Symbol]
Handler = Callable[..., Symbol]

MOST_ARGUMENTS = 4096
"""Up to how many combinations of arguments a static definition is looked up case by case."""


class Lazy:
    """A value that is worked out when somebody asks for it."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Symbol]) -> None:
        self._make: Callable[[], Symbol] | None = make
        self._made: Symbol = None

    def get(self) -> Symbol:
        """The value."""
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made


class Moment:
    """A symbolic state, and who answers `can` in it."""

    __slots__ = ("can", "state")

    def __init__(self, state: dict[n.StateVar, Symbol], can: Callable[..., int] | None = None) -> None:
        self.state = state
        self.can = can


class Meaning:
    """Evaluates expressions of one game into one set of gates."""

    def __init__(self, gates: Gates, facts: Facts) -> None:
        self.gates, self.facts = gates, facts
        self._memory: dict[Any, tuple[Symbol, Any]] = {}

    def __call__(self, e: n.Expr, env: Env, at: Moment) -> Symbol:
        """The symbolic value of an expression."""
        kind = type(e)
        if kind not in REMEMBERED:
            return HANDLERS[kind](self, e, env, at)
        held = [_forced(env, v) for v in self.facts.free(e)]
        read = [at.state[s] for s in self.facts.reads(e)]
        key = (
            e,
            *(x if type(x) is int else id(x) for x in held),
            *(x if type(x) is int else -id(x) for x in read),
        )
        found = self._memory.get(key)
        if found is None:
            found = self._memory[key] = (HANDLERS[kind](self, e, env, at), (held, read))
        return found[0]

    def elements(self, e: n.Expr, env: Env, at: Moment) -> Iterator[tuple[Symbol, int]]:
        """The elements of a set or list, each with the condition under which it is one."""
        if type(e) is n.Domain:
            for value in e.of.values:
                yield _element(e.of, value), TRUE
            return
        source = self(e, env, at)
        if isinstance(source, Row):
            yield from zip(source.items, source.longer(self.gates), strict=True)
        else:
            of = cast(Any, e.type).of
            for value in sorted(source):
                yield _element(of, value), source[value]

    def bodies(self, e: n.All, env: Env, at: Moment) -> Iterator[tuple[Symbol, int, Symbol]]:
        """Elements, their conditions, and the body's value for each."""
        inner = dict(env)
        for element, guard in self.elements(e.source, env, at):
            if guard != FALSE:
                inner[e.var] = element
                yield element, guard, self(e.body, inner, at)


def _element(of: Scalar, value: Value) -> Symbol:
    return (TRUE if value else FALSE) if isinstance(of, Truth) else known(value)


def _forced(env: Env, var: n.Var) -> Symbol:
    value = env[var]
    return value.get() if type(value) is Lazy else value


def cases_of(t: Type | None, symbol: Symbol) -> Iterator[tuple[Value, int]]:
    """The values a scalar may have, each with its condition."""
    if isinstance(t, Truth):
        if symbol != FALSE:
            yield True, symbol
        if symbol != TRUE:
            yield False, -symbol
    else:
        yield from symbol.items()


# ---- values, logic, order


def _const(m: Meaning, e: n.Const, env: Env, at: Moment) -> Symbol:
    return lift(e.type, e.value)


def _domain(m: Meaning, e: n.Domain, env: Env, at: Moment) -> Symbol:
    return dict.fromkeys(e.of.values, TRUE)


def _local(m: Meaning, e: n.Local, env: Env, at: Moment) -> Symbol:
    return _forced(env, e.var)


def _get(m: Meaning, e: n.Get, env: Env, at: Moment) -> Symbol:
    return at.state[e.var]


def _not(m: Meaning, e: n.Not, env: Env, at: Moment) -> Symbol:
    return -m(e.item, env, at)


def _and(m: Meaning, e: n.And, env: Env, at: Moment) -> Symbol:
    lits = []
    for item in e.items:
        lit = m(item, env, at)
        if lit == FALSE:
            return FALSE
        lits.append(lit)
    return m.gates.all(lits)


def _or(m: Meaning, e: n.Or, env: Env, at: Moment) -> Symbol:
    lits = []
    for item in e.items:
        lit = m(item, env, at)
        if lit == TRUE:
            return TRUE
        lits.append(lit)
    return m.gates.any(lits)


def _if(m: Meaning, e: n.If, env: Env, at: Moment) -> Symbol:
    cond = m(e.cond, env, at)
    if cond == TRUE:
        return m(e.then, env, at)
    if cond == FALSE:
        return m(e.otherwise, env, at)
    return mux(m.gates, e.type, [(cond, m(e.then, env, at)), (-cond, m(e.otherwise, env, at))])


def _let(m: Meaning, e: n.Let, env: Env, at: Moment) -> Symbol:
    return m(e.body, {**env, e.var: m(e.value, env, at)}, at)


def _equal(m: Meaning, e: n.Equal, env: Env, at: Moment) -> Symbol:
    t = e.b.type if e.a.type == Optional(None) else e.a.type
    return same(m.gates, t, m(e.a, env, at), m(e.b, env, at))


def _ordered(holds: Callable[[Value, Value], bool]) -> Handler:
    def handler(m: Meaning, e: n.Less, env: Env, at: Moment) -> Symbol:
        a, b = m(e.a, env, at), m(e.b, env, at)
        both = m.gates.both
        return m.gates.any(
            both(x, y)
            for v, x in a.items()
            if v is not None
            for w, y in b.items()
            if w is not None and holds(v, w)
        )

    return handler


def _strict(operation: Callable[[int, int], int | None]) -> Handler:
    def lifted(v: int | None, w: int | None) -> int | None:
        return None if v is None or w is None else operation(v, w)

    def handler(m: Meaning, e: n.Add, env: Env, at: Moment) -> Symbol:
        return combine(m.gates, lifted, m(e.a, env, at), m(e.b, env, at))

    return handler


# ---- records, optional values


def _make(m: Meaning, e: n.Make, env: Env, at: Moment) -> Symbol:
    found: list[tuple[tuple[Value, ...], int]] = [((), TRUE)]
    for field in e.fields:
        cases = list(cases_of(field.type, m(field, env, at)))
        found = [((*v, w), m.gates.both(x, y)) for v, x in found for w, y in cases]
        if len(found) > MOST_ARGUMENTS * 4:
            raise TooWide(f"a record of {len(found):,} cases")
    return union(m.gates, ((v if v in e.of else None, lit) for v, lit in found))


def _field(m: Meaning, e: n.Field, env: Env, at: Moment) -> Symbol:
    item = m(e.item, env, at)
    if isinstance(e.type, Truth):
        return m.gates.any(lit for v, lit in item.items() if v is not None and v[e.position])
    return combine(m.gates, lambda v: None if v is None else v[e.position], item)


def _is_none(m: Meaning, e: n.IsNone, env: Env, at: Moment) -> Symbol:
    item = m(e.item, env, at)
    return item.get(None, FALSE) if isinstance(item, dict) else FALSE


def _otherwise(m: Meaning, e: n.Otherwise, env: Env, at: Moment) -> Symbol:
    a = m(e.a, env, at)
    missing = a.get(None, FALSE)
    if missing == FALSE:
        return a
    b = m(e.b, env, at)
    rest = [(v, lit) for v, lit in a.items() if v is not None]
    return union(m.gates, [*rest, *((v, m.gates.both(missing, lit)) for v, lit in b.items())])


def _narrow(m: Meaning, e: n.Narrow, env: Env, at: Moment) -> Symbol:
    return combine(m.gates, lambda v: v if v is not None and v in e.into else None, m(e.item, env, at))


# ---- maps and sets


def _tabulate(m: Meaning, e: n.Tabulate, env: Env, at: Moment) -> Symbol:
    return {key: m(e.body, {**env, e.var: _element(e.keys, key)}, at) for key in e.keys.values}


def _read(m: Meaning, e: n.Read, env: Env, at: Moment) -> Symbol:
    key, keys = m(e.key, env, at), cast(Map, e.map.type).keys
    cases = list(cases_of(keys, key))
    if len(cases) == 1:
        value = cases[0][0]
        return m(e.map, env, at)[value] if value is not None and value in keys else nothing(e.type)
    table = m(e.map, env, at)
    missing = nothing(e.type)
    return mux(m.gates, e.type, [(g, table[v] if v is not None and v in keys else missing) for v, g in cases])


def _set_of(m: Meaning, e: n.SetOf, env: Env, at: Moment) -> Symbol:
    found: dict[Value, list[int]] = {}
    for item in e.items:
        for value, lit in cases_of(item.type, m(item, env, at)):
            if value is not None and lit != FALSE:
                found.setdefault(value, []).append(lit)
    return shared(m.gates, {v: m.gates.any(lits) for v, lits in found.items()})


def _member(m: Meaning, e: n.Member, env: Env, at: Moment) -> Symbol:
    cases = [(v, lit) for v, lit in cases_of(e.item.type, m(e.item, env, at)) if v is not None]
    both = m.gates.both
    if type(e.of) is n.Domain:
        return m.gates.any(lit for v, lit in cases if v in e.of.of)
    of = m(e.of, env, at)
    if isinstance(of, Row):
        longer = of.longer(m.gates)
        hits = (
            both(longer[i], both(lit, x.get(v, FALSE))) for i, x in enumerate(of.items) for v, lit in cases
        )
        return m.gates.any(hits)
    return m.gates.any(both(lit, of[v]) for v, lit in cases if v in of)


def _union(m: Meaning, e: n.Union, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    return shared(m.gates, {v: m.gates.either(a.get(v, FALSE), b.get(v, FALSE)) for v in {**a, **b}})


def _intersection(m: Meaning, e: n.Intersection, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    return _without_false(m, {v: m.gates.both(lit, b[v]) for v, lit in a.items() if v in b})


def _difference(m: Meaning, e: n.Difference, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    return _without_false(m, {v: m.gates.both(lit, -b.get(v, FALSE)) for v, lit in a.items()})


def _without_false(m: Meaning, found: dict[Value, int]) -> dict[Value, int]:
    return shared(m.gates, {v: lit for v, lit in found.items() if lit != FALSE})


# ---- lists


def _list_of(m: Meaning, e: n.ListOf, env: Env, at: Moment) -> Symbol:
    row = Row((), known(0))
    for item in e.items:
        row = _appended(m, row, dict(cases_of(item.type, m(item, env, at))), TRUE)
    return row


def _appended(m: Meaning, row: Row, item: Union, guard: int) -> Row:
    """The list with an item on top where the condition holds and the item is not none."""
    here = m.gates.both(guard, -item.get(None, FALSE))
    if here == FALSE:
        return row
    some = {v: lit for v, lit in item.items() if v is not None}
    size = value_of(row.size)
    if size is not None:
        items: list[Union] = [*row.items[: size[0]], some]
    else:
        items = []
        for i in range(max(row.size) + 1):
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


def _item(m: Meaning, e: n.Item, env: Env, at: Moment) -> Symbol:
    row, position = m(e.list, env, at), m(e.position, env, at)
    longer = row.longer(m.gates)
    found: list[tuple[Value, int]] = []
    for p, g in position.items():
        inside = p is not None and 1 <= p <= len(row.items)
        if not inside:
            found.append((e.type.nothing, g))
            continue
        there = m.gates.both(g, longer[p - 1])
        found.append((e.type.nothing, m.gates.both(g, -longer[p - 1])))
        found += [(v, m.gates.both(there, lit)) for v, lit in row.items[p - 1].items()]
    if isinstance(e.type, Truth):
        return m.gates.any(lit for v, lit in found if v)
    return union(m.gates, found)


def _clipped(m: Meaning, counts: Union, least: int, most: int, missing: int) -> Union:
    return combine(m.gates, lambda v: missing if v is None else max(least, min(v, most)), counts)


def _slice(m: Meaning, e: n.Slice, env: Env, at: Moment) -> Symbol:
    row = m(e.list, env, at)
    cap = len(row.items)
    firsts = m(e.first, env, at)
    first = _clipped(m, firsts, 1, cap + 1, cap + 1)
    last = _clipped(m, m(e.last, env, at), 0, cap, 0)
    end = combine(m.gates, min, row.size, last)
    size = combine(m.gates, lambda v, f: max(0, v - f + 1), end, first)
    most = max(size)
    return _moved(m, row, [(f - 1, g) for f, g in first.items()], size, most)


def _moved(m: Meaning, row: Row, starts: list[tuple[int, int]], size: Union, most: int) -> Row:
    """The items from one of several starts on."""
    items = []
    for i in range(most):
        here = [(g, row.items[start + i]) for start, g in starts if start + i < len(row.items)]
        items.append(mux(m.gates, Optional(None), here) if here else known(None))
    return shared_row(m.gates, items, size)


def _top(m: Meaning, e: n.Top, env: Env, at: Moment) -> Symbol:
    row = m(e.list, env, at)
    count = _clipped(m, m(e.count, env, at), 0, len(row.items), 0)
    found: dict[tuple[int, int], int] = {}
    for s, x in row.size.items():
        for c, y in count.items():
            both = m.gates.both(x, y)
            if both != FALSE:
                found[s, min(s, c)] = m.gates.either(found.get((s, min(s, c)), FALSE), both)
    size = union(m.gates, ((k, g) for (_, k), g in found.items()))
    items = []
    for i in range(max(size)):
        here = [(g, row.items[s - k + i]) for (s, k), g in found.items() if i < k]
        items.append(mux(m.gates, Optional(None), here))
    return shared_row(m.gates, items, size)


def _rest(m: Meaning, e: n.Rest, env: Env, at: Moment) -> Symbol:
    row = m(e.list, env, at)
    count = _clipped(m, m(e.count, env, at), 0, len(row.items), 0)
    return shared_row(m.gates, row.items, combine(m.gates, lambda s, c: max(0, s - c), row.size, count))


def _concat(m: Meaning, e: n.Concat, env: Env, at: Moment) -> Symbol:
    a, b = m(e.a, env, at), m(e.b, env, at)
    size = combine(m.gates, lambda v, w: v + w, a.size, b.size)
    items = []
    for i in range(max(size)):
        here: list[tuple[int, Symbol]] = []
        for s, g in a.size.items():
            if i < s:
                here.append((g, a.items[i]))
            elif i - s < len(b.items):
                here.append((g, b.items[i - s]))
        items.append(mux(m.gates, Optional(None), here) if here else known(None))
    return shared_row(m.gates, items, size)


def _size(m: Meaning, e: n.Size, env: Env, at: Moment) -> Symbol:
    of = m(e.item, env, at)
    return of.size if isinstance(of, Row) else counted(m.gates, of.values())


def counted(gates: Gates, literals: Any) -> Union:
    """How many of the literals are true."""
    total: dict[int, int] = {0: TRUE}
    certain = 0
    for lit in literals:
        if lit == TRUE:
            certain += 1
        elif lit != FALSE:
            total = union(
                gates,
                itertools.chain(
                    ((v, gates.both(g, -lit)) for v, g in total.items()),
                    ((v + 1, gates.both(g, lit)) for v, g in total.items()),
                ),
            )
    return {v + certain: g for v, g in total.items()} if certain else total


# ---- over a finite domain


def _all(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    lits = []
    for _, guard, body in m.bodies(e, env, at):
        lit = m.gates.either(-guard, body)
        if lit == FALSE:
            return FALSE
        lits.append(lit)
    return m.gates.all(lits)


def _any(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    lits = []
    for _, guard, body in m.bodies(e, env, at):
        lit = m.gates.both(guard, body)
        if lit == TRUE:
            return TRUE
        lits.append(lit)
    return m.gates.any(lits)


def _sum(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    total = known(0)
    for _, guard, body in m.bodies(e, env, at):
        term = combine(m.gates, lambda v: 0 if v is None else v, body)
        if guard != TRUE:
            term = mux(m.gates, e.type, [(guard, term), (-guard, known(0))])
        total = combine(m.gates, lambda v, w: v + w, total, term)
    return total


def _best(m: Meaning, e: n.Best, env: Env, at: Moment) -> Symbol:
    reached: dict[Value, list[int]] = {}
    for _, guard, body in m.bodies(e, env, at):  # type: ignore[arg-type]
        for value, lit in body.items():
            if value is not None:
                reached.setdefault(value, []).append(m.gates.both(guard, lit))
    found: list[tuple[Value, int]] = []
    open_ = TRUE
    for value in sorted(reached, reverse=e.most):
        here = m.gates.any(reached[value])
        found.append((value, m.gates.both(open_, here)))
        open_ = m.gates.both(open_, -here)
    return union(m.gates, [*found, (None, open_)])


def _first(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    found: list[tuple[Value, int]] = []
    of = cast(Any, e.source.type).of
    open_ = TRUE
    for element, guard, body in m.bodies(e, env, at):
        hit = m.gates.both(guard, body)
        here = m.gates.both(open_, hit)
        found += [(v, m.gates.both(here, lit)) for v, lit in cases_of(of, element)]
        open_ = m.gates.both(open_, -hit)
        if open_ == FALSE:
            break
    if isinstance(e.type, Truth):
        return m.gates.any(lit for v, lit in found if v)
    return union(m.gates, [*found, (None, open_)])


def _select(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    of = cast(Any, e.source.type).of
    return _gathered(m, ((of, x, m.gates.both(g, b)) for x, g, b in m.bodies(e, env, at)))


def _image(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    return _gathered(m, ((e.body.type, b, g) for _, g, b in m.bodies(e, env, at)))


def _gathered(m: Meaning, members: Iterator[tuple[Type | None, Symbol, int]]) -> Symbol:
    found: dict[Value, list[int]] = {}
    for of, symbol, guard in members:
        for value, lit in cases_of(of, symbol):
            here = m.gates.both(guard, lit)
            if value is not None and here != FALSE:
                found.setdefault(value, []).append(here)
    return shared(m.gates, {v: m.gates.any(lits) for v, lits in found.items()})


def _collect(m: Meaning, e: n.All, env: Env, at: Moment) -> Symbol:
    row = Row((), known(0))
    for _, guard, body in m.bodies(e, env, at):
        row = _appended(m, row, dict(cases_of(e.body.type, body)), guard)
    return row


def _fold(m: Meaning, e: n.Fold, env: Env, at: Moment) -> Symbol:
    inner = dict(env)
    total = m(e.start, env, at)
    for element, guard in m.elements(e.source, env, at):
        inner[e.var], inner[e.total] = element, total
        total = mux(m.gates, e.type, [(guard, m(e.body, inner, at)), (-guard, total)])
    return total


# ---- bounded repetition


def _follow(m: Meaning, e: n.Follow, env: Env, at: Moment) -> Symbol:
    here, times = m(e.start, env, at), m(e.times, env, at)
    inner = dict(env)
    go = TRUE
    for i in range(e.most):
        left = m.gates.any(g for v, g in times.items() if v is not None and v > i)
        go = m.gates.all((go, left, -here.get(None, FALSE)))
        if go == FALSE:
            break
        inner[e.var] = here
        go = m.gates.both(go, m(e.cond, inner, at))
        if go == FALSE:
            break
        step = m(e.step, inner, at)
        go = m.gates.both(go, -step.get(None, FALSE))
        here = mux(m.gates, Optional(None), [(go, step), (-go, here)])
        here = {v: lit for v, lit in here.items() if lit != FALSE}
    return here


def _reach(m: Meaning, e: n.Reach, env: Env, at: Moment) -> Symbol:
    gates = m.gates
    source = {value_of(x)[0]: g for x, g in m.elements(e.source, env, at)}  # type: ignore[index]
    start = m(e.start, env, at)
    reached = {v: gates.both(g, start.get(v, FALSE)) for v, g in source.items()}
    inner = dict(env)
    steps: dict[Value, list[tuple[Value, int]]] = {}
    for value, guard in source.items():
        steps[value] = []
        inner[e.var] = known(value)
        for via in source:
            if via != value:
                inner[e.via] = known(via)
                lit = gates.both(guard, m(e.body, inner, at))
                if lit != FALSE:
                    steps[value].append((via, lit))
    for _ in range(len(source) - 1):
        wider = {
            v: lit if lit == TRUE else gates.any((lit, *(gates.both(reached[w], s) for w, s in steps[v])))
            for v, lit in reached.items()
        }
        if wider == reached:
            break
        reached = wider
    # True of every closure, and far from plain to an engine that sees the rounds only.
    for value, arrows in steps.items():
        for via, lit in arrows:
            gates.require((-reached[via], -lit, reached[value]))
    return _without_false(m, reached)


def _call(m: Meaning, e: n.Call, env: Env, at: Moment) -> Symbol:
    function = e.function
    args = [m(a, env, at) for a in e.args]
    if function.static:
        scalars = all(isinstance(p.type, Scalar | Optional) for p in function.params)
        cases = [list(cases_of(a.type, s)) for a, s in zip(e.args, args, strict=True)] if scalars else []
        if scalars and _product(cases) <= MOST_ARGUMENTS:
            return _looked_up(m, function, cases)
    return applied(m, function, args, at)


def _product(cases: list[list[tuple[Value, int]]]) -> int:
    size = 1
    for c in cases:
        size *= len(c)
    return size


def _looked_up(m: Meaning, function: n.Function, cases: list[list[tuple[Value, int]]]) -> Symbol:
    found: list[tuple[Value, int]] = []
    for combination in itertools.product(*cases):
        guard = combination[0][1] if len(combination) == 1 else m.gates.all(g for _, g in combination)
        if guard != FALSE:
            found.append((call(function, tuple(v for v, _ in combination), Context()), guard))
    t = function.result
    if len(found) == 1:
        return lift(t, found[0][0])
    if isinstance(t, Truth):
        return m.gates.any(g for v, g in found if v)
    if isinstance(t, Scalar | Optional):
        return union(m.gates, found)
    merged: dict[Value, list[int]] = {}
    for value, guard in found:
        merged.setdefault(value, []).append(guard)
    return mux(m.gates, t, [(m.gates.any(gs), lift(t, v)) for v, gs in merged.items()])


def applied(m: Meaning, function: n.Function, args: list[Symbol], at: Moment) -> Symbol:
    """A definition's value for symbolic arguments; nothing where one does not fit its parameter."""
    env: Env = {}
    fits = TRUE
    for param, given in zip(function.params, args, strict=True):
        arg = given
        if isinstance(param.type, Scalar) and not isinstance(param.type, Truth):
            inside = {v: lit for v, lit in arg.items() if v is not None and v in param.type}
            if len(inside) < len(arg):
                fits = m.gates.both(fits, m.gates.any(inside.values()))
                arg = inside
        env[param] = arg
    if fits == FALSE:
        return nothing(function.result)
    body = m(function.body, env, at)
    return (
        body
        if fits == TRUE
        else mux(m.gates, function.result.lifted, [(fits, body), (-fits, nothing(function.result))])
    )


def _can(m: Meaning, e: n.Can, env: Env, at: Moment) -> Symbol:
    if at.can is None:
        raise LookupError(f"`can {e.action}` asked where no game is being played")
    return at.can(e.action, [m(a, env, at) for a in e.args], at)


def _divide(a: int, b: int) -> int | None:
    return a // b if b else None


def _modulo(a: int, b: int) -> int | None:
    return a % b if b else None


REMEMBERED = frozenset(
    (
        n.All, n.Any, n.Sum, n.Best, n.First, n.Select, n.Image, n.Collect, n.Fold, n.Follow, n.Reach,
        n.Call, n.Can, n.Union, n.Difference, n.Intersection, n.Size, n.Top, n.Rest, n.Slice, n.Concat,
        n.Tabulate, n.Add, n.Sub, n.SetOf,
    )
)  # fmt: skip

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
    n.Less: _ordered(lambda v, w: v < w),
    n.AtMost: _ordered(lambda v, w: v <= w),
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
    n.Tabulate: _tabulate,
    n.Read: _read,
    n.SetOf: _set_of,
    n.Member: _member,
    n.Union: _union,
    n.Intersection: _intersection,
    n.Difference: _difference,
    n.ListOf: _list_of,
    n.Item: _item,
    n.Slice: _slice,
    n.Top: _top,
    n.Rest: _rest,
    n.Concat: _concat,
    n.Size: _size,
    n.All: _all,
    n.Any: _any,
    n.Sum: _sum,
    n.Best: _best,
    n.First: _first,
    n.Select: _select,
    n.Image: _image,
    n.Collect: _collect,
    n.Fold: _fold,
    n.Follow: _follow,
    n.Reach: _reach,
    n.Call: _call,
    n.Can: _can,
}
