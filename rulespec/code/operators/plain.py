"""Operators on single values, as code."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ...core import nodes as n
from ...core.types import List, Map, Optional, Scalar, Set, Type
from ..body import Body
from ..codes import NONE
from ..vals import Env, Known, Macro, Val, is_number, negated, sum_of, times

INDENT = " " * 4


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
    return w.held(e.var.type, w.program.offsets[e.var][0])


def not_(w: Body, e: n.Not, env: Env) -> Val:
    return Val(e.type, (negated(w.cond(e.item, env)),))


def junction(word: str) -> Callable[[Body, n.And, Env], Val]:
    """And, or: what a later part needs is written under what the earlier ones say."""

    def handler(w: Body, e: n.And, env: Env) -> Val:
        texts: list[str] = []
        name, depth = "", w.depth
        for item in e.items:
            with w.aside() as lines:
                text = w.cond(item, env)
            if lines and texts:
                name = name or w.local("holds")
                w.line(f"{name} = {f' {word} '.join(texts)}")
                w.line(f"if {'' if word == 'and' else 'not '}{name}:")
                w.depth += 1
                lines = [INDENT + line for line in lines]
                texts = []
            w.lines += lines
            texts.append(text)
        whole = f" {word} ".join(texts)
        if not name:
            return Val(e.type, (f"({whole})",))
        w.line(f"{name} = {whole}")
        w.depth = depth
        return Val(e.type, (name,))

    return handler


def branches(w: Body, t: Type, cond: str, then: Callable[[], Val], other: Callable[[], Val]) -> Val:
    """One of two values of a type, only what is asked for being evaluated."""
    depth = w.depth
    w.depth += 1
    with w.aside() as first:
        a = fitted(w, t, then())
    with w.aside() as second:
        b = fitted(w, t, other())
    w.depth = depth
    none = a.none or b.none
    if not first and not second and len(a.texts) <= 2:
        held = w.atom(cond, "holds") if len(a.texts) > 1 else cond
        pairs = zip(a.texts, b.texts, strict=True)
        return Val(t, tuple(x if x == y else f"({x} if {held} else {y})" for x, y in pairs), none)
    names = tuple(w.local("either") for _ in a.texts)
    with w.block(f"if {cond}"):
        w.lines += first
        w.set(names, a)
    with w.block("else"):
        w.lines += second
        w.set(names, b)
    return Val(t, names, none)


def fitted(w: Body, t: Type, val: Val) -> Val:
    """A value as one of a type that holds it: sets widened, maps laid out alike."""
    if isinstance(t, Set):
        return Val(t, w.widened(val.texts, w.codes.words(t.of)))
    if isinstance(t, Map) and w.program.size(t) != w.program.size(val.type):
        at = w.slot(t)
        w.put(t, str(at), val)
        return Val(t, (str(at),))
    return Val(t, val.texts, val.none)


def if_(w: Body, e: n.If, env: Env) -> Val:
    known = w.known(e.cond, env)
    if known is not None:
        return fitted(w, e.type, w.value(e.then if known.value else e.otherwise, env))
    cond = w.cond(e.cond, env)
    return branches(w, e.type, cond, lambda: w.value(e.then, env), lambda: w.value(e.otherwise, env))


def let(w: Body, e: n.Let, env: Env) -> Val:
    known = w.known(e.value, env)
    bound = known or w.atoms(w.value(e.value, env), e.var)
    return w.value(e.body, {**env, e.var: bound})


def equal(w: Body, e: n.Equal, env: Env) -> Val:
    a, b = w.value(e.a, env), w.value(e.b, env)
    return Val(e.type, (same(w, a, b),))


def same(w: Body, a: Val, b: Val) -> str:
    """The text of whether two values of one shape are equal."""
    if isinstance(a.type, Set):
        size = max(len(a.texts), len(b.texts))
        pairs = list(zip(w.widened(a.texts, size), w.widened(b.texts, size), strict=True))
        return f"({' and '.join(f'{x} == {y}' for x, y in pairs)})" if pairs else "True"
    if isinstance(a.type, List):
        return f"same(s, {', '.join(a.texts)}, {', '.join(b.texts)})"
    if isinstance(a.type, Map):
        a, b = w.atoms(a), w.atoms(b)
        name, i = w.local("alike"), w.local("i")
        w.line(f"{name} = True")
        with w.block(f"for {i} in range({len(a.type.keys.values)})"):  # type: ignore[attr-defined]
            found = same(w, w.element(a, i), w.element(b, i))
            with w.block(f"if {negated(found)}"):
                w.line(f"{name} = False")
                w.line("break")
        return name
    return f"({a.text} == {b.text})"


def ordered(sign: str) -> Callable[[Body, n.Less, Env], Val]:
    def handler(w: Body, e: n.Less, env: Env) -> Val:
        a, b = w.value(e.a, env), w.value(e.b, env)
        a = w.atoms(a) if a.none else a
        b = w.atoms(b) if b.none else b
        there = [f"{x.text} != NONE" for x in (a, b) if x.none]
        return Val(e.type, (f"({' and '.join([*there, f'{a.text} {sign} {b.text}'])})",))

    return handler


def strict(w: Body, t: Type, vals: list[Val], made: Callable[[list[str]], str]) -> Val:
    """A scalar made of others, none where one of them is none."""
    if any(v.text == "NONE" for v in vals):
        return w.nothing(t)
    held = [w.atoms(v) if v.none else v for v in vals]
    missing = [f"{v.text} == NONE" for v in held if v.none]
    text = made([v.text for v in held])
    if not missing:
        return Val(t, (text,), isinstance(t, Optional))
    return Val(t, (f"(NONE if {' or '.join(missing)} else {text})",), True)


def arithmetic(sign: str) -> Callable[[Body, n.Add, Env], Val]:
    def made(texts: list[str]) -> str:
        a, b = texts
        if sign == "+":
            return f"({sum_of(a, b)})"
        if sign == "*" and is_number(b):
            return times(a, int(b))
        return f"({a} {sign} ({b}))" if sign != "*" else f"({a}) * ({b})"

    def handler(w: Body, e: n.Add, env: Env) -> Val:
        found = strict(w, e.type, [w.value(e.a, env), w.value(e.b, env)], made)
        none = found.none and "NONE" in found.text
        return Val(e.type, (found.text if found.text.startswith("(") else f"({found.text})",), none)

    return handler


def division(sign: str) -> Callable[[Body, n.Div, Env], Val]:
    def handler(w: Body, e: n.Div, env: Env) -> Val:
        a, b = w.value(e.a, env), w.value(e.b, env)
        if is_number(b.text) and int(b.text) and not a.none:
            return Val(e.type, (f"(({a.text}) {sign} {b.text})",))
        b = w.atoms(b)
        return strict(
            w, Optional(None), [a, b], lambda t: f"(NONE if {t[1]} == 0 else ({t[0]}) {sign} {t[1]})"
        )

    return handler


def make(w: Body, e: n.Make, env: Env) -> Val:
    fields = e.of.fields  # type: ignore[attr-defined]
    text, missing = "0", []
    for (_, kind), item in zip(fields, e.fields, strict=True):
        found, sure = w.index(w.value(item, env), kind)
        if not sure:
            found = w.fresh(Val(kind, (found,)), "place").text
            missing.append(f"{found} < 0")
        text = sum_of(times(text, len(kind.values)), found)
    codes = [w.codes.code(e.type, v) if v in e.of else NONE for v in product(*(k.values for _, k in fields))]
    table = w.program.table("table", codes, e.of.family, f"{e.of.family} by the positions of its parts")
    none = bool(missing) or NONE in codes
    whole = f"{table}[{text}]"
    return Val(e.type, (f"(NONE if {' or '.join(missing)} else {whole})" if missing else whole,), none)


def field(w: Body, e: n.Field, env: Env) -> Val:
    item = w.value(e.item, env)
    of = e.item.type.of if isinstance(e.item.type, Optional) else e.item.type
    kind = of.fields[e.position][1]  # type: ignore[union-attr]
    codes = [w.codes.code(kind, v[e.position]) for v in w.codes.listed(of)]  # type: ignore[arg-type]
    name = f"{of.family}.{of.fields[e.position][0]}"  # type: ignore[union-attr]
    table = w.program.table("table", codes, name, f"{name} of each {of.family}")  # type: ignore[union-attr]
    if not item.none:
        return Val(e.type, (f"{table}[{item.text}]",))
    held = w.atom(item.text)
    blank = w.nothing(e.type)
    return Val(e.type, (f"({blank.text} if {held} == NONE else {table}[{held}])",), blank.none)


def is_none(w: Body, e: n.IsNone, env: Env) -> Val:
    item = w.value(e.item, env)
    return Val(e.type, (f"({item.text} == NONE)" if item.none else "False",))


def otherwise(w: Body, e: n.Otherwise, env: Env) -> Val:
    a = w.value(e.a, env)
    if not a.none:
        return a
    a = w.atoms(a)
    return branches(w, e.type, f"{a.text} != NONE", lambda: Val(a.type, a.texts), lambda: w.value(e.b, env))


def narrow(w: Body, e: n.Narrow, env: Env) -> Val:
    item = w.atoms(w.value(e.item, env))
    held = w.inside(item, e.into)
    if held == "True":
        return item
    return Val(e.type, (f"({item.text} if {held} else NONE)",), True)


def scalar_type(t: Type) -> Scalar:
    """The scalar type under an optional, or the type itself."""
    found = t.of if isinstance(t, Optional) else t
    assert isinstance(found, Scalar)
    return found
