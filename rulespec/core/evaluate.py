"""The reference meaning of expressions: slow, obvious, the standard for all other ones.

There is a table with one handler for each operator. A handler gets the node, the local environment and the
context (the state, and the object that answers `can`). It is also the method `evaluate` of the node, which
saves a lookup at every node. A well-typed expression never raises, unless its context limits the steps: those
are counted for each body before it is evaluated for any element, for each call, and for the elements of sets
and lists that are copied or compared.
"""

# Loops stand where `all` and `any` over a generator would take nearly twice the time.
# ruff: noqa: SIM110

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import add, and_, mul, or_, sub

from . import nodes as n
from .context import Context, Env
from .meter import Meter
from .types import List, Optional, Scalar, Type, Value

Handler = Callable[..., Value]

FEW = 8
"""Copying or comparing a value with at most this many elements costs no steps."""
MEMBER = 4
"""The steps for one member of a set, which takes as much room as this many list elements."""


def evaluate(e: n.Expr, env: Env, ctx: Context) -> Value:
    """The value of an expression. `env` holds its free locals and is not changed."""
    return e.evaluate(env, ctx)


def elements(e: n.Expr, env: Env, ctx: Context, body: n.Expr | n.Effect | None = None) -> Iterable[Value]:
    """The elements of a set or list in canonical order; spends the steps of evaluating `body` for each."""
    value = e.of.values if type(e) is n.Domain else e.evaluate(env, ctx)
    meter = ctx.meter
    if meter is not None:
        meter.spend(len(value) * (1 if body is None else 1 + meter.weight(body)))
    return value if type(e) is n.Domain else in_order(e.type, value)


def _count(value: Value, meter: Meter) -> None:
    """Spend the steps of making, copying or comparing a value; small values are free."""
    kind = type(value)
    if (kind is tuple or kind is frozenset) and len(value) > FEW:
        meter.spend(len(value) if kind is tuple else MEMBER * len(value))


def in_order(t: Type, value: Value) -> Iterable[Value]:
    """The elements of a value: of a list in order, of a set ascending."""
    return value if isinstance(t, List) else sorted(value)


def _const(e: n.Const, env: Env, ctx: Context) -> Value:
    return e.value


def _domain(e: n.Domain, env: Env, ctx: Context) -> Value:
    ctx.spend(MEMBER * len(e.of.values))
    return frozenset(e.of.values)


def _local(e: n.Local, env: Env, ctx: Context) -> Value:
    return env[e.var]


def _get(e: n.Get, env: Env, ctx: Context) -> Value:
    return ctx.state[e.var]


def _not(e: n.Not, env: Env, ctx: Context) -> Value:
    return not e.item.evaluate(env, ctx)


def _and(e: n.And, env: Env, ctx: Context) -> Value:
    for item in e.items:
        if not item.evaluate(env, ctx):
            return False
    return True


def _or(e: n.Or, env: Env, ctx: Context) -> Value:
    for number, item in enumerate(e.items):
        if item.evaluate(env, ctx):
            if ctx.seen is not None:
                ctx.seen.add((e, number))
            return True
    return False


def _if(e: n.If, env: Env, ctx: Context) -> Value:
    held = bool(e.cond.evaluate(env, ctx))
    if ctx.seen is not None:
        ctx.seen.add((e, held))
    return (e.then if held else e.otherwise).evaluate(env, ctx)


def _let(e: n.Let, env: Env, ctx: Context) -> Value:
    return e.body.evaluate({**env, e.var: e.value.evaluate(env, ctx)}, ctx)


def _equal(e: n.Equal, env: Env, ctx: Context) -> Value:
    a, b = e.a.evaluate(env, ctx), e.b.evaluate(env, ctx)
    if ctx.meter is not None and type(a) is not int:
        _count(a, ctx.meter)
    return a == b


def _less(e: n.Less, env: Env, ctx: Context) -> Value:
    a, b = e.a.evaluate(env, ctx), e.b.evaluate(env, ctx)
    return a is not None and b is not None and a < b


def _at_most(e: n.AtMost, env: Env, ctx: Context) -> Value:
    a, b = e.a.evaluate(env, ctx), e.b.evaluate(env, ctx)
    return a is not None and b is not None and a <= b


def _strict(operation: Callable[[int, int], int | None]) -> Handler:
    def handler(e: n.Binary, env: Env, ctx: Context) -> Value:
        a, b = e.a.evaluate(env, ctx), e.b.evaluate(env, ctx)
        return None if a is None or b is None else operation(a, b)

    return handler


def _make(e: n.Make, env: Env, ctx: Context) -> Value:
    value = tuple([f.evaluate(env, ctx) for f in e.fields])
    return value if value in e.of else None


def _field(e: n.Field, env: Env, ctx: Context) -> Value:
    item = e.item.evaluate(env, ctx)
    return e.type.nothing if item is None else item[e.position]


def _is_none(e: n.IsNone, env: Env, ctx: Context) -> Value:
    return e.item.evaluate(env, ctx) is None


def _otherwise(e: n.Otherwise, env: Env, ctx: Context) -> Value:
    a = e.a.evaluate(env, ctx)
    return e.b.evaluate(env, ctx) if a is None else a


def _narrow(e: n.Narrow, env: Env, ctx: Context) -> Value:
    item = e.item.evaluate(env, ctx)
    return item if item is not None and item in e.into else None


def _tabulate(e: n.Tabulate, env: Env, ctx: Context) -> Value:
    inner, found = dict(env), []
    ctx.spend_on(len(e.keys.values), e.body)
    for key in e.keys.values:
        inner[e.var] = key
        found.append(e.body.evaluate(inner, ctx))
    return tuple(found)


def _read(e: n.Read, env: Env, ctx: Context) -> Value:
    key = e.key.evaluate(env, ctx)
    position = e.map.type.keys.index.get(key)  # type: ignore[attr-defined]
    return e.type.nothing if key is None or position is None else e.map.evaluate(env, ctx)[position]


def _set_of(e: n.SetOf, env: Env, ctx: Context) -> Value:
    return frozenset(v for v in (item.evaluate(env, ctx) for item in e.items) if v is not None)


def _member(e: n.Member, env: Env, ctx: Context) -> Value:
    item = e.item.evaluate(env, ctx)
    if item is None:
        return False
    return item in e.of.of if type(e.of) is n.Domain else item in e.of.evaluate(env, ctx)


def _set_operation(operation: Callable[[Value, Value], Value]) -> Handler:
    """The handler of an operator on two sets or two lists."""

    def handler(e: n.Binary, env: Env, ctx: Context) -> Value:
        a, b = e.a.evaluate(env, ctx), e.b.evaluate(env, ctx)
        if ctx.meter is not None:
            _count(a, ctx.meter)
            _count(b, ctx.meter)
        return operation(a, b)

    return handler


def _list_of(e: n.ListOf, env: Env, ctx: Context) -> Value:
    return tuple(v for v in (item.evaluate(env, ctx) for item in e.items) if v is not None)


def _item(e: n.Item, env: Env, ctx: Context) -> Value:
    items, position = e.list.evaluate(env, ctx), e.position.evaluate(env, ctx)
    inside = position is not None and 1 <= position <= len(items)
    return items[position - 1] if inside else e.type.nothing


def _slice(e: n.Slice, env: Env, ctx: Context) -> Value:
    items = e.list.evaluate(env, ctx)
    if ctx.meter is not None:
        _count(items, ctx.meter)
    first, last = e.first.evaluate(env, ctx), e.last.evaluate(env, ctx)
    return () if first is None or last is None else items[max(first, 1) - 1 : max(last, 0)]


def _top(e: n.Top, env: Env, ctx: Context) -> Value:
    items, count = e.list.evaluate(env, ctx), e.count.evaluate(env, ctx)
    if ctx.meter is not None:
        _count(items, ctx.meter)
    return items[max(0, len(items) - count) :] if count is not None and count > 0 else ()


def _rest(e: n.Rest, env: Env, ctx: Context) -> Value:
    items, count = e.list.evaluate(env, ctx), e.count.evaluate(env, ctx)
    if ctx.meter is not None:
        _count(items, ctx.meter)
    return items[: max(0, len(items) - count)] if count is not None and count > 0 else items


def _size(e: n.Size, env: Env, ctx: Context) -> Value:
    return len(e.item.of.values) if type(e.item) is n.Domain else len(e.item.evaluate(env, ctx))


def _bodies(e: n.Over, env: Env, ctx: Context) -> Iterable[tuple[Value, Value]]:
    inner = dict(env)
    for value in elements(e.source, env, ctx, e.body):
        inner[e.var] = value
        yield value, e.body.evaluate(inner, ctx)


def _all(e: n.Over, env: Env, ctx: Context) -> Value:
    inner, var, body = dict(env), e.var, e.body
    for value in elements(e.source, env, ctx, e.body):
        inner[var] = value
        if not body.evaluate(inner, ctx):
            return False
    return True


def _any(e: n.Over, env: Env, ctx: Context) -> Value:
    inner, var, body = dict(env), e.var, e.body
    for value in elements(e.source, env, ctx, e.body):
        inner[var] = value
        if body.evaluate(inner, ctx):
            return True
    return False


def _sum(e: n.Over, env: Env, ctx: Context) -> Value:
    return sum(found for _, found in _bodies(e, env, ctx) if found is not None)


def _best(e: n.Best, env: Env, ctx: Context) -> Value:
    found = [v for _, v in _bodies(e, env, ctx) if v is not None]
    if not found:
        return None
    return max(found) if e.most else min(found)


def _first(e: n.Over, env: Env, ctx: Context) -> Value:
    return next((value for value, held in _bodies(e, env, ctx) if held), e.type.nothing)


def _select(e: n.Over, env: Env, ctx: Context) -> Value:
    made = frozenset([value for value, held in _bodies(e, env, ctx) if held])
    if ctx.meter is not None:
        _count(made, ctx.meter)
    return made


def _image(e: n.Over, env: Env, ctx: Context) -> Value:
    made = frozenset([found for _, found in _bodies(e, env, ctx) if found is not None])
    if ctx.meter is not None:
        _count(made, ctx.meter)
    return made


def _collect(e: n.Over, env: Env, ctx: Context) -> Value:
    return tuple(found for _, found in _bodies(e, env, ctx) if found is not None)


def _fold(e: n.Fold, env: Env, ctx: Context) -> Value:
    inner = dict(env)
    total = e.start.evaluate(env, ctx)
    for value in elements(e.source, env, ctx, e.body):
        inner[e.var], inner[e.total] = value, total
        total = e.body.evaluate(inner, ctx)
    return total


def _follow(e: n.Follow, env: Env, ctx: Context) -> Value:
    at = e.start.evaluate(env, ctx)
    times = e.times.evaluate(env, ctx) or 0
    inner = dict(env)
    while at is not None and times > 0:
        ctx.spend_on(1, e.cond, e.step)
        inner[e.var] = at
        if not e.cond.evaluate(inner, ctx):
            break
        beyond = e.step.evaluate(inner, ctx)
        if beyond is None:
            break
        at, times = beyond, times - 1
    return at


def _reach(e: n.Reach, env: Env, ctx: Context) -> Value:
    source = set(elements(e.source, env, ctx))
    reached = {v for v in e.start.evaluate(env, ctx) if v in source}
    waiting = sorted(reached)
    inner = dict(env)
    while waiting:
        inner[e.via] = waiting.pop()
        ctx.spend_on(len(source) - len(reached), e.body)
        for value in sorted(source - reached):
            inner[e.var] = value
            if e.body.evaluate(inner, ctx):
                reached.add(value)
                waiting.append(value)
    return frozenset(reached)


def admits(t: Type, value: Value) -> bool:
    """True if a parameter of this type accepts the argument (otherwise the call gives nothing)."""
    if isinstance(t, Optional):
        return value is None or (t.of is not None and value in t.of)
    if isinstance(t, Scalar):
        return value is not None and value in t
    return True


def call(function: n.Function, args: tuple[Value, ...], ctx: Context) -> Value:
    """The value of a definition for arguments, taken from its table or the context's memo if possible.

    New results are stored there; arguments that do not fit give nothing.
    """
    table: dict[object, Value] = function.table if function.static else ctx.memo  # type: ignore[assignment]
    key: object = args if function.static else (function, args)
    if ctx.meter is not None:
        for a in args:
            if type(a) is not int:
                _count(a, ctx.meter)
    if key in table:
        return table[key]
    if ctx.meter is not None:
        ctx.meter.spend(1 + ctx.meter.weight(function.body))
    env = dict(zip(function.params, args, strict=True))
    for param, a in env.items():
        if not admits(param.type, a):
            value = function.result.nothing
            break
    else:
        value = function.body.evaluate(env, ctx)
    if len(table) < MOST_REMEMBERED:
        table[key] = value
    return value


def _call(e: n.Call, env: Env, ctx: Context) -> Value:
    args = tuple([env[a.var] if type(a) is n.Local else a.evaluate(env, ctx) for a in e.args])
    function = e.function
    if ctx.meter is None:
        found = function.table.get(args) if function.static else ctx.memo.get((function, args))
        if found is not None:
            return found
    return call(function, args, ctx)


def _can(e: n.Can, env: Env, ctx: Context) -> Value:
    return ctx.can(e.action, tuple(a.evaluate(env, ctx) for a in e.args))


def _after(e: n.After, env: Env, ctx: Context) -> Value:
    given = dict(zip(e.params, [a.evaluate(env, ctx) for a in e.args], strict=True))
    if not all(admits(param.type, a) for param, a in given.items()):
        return False
    return e.body.evaluate(env, ctx.after(e.effect, given))


def _divide(a: int, b: int) -> int | None:
    return a // b if b else None


def _modulo(a: int, b: int) -> int | None:
    return a % b if b else None


MOST_REMEMBERED = 1_000_000
"""Maximum number of memoised values of one static definition, or of all definitions in one state."""

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
    n.Less: _less,
    n.AtMost: _at_most,
    n.Add: _strict(add),
    n.Sub: _strict(sub),
    n.Mul: _strict(mul),
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
    n.Union: _set_operation(or_),
    n.Intersection: _set_operation(and_),
    n.Difference: _set_operation(sub),
    n.ListOf: _list_of,
    n.Item: _item,
    n.Slice: _slice,
    n.Top: _top,
    n.Rest: _rest,
    n.Concat: _set_operation(add),
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
    n.After: _after,
}

for _kind, _handler in HANDLERS.items():
    _kind.evaluate = _handler  # type: ignore[method-assign]
