"""Operators on single values, as code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from ...core import nodes as n
from ...core.types import List, Map, Record, Set, Type, scalar_of
from ...machine import form as f
from ...machine.builder import (
    FALSE,
    TRUE,
    arithmetic,
    both,
    choose,
    compare,
    constant_value,
    differ,
    either,
    equal,
    load,
    negation,
    number,
    plus,
    times,
)  # fmt: skip
from ..bindings import NONE, Env, Known, Macro, Val
from ..bitsets.nonempty_sets import search_finds_something
from ..bitsets.ray_search import write_ray_search
from ..body import Body, Handler, S


def const(w: Body, e: n.Const, env: Env) -> Val:
    return w.constant(e.type, e.value)


def domain(w: Body, e: n.Domain, env: Env) -> Val:
    return w.constant(e.type, frozenset(e.of.values))


def local(w: Body, e: n.Local, env: Env) -> Val:
    bound = env[e.var]
    if isinstance(bound, Known):
        return w.constant(e.type, bound.value)
    if isinstance(bound, Macro):
        return w.value(bound.body, bound.env)
    assert isinstance(bound, Val), f"{e.var.name} has no single value here"
    return bound


def get(w: Body, e: n.Get, env: Env) -> Val:
    return w.held(e.var.type, w.program.offsets[e.var].expr)


def not_(w: Body, e: n.Not, env: Env) -> Val:
    return Val(e.type, (negation(w.cond(e.item, env)),))


def junction(conjunction: bool) -> Callable[[Body, n.And, Env], Val]:
    """Handler for `and` or `or`; later operands are evaluated only if the earlier ones do not decide."""
    joined = both if conjunction else either

    def handler(w: Body, e: n.And, env: Env) -> Val:
        parts: list[f.Expr] = []
        name, depth = None, w.depth
        for item in e.items:
            with w.aside() as body:
                part = w.cond(item, env)
            if body and parts:
                name = name or w.name("holds", f.TRUTH)
                w.set(name, joined(*parts))
                w.under(name if conjunction else negation(name))
                parts = []
            w.body += body
            parts.append(part)
        whole = joined(*parts)
        if name is None:
            return Val(e.type, (whole,))
        w.set(name, whole)
        w.back(depth)
        return Val(e.type, (name,))

    return handler


def branches(w: Body, t: Type, cond: f.Expr, then: Callable[[], Val], other: Callable[[], Val]) -> Val:
    """Write a conditional expression that evaluates only the selected branch."""
    with w.aside() as first:
        a = fitted(w, t, then())
    with w.aside() as second:
        b = fitted(w, t, other())
    none = a.none or b.none
    if not first and not second and len(a.parts) <= 2:
        held = w.atom(cond, "holds") if len(a.parts) > 1 else cond
        pairs = zip(a.parts, b.parts, strict=True)
        return Val(t, tuple(choose(held, x, y) for x, y in pairs), none)
    types = (x.type if x.type is y.type else f.NUMBER for x, y in zip(a.parts, b.parts, strict=True))
    names = tuple(w.name("either", of) for of in types)
    with w.when(cond):
        w.body += first
        w.assign(names, a)
    with w.otherwise():
        w.body += second
        w.assign(names, b)
    return Val(t, names, none)


def fitted(w: Body, t: Type, val: Val) -> Val:
    """A value converted to a wider type; sets get more words, maps a new layout."""
    if isinstance(t, Set):
        return Val(t, w.widened(val.parts, w.codes.words(t.of)))
    if isinstance(t, Map) and w.program.size(t) != w.program.size(val.type):
        at = w.slot(t)
        w.put(t, at, val)
        return Val(t, (number(at),))
    return Val(t, val.parts, val.none)


def if_(w: Body, e: n.If, env: Env) -> Val:
    held = w.known(e.cond, env)
    if held is not None:
        return fitted(w, e.type, w.value(e.then if held.value else e.otherwise, env))
    cond = w.cond(e.cond, env)
    return branches(w, e.type, cond, lambda: w.value(e.then, env), lambda: w.value(e.otherwise, env))


def let(w: Body, e: n.Let, env: Env) -> Val:
    along = write_ray_search(w, e, env)
    if along is not None:
        return w.value(*along)
    bound = w.known(e.value, env) or w.atoms(w.value(e.value, env), e.var)
    return w.value(e.body, {**env, e.var: bound})


def same(w: Body, a: Val, b: Val) -> f.Expr:
    """True if two values of the same layout are equal."""
    if isinstance(a.type, Set):
        size = max(len(a.parts), len(b.parts))
        return both(*map(equal, w.widened(a.parts, size), w.widened(b.parts, size)))
    if isinstance(a.type, List):
        return w.call(f.TRUTH, "same", S, *a.parts, *b.parts)
    if isinstance(a.type, Map):
        a, b = w.atoms(a), w.atoms(b)
        last, i = w.from_the_start("last", 0), w.name("i")  # the next two often differ where the last did
        name = w.named("alike", TRUE)
        for run in ((last, len(a.type.keys.values)), (0, last)):  # type: ignore[attr-defined]
            with w.when(name), w.each(i, *run), w.when(negation(same(w, w.element(a, i), w.element(b, i)))):
                w.set(name, FALSE)
                w.set(last, i)
                w.leave()
        return name
    return equal(a.expr, b.expr)


def ordered(sign: str) -> Callable[[Body, n.Less, Env], Val]:
    def handler(w: Body, e: n.Less, env: Env) -> Val:
        a, b = w.value(e.a, env), w.value(e.b, env)
        if not a.none:  # nothing is below or at none
            return Val(e.type, (compare(sign, a.expr, b.expr),))
        a = w.atoms(a)
        return Val(e.type, (both(differ(a.expr, NONE), compare(sign, a.expr, b.expr)),))

    return handler


def strict(w: Body, t: Type, a: Val, b: Val, made: Callable[[f.Expr, f.Expr], f.Expr]) -> Val:
    """A scalar computed from two others; none if either is none."""
    if NONE in (a.expr, b.expr):
        return Val(t, (NONE,), True)
    a, b = (w.atoms(v) if v.none else v for v in (a, b))
    missing = [equal(v.expr, NONE) for v in (a, b) if v.none]
    return Val(t, (choose(either(*missing), NONE, made(a.expr, b.expr)),), bool(missing))


def calculated(sign: str) -> Callable[[Body, n.Add, Env], Val]:
    """Handler for a sum, a difference or a product."""

    def made(a: f.Expr, b: f.Expr) -> f.Expr:
        return plus(a, b) if sign == "+" else arithmetic(sign, a, b)

    return lambda w, e, env: strict(w, e.type, w.value(e.a, env), w.value(e.b, env), made)


def divided(sign: str) -> Callable[[Body, n.Div, Env], Val]:
    """Handler for a quotient or a remainder, none if the divisor is 0."""

    def made(a: f.Expr, b: f.Expr) -> f.Expr:
        return choose(equal(b, 0), NONE, arithmetic(sign, a, b))

    def handler(w: Body, e: n.Div, env: Env) -> Val:
        a, b = w.value(e.a, env), w.value(e.b, env)
        if constant_value(b.expr) and not a.none:
            return Val(e.type, (arithmetic(sign, a.expr, b.expr),))
        return replace(strict(w, e.type, a, w.atoms(b), made), none=True)

    return handler


def make(w: Body, e: n.Make, env: Env) -> Val:
    fields = e.of.fields  # type: ignore[attr-defined]
    place: f.Expr = number(0)
    missing: list[f.Expr] = []
    for (_, kind), item in zip(fields, e.fields, strict=True):
        found, inside = w.index(w.value(item, env), kind)
        missing += [negation(inside)] if inside != TRUE else []
        place = plus(times(place, len(kind.values)), found)
    codes = [
        w.codes.code(e.type, v) if v in e.of else f.NONE for v in product(*(k.values for _, k in fields))
    ]
    whole = load(w.program.table(codes, e.of.family, f"{e.of.family} by the positions of its parts"), place)
    return Val(e.type, (choose(either(*missing), NONE, whole),), bool(missing) or f.NONE in codes)


def field(w: Body, e: n.Field, env: Env) -> Val:
    item, of = w.value(e.item, env), scalar_of(e.item.type)
    assert isinstance(of, Record)
    part, kind = of.fields[e.position]
    codes = [w.codes.code(kind, v[e.position]) for v in w.codes.listed(of)]
    table = w.program.table(codes, f"{of.family}.{part}", f"{of.family}.{part} of each {of.family}")
    if not item.none:
        return Val(e.type, (load(table, item.expr),))
    held = w.atom(item.expr)
    blank = w.nothing(e.type)
    return Val(e.type, (choose(equal(held, NONE), blank.expr, load(table, held)),), blank.none)


def is_none(w: Body, e: n.IsNone, env: Env) -> Val:
    found = search_finds_something(e.item)
    if found is not None:
        with w.aside() as body:
            some = w.cond(found, env)
        if not isinstance(e.item, n.Call) or not any(isinstance(x, f.For | f.While) for x in body):
            w.body += body
            return Val(e.type, (negation(some),))
    item = w.value(e.item, env)
    return Val(e.type, (equal(item.expr, NONE) if item.none else FALSE,))


def otherwise(w: Body, e: n.Otherwise, env: Env) -> Val:
    a = w.value(e.a, env)
    if not a.none:
        return a
    a = w.atoms(a)
    return branches(w, e.type, differ(a.expr, NONE), lambda: Val(a.type, a.parts), lambda: w.value(e.b, env))


def narrow(w: Body, e: n.Narrow, env: Env) -> Val:
    item = w.atoms(w.value(e.item, env))
    held = w.inside(item, e.into)
    return item if held == TRUE else Val(e.type, (choose(held, item.expr, NONE),), True)


HANDLERS: dict[type[n.Expr], Handler] = {
    n.Const: const,
    n.Domain: domain,
    n.Local: local,
    n.Get: get,
    n.Not: not_,
    n.And: junction(True),
    n.Or: junction(False),
    n.If: if_,
    n.Let: let,
    n.Less: ordered("<"),
    n.AtMost: ordered("<="),
    n.Add: calculated("+"),
    n.Sub: calculated("-"),
    n.Mul: calculated("*"),
    n.Div: divided("//"),
    n.Mod: divided("%"),
    n.Make: make,
    n.Field: field,
    n.IsNone: is_none,
    n.Otherwise: otherwise,
    n.Narrow: narrow,
}
