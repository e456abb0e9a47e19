"""Random well-typed expressions of every operator, in the world of `world`.

An expression is made for a type that is wanted: the same shape, the same families; like an
elaborated one it may be none, or out of range, where its own type says so.
"""

from __future__ import annotations

from typing import cast

from building import const, domain, get, hull, local
from hypothesis import strategies as st
from making import (
    OPERATORS,
    Maker,
    alike,
    held,
    is_any,
    is_list,
    is_map,
    is_number,
    is_scalar,
    is_set,
    is_single,
    is_truth,
    joined,
    lifted,
    makes,
    narrowed,
)
from world import BRIGHT, CARD, FREE, PIP, RANK, SCALARS, STATE, SUIT, WANTED, WORLD

from rulespec.core import nodes as n
from rulespec.core.types import (
    BOOL,
    NONE,
    List,
    Map,
    Optional,
    Record,
    Scalar,
    Set,
    Type,
    fits,
    integers,
    join,
    scalar_of,
)


@makes(n.Const, gives=is_any)
def _const(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    if is_scalar(want) and m.pick([True, False, False]):
        return const(m.pick([NONE, Optional(cast(Scalar, want))]), None)
    return m.known(want)


@makes(n.Domain, gives=is_set)
def _domain(m: Maker, kind: type, want: Set, depth: int) -> n.Expr:
    assert want.of is not None
    return domain(want.of)


@makes(n.Local, gives=lambda t: any(alike(v.type, t) for v in FREE))
def _local(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    return local(m.pick([v for v in m.scope if alike(v.type, want)]))


@makes(n.Get, gives=lambda t: any(alike(v.type, t) for v in STATE.values()))
def _get(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    return get(m.pick([v for v in STATE.values() if alike(v.type, want)]))


@makes(n.Not, gives=is_truth)
def _not(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    return n.Not(BOOL, m.make(BOOL, depth))


@makes(n.And, n.Or, gives=is_truth)
def _junction(m: Maker, kind: type[n.And], want: Type, depth: int) -> n.Expr:
    return kind(BOOL, tuple(m.make(BOOL, depth) for _ in range(m.pick([2, 3]))))


@makes(n.If, gives=is_any)
def _if(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    cond, then, otherwise = m.make(BOOL, depth), m.make(want, depth), m.make(want, depth)
    return n.If(joined(then, otherwise), cond, then, otherwise)


@makes(n.Let, gives=is_any)
def _let(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    value = m.make(m.pick(WANTED), depth)
    var = n.Var("let", value.type)
    body = m.inside(var).make(want, depth)
    return n.Let(body.type, var, value, body)


@makes(n.Equal, gives=is_truth)
def _equal(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    of = m.pick(WANTED)
    return n.Equal(BOOL, m.make(of, depth), m.make(of, depth))


@makes(n.Less, n.AtMost, gives=is_truth)
def _ordered(m: Maker, kind: type[n.Less], want: Type, depth: int) -> n.Expr:
    of = m.pick([PIP, SUIT, CARD])
    return kind(BOOL, m.make(of, depth), m.make(of, depth))


@makes(n.Add, n.Sub, n.Mul, n.Div, n.Mod, gives=is_number)
def _arithmetic(m: Maker, kind: type[n.Add], want: Type, depth: int) -> n.Expr:
    a, b = m.number(depth), m.number(depth)
    if kind is n.Mul and max(map(abs, (*hull(a.type), *hull(b.type)))) > 6:
        a, b = m.leaf(PIP), m.leaf(PIP)
    (lo, hi), (low, high) = hull(a.type), hull(b.type)
    corners = [x * y for x in (lo, hi) for y in (low, high)]
    most = max(abs(x) for x in (lo, hi, low, high))
    of = {
        n.Add: lambda: integers(lo + low, hi + high),
        n.Sub: lambda: integers(lo - high, hi - low),
        n.Mul: lambda: integers(min(corners), max(corners)),
    }.get(kind, lambda: Optional(integers(-most, most)))()
    return kind(lifted(of, a, b), a, b)


@makes(n.Make, gives=lambda t: t is CARD)
def _make(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    return n.Make(Optional(CARD), CARD, tuple(m.make(t, depth) for _, t in CARD.fields))


@makes(n.Field, gives=lambda t: t in (BOOL, SUIT) or is_number(t))
def _field(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    item = m.make(CARD, depth)
    at = next(i for i, (_, t) in enumerate(CARD.fields) if alike(t, want))
    of = cast(Record, scalar_of(item.type) or CARD).fields[at][1]
    return n.Field(lifted(of, item), item, at)


@makes(n.IsNone, gives=is_truth)
def _is_none(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    return n.IsNone(BOOL, m.make(m.pick([PIP, SUIT, CARD]), depth))


@makes(n.Otherwise, gives=is_scalar)
def _otherwise(m: Maker, kind: type, want: Scalar, depth: int) -> n.Expr:
    a, b = m.make(want, depth), m.make(want, depth)
    of = scalar_of(a.type)
    return n.Otherwise(b.type if of is None else cast(Type, join(of, b.type)), a, b)


@makes(n.Narrow, gives=is_scalar)
def _narrow(m: Maker, kind: type, want: Scalar, depth: int) -> n.Expr:
    into = BRIGHT if want is SUIT else RANK if want is PIP else want
    return n.Narrow(Optional(into), m.make(want, depth), into)


@makes(n.Tabulate, gives=is_map)
def _tabulate(m: Maker, kind: type, want: Map, depth: int) -> n.Expr:
    var = n.Var("key", want.keys)
    body = m.inside(var).make(want.of, depth)
    return n.Tabulate(Map(want.keys, body.type), var, want.keys, body)


@makes(n.Read, gives=is_any)
def _read(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    keys = m.pick([BOOL, SUIT, PIP])
    table = m.make(Map(keys, want), depth)
    key = m.make(keys, depth)
    of = cast(Map, table.type).of
    return n.Read(of if fits(key.type, keys) else of.with_none, table, key)


@makes(n.SetOf, n.ListOf, gives=lambda t: is_set(t) or is_list(t))
def _display(m: Maker, kind: type, want: Set | List, depth: int) -> n.Expr:
    assert want.of is not None
    items = tuple(m.make(want.of, depth) for _ in range(m.pick([1, 2, 3])))
    of: Scalar | None = None
    for item in items:
        inner = scalar_of(item.type)
        of = cast(Scalar, join(of, inner)) if of is not None and inner is not None else of or inner
    of = of or want.of
    return n.SetOf(Set(of), items) if is_set(want) else n.ListOf(List(of, len(items)), items)


@makes(n.Member, gives=is_truth)
def _member(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    of = m.pick(SCALARS)
    return n.Member(BOOL, m.make(of, depth), m.source(of, depth))


@makes(n.Union, n.Intersection, n.Difference, gives=is_set)
def _of_sets(m: Maker, kind: type[n.Union], want: Type, depth: int) -> n.Expr:
    a, b = m.make(want, depth), m.make(want, depth)
    return kind(joined(a, b), a, b)


@makes(n.Item, gives=is_single)
def _item(m: Maker, kind: type, want: Scalar, depth: int) -> n.Expr:
    items = m.make(List(want, 3), depth)
    return n.Item(cast(Scalar, cast(List, items.type).of).with_none, items, m.number(depth))


@makes(n.Slice, n.Top, n.Rest, gives=is_list)
def _part(m: Maker, kind: type[n.Top], want: Type, depth: int) -> n.Expr:
    items, first = m.make(want, depth), m.number(depth)
    if kind is n.Slice:
        return n.Slice(items.type, items, first, m.number(depth))
    return kind(items.type, items, first)


@makes(n.Concat, gives=is_list)
def _concat(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    a, b = m.make(want, depth), m.make(want, depth)
    both = cast(List, joined(a, b))
    return n.Concat(List(both.of, cast(List, a.type).cap + cast(List, b.type).cap), a, b)


def most_elements(e: n.Expr) -> int:
    t = cast("Set | List", e.type)
    return t.cap if isinstance(t, List) else len(t.of.values) if t.of else 0


@makes(n.Size, gives=is_number)
def _size(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    item = m.source(m.pick(SCALARS), depth)
    return n.Size(integers(0, most_elements(item)), item)


@makes(n.All, n.Any, gives=is_truth)
def _quantified(m: Maker, kind: type[n.All], want: Type, depth: int) -> n.Expr:
    var, source, inner = m.over(depth)
    return kind(BOOL, var, source, inner.make(BOOL, depth))


@makes(n.Sum, gives=is_number)
def _sum(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    var, source, inner = m.over(depth)
    body = inner.number(depth)
    low, high = hull(body.type)
    size = most_elements(source)
    return n.Sum(integers(min(0, low) * size, max(0, high) * size), var, source, body)


@makes(n.Best, gives=is_scalar)
def _best(m: Maker, kind: type, want: Scalar, depth: int) -> n.Expr:
    var, source, inner = m.over(depth)
    body = inner.make(want, depth)
    return n.Best(Optional(scalar_of(body.type) or want), var, source, body, m.pick([True, False]))


@makes(n.First, gives=is_single)
def _first(m: Maker, kind: type, want: Scalar, depth: int) -> n.Expr:
    var, source, inner = m.over(depth, want)
    return n.First(var.type.with_none, var, source, inner.make(BOOL, depth))


@makes(n.Select, gives=is_set)
def _select(m: Maker, kind: type, want: Set, depth: int) -> n.Expr:
    var, source, inner = m.over(depth, want.of)
    return n.Select(Set(cast(Scalar, var.type)), var, source, inner.make(BOOL, depth))


@makes(n.Image, n.Collect, gives=lambda t: is_set(t) or is_list(t))
def _image(m: Maker, kind: type, want: Set | List, depth: int) -> n.Expr:
    var, source, inner = m.over(depth)
    assert want.of is not None
    body = inner.make(want.of, depth)
    of = scalar_of(body.type) or want.of
    if is_set(want):
        return n.Image(Set(of), var, source, body)
    return n.Collect(List(of, most_elements(source)), var, source, body)


@makes(n.Fold, gives=lambda t: not is_map(t))
def _fold(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    var, source, inner = m.over(depth)
    total = n.Var("total", want)
    start = held(m.make(want, depth), want)
    return n.Fold(want, var, total, source, start, held(inner.inside(total).make(want, depth), want))


@makes(n.Follow, gives=is_single)
def _follow(m: Maker, kind: type, want: Scalar, depth: int) -> n.Expr:
    var = n.Var("at", want)
    start, times, inner = narrowed(m.make(want, depth), want), m.number(depth), m.inside(var)
    step, cond = narrowed(inner.make(want, depth), want), inner.make(BOOL, depth)
    return n.Follow(lifted(want, start), var, start, step, cond, times, max(0, hull(times.type)[1]))


@makes(n.Reach, gives=is_set)
def _reach(m: Maker, kind: type, want: Set, depth: int) -> n.Expr:
    var, source, inner = m.over(depth, want.of)
    via = n.Var("via", var.type)
    of = cast(Scalar, var.type)
    return n.Reach(Set(of), var, source, m.make(Set(of), depth), via, inner.inside(via).make(BOOL, depth))


@makes(n.Call, gives=lambda t: any(alike(f.result, t) for f in WORLD.functions.values()))
def _call(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    made = m.pick([f for f in WORLD.functions.values() if alike(f.result, want)])
    args = tuple(
        held(m.make(p.type, depth), p.type) if isinstance(p.type, Set | List) else m.make(p.type, depth)
        for p in made.params
    )
    sure = all(
        fits(a.type, p.type) for a, p in zip(args, made.params, strict=True) if isinstance(p.type, Scalar)
    )
    return n.Call(made.result if sure else made.result.with_none, made, args)


@makes(n.Can, gives=is_truth)
def _can(m: Maker, kind: type, want: Type, depth: int) -> n.Expr:
    action = m.pick(list(WORLD.actions.values()))
    given = m.pick(range(len(action.choices) + 1))
    return n.Can(BOOL, action.id, tuple(m.make(c.var.type, depth) for c in action.choices[:given]))


@st.composite
def expressions(draw: st.DrawFn, kind: type[n.Expr] | None = None, depth: int = 2) -> n.Expr:
    """An expression, with this operator at its root if one is given."""
    maker = Maker(draw)
    if kind is None:
        return maker.make(maker.pick(WANTED), depth)
    gives, _ = OPERATORS[kind]
    return maker.rooted(kind, maker.pick([t for t in WANTED if gives(t)]), depth)
