"""Operators on maps, sets and lists, as code."""

from __future__ import annotations

from collections.abc import Callable

from ...core import nodes as n
from ...core.types import List, Map, Optional, Set
from ...machine import form as f
from ...machine.builder import (
    FALSE,
    TRUE,
    arithmetic,
    between,
    bit,
    both,
    choose,
    compare,
    complement,
    constant_value,
    differ,
    either,
    equal,
    intersection,
    load,
    minus,
    number,
    plus,
    times,
    union,
)  # fmt: skip
from ..bindings import NONE, Env, Val, scalar_type
from ..body import Body, Handler, S
from ..list_updates import only_item
from ..loops import add_scalar, empty_bitset, value_table
from .plain import branches, fitted
from .repetition import append


def tabulate(w: Body, e: n.Tabulate, env: Env) -> Val:
    assert isinstance(e.type, Map)
    at, t = w.slot(e.type), e.type
    codes = w.codes.codes(t.keys)
    i = w.name("i")
    with w.each(i, 0, len(codes)):
        in_row = codes[-1] - codes[0] + 1 == len(codes)
        key = w.named(e.var, plus(i, codes[0]) if in_row else load(value_table(w, t.keys, codes), i))
        found = fitted(w, t.of, w.value(e.body, {**env, e.var: Val(e.var.type, (key,))}))
        w.put(t.of, plus(at, times(i, w.program.size(t.of))), found)
    return Val(t, (number(at),))


def read(w: Body, e: n.Read, env: Env) -> Val:
    t = e.map.type
    assert isinstance(t, Map)
    place, inside = w.index(w.value(e.key, env), t.keys)
    if inside == TRUE:
        return w.element(w.value(e.map, env), place)
    blank = w.nothing(e.type)
    if inside == FALSE:
        return blank

    def found() -> Val:
        held = w.element(w.value(e.map, env), place)
        return Val(e.type, held.parts, held.none or (isinstance(e.type, Optional) and held.none))

    return branches(w, e.type, inside, found, lambda: blank)


def set_of(w: Body, e: n.SetOf, env: Env) -> Val:
    assert isinstance(e.type, Set)
    vals = [w.value(item, env) for item in e.items]
    if len(vals) == 1 and not vals[0].none and w.codes.words(e.type.of) == 1 and e.type.of is not None:
        return Val(e.type, (bit(w.bit(vals[0].expr, e.type.of)),))
    names = empty_bitset(w, e.type, "those")
    for val in vals:
        if val.expr != NONE and e.type.of is not None:
            add_scalar(w, names, e.type.of, val)
    return Val(e.type, tuple(names))


def member(w: Body, e: n.Member, env: Env) -> Val:
    item = w.atoms(w.value(e.item, env))
    if item.expr == NONE:
        return Val(e.type, (FALSE,))
    if isinstance(e.of, n.Domain):
        return Val(e.type, (w.inside(item, e.of.of),))
    of = w.value(e.of, env)
    there = [differ(item.expr, NONE)] if item.none else []
    if isinstance(e.of.type, List):
        return Val(e.type, (both(*there, w.call(f.TRUTH, "in_list", S, *of.parts, item.expr)),))
    assert isinstance(e.of.type, Set)
    if e.of.type.of is None:
        return Val(e.type, (FALSE,))
    if len(of.parts) > 1:
        of = w.atoms(of)
    mine = scalar_type(item.type)
    base = w.codes.base(mine)
    place = w.bit(item.expr, mine)
    codes = w.codes.codes(mine)
    found = w.has_bit(of.parts, place)
    if codes[0] < base or codes[-1] - base >= 64 * len(of.parts):
        there = [between(0, place, 64 * len(of.parts) - 1)]
    return Val(e.type, (both(*there, found),))


def of_sets(joined: Callable[[f.Expr, f.Expr], f.Expr]) -> Callable[[Body, n.Union, Env], Val]:
    """Handler for the union, intersection or difference of two sets, word by word."""

    def handler(w: Body, e: n.Union, env: Env) -> Val:
        assert isinstance(e.type, Set)
        a, b = w.value(e.a, env), w.value(e.b, env)
        size = max(len(a.parts), len(b.parts))
        words = tuple(map(joined, w.widened(a.parts, size), w.widened(b.parts, size)))
        return fitted(w, e.type, Val(e.type, words))

    return handler


def list_of(w: Body, e: n.ListOf, env: Env) -> Val:
    assert isinstance(e.type, List)
    at = w.slot(List(e.type.of, len(e.items)))
    size = w.named("size", 0)
    for item in e.items:
        append(w, at, size, w.value(item, env))
    return Val(e.type, (number(at), size))


def item(w: Body, e: n.Item, env: Env) -> Val:
    only = only_item(e.list, env)
    if only is not None and isinstance(e.position, n.Const) and e.position.value == 1:
        return w.value(*only)
    if isinstance(e.position, n.Size) and e.position.item is e.list:
        return _topmost(w, e, env)
    first, size = w.value(e.list, env).parts
    at = w.atoms(w.value(e.position, env)).expr
    blank = w.nothing(e.type)
    place = constant_value(at)
    if e.list.type.of is None or (place is not None and place < 1):  # type: ignore[attr-defined]
        return blank
    return Val(e.type, (choose(between(1, at, size), load(S, plus(first, at, -1)), blank.expr),), blank.none)


def _topmost(w: Body, e: n.Item, env: Env) -> Val:
    """The last element of a list."""
    first, size = w.atoms(w.value(e.list, env)).parts
    blank = w.nothing(e.type)
    return Val(
        e.type, (choose(compare(">", size, 0), load(S, plus(first, size, -1)), blank.expr),), blank.none
    )


def slice_(w: Body, e: n.Slice, env: Env) -> Val:
    first, size = w.atoms(w.value(e.list, env)).parts
    a, b = w.atoms(w.value(e.first, env)), w.atoms(w.value(e.last, env))
    begin = w.atom(arithmetic("max", a.expr, 1), "first")
    missing = either(*(equal(x.expr, NONE) for x in (a, b) if x.none))
    long = arithmetic("max", 0, plus(minus(arithmetic("min", b.expr, size), begin), 1))
    return Val(e.type, (plus(first, begin, -1), w.atom(choose(missing, 0, long), "size")))


def end(topmost: bool) -> Callable[[Body, n.Top, Env], Val]:
    """Handler for the topmost elements of a list, or for those below them."""

    def handler(w: Body, e: n.Top, env: Env) -> Val:
        first, size = w.atoms(w.value(e.list, env)).parts
        wanted = w.atoms(w.value(e.count, env)).expr
        # None is below every number, so it takes nothing either.
        taken = w.atom(arithmetic("min", arithmetic("max", wanted, 0), size), "taken")
        rest = minus(size, taken)
        return Val(e.type, (plus(first, rest), taken) if topmost else (first, rest))

    return handler


def concat(w: Body, e: n.Concat, env: Env) -> Val:
    assert isinstance(e.type, List)
    at = w.slot(e.type)
    a = w.atoms(w.value(e.a, env))
    w.copy(at, a)
    size = w.named("size", a.parts[1])
    b = w.atoms(w.value(e.b, env))
    w.copy(plus(at, size), b)
    return Val(e.type, (number(at), plus(size, b.parts[1])))


HANDLERS: dict[type[n.Expr], Handler] = {
    n.Tabulate: tabulate,
    n.Read: read,
    n.SetOf: set_of,
    n.Member: member,
    n.Union: of_sets(union),
    n.Intersection: of_sets(intersection),
    n.Difference: of_sets(lambda a, b: intersection(a, complement(b))),
    n.ListOf: list_of,
    n.Item: item,
    n.Slice: slice_,
    n.Top: end(True),
    n.Rest: end(False),
    n.Concat: concat,
}
