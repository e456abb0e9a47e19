"""Operators on maps, sets and lists, as code."""

from __future__ import annotations

from collections.abc import Callable

from ...core import nodes as n
from ...core.types import List, Map, Optional, Set
from ..body import Body
from ..loops import add_scalar, empty_words, some_of
from ..vals import Env, Val, is_number, plus, sum_of, times
from .plain import branches, fitted, scalar_type
from .repetition import append


def tabulate(w: Body, e: n.Tabulate, env: Env) -> Val:
    assert isinstance(e.type, Map)
    at, t = w.slot(e.type), e.type
    codes = w.codes.codes(t.keys)
    i = w.local("i")
    with w.block(f"for {i} in range({len(codes)})"):
        if codes[-1] - codes[0] + 1 == len(codes):
            key = plus(i, codes[0])
        else:
            key = f"{some_of(w, t.keys, codes)}[{i}]"
        key = w.fresh(Val(t.keys, (key,)), e.var).text
        found = fitted(w, t.of, w.value(e.body, {**env, e.var: Val(e.var.type, (key,))}))
        w.put(t.of, sum_of(str(at), times(i, w.program.size(t.of))), found)
    return Val(t, (str(at),))


def read(w: Body, e: n.Read, env: Env) -> Val:
    t = e.map.type
    assert isinstance(t, Map)
    place, sure = w.index(w.value(e.key, env), t.keys)
    if sure:
        return w.element(w.value(e.map, env), place)
    blank = w.nothing(e.type)
    if place == "-1":
        return blank
    place = w.fresh(Val(t.keys, (place,)), "place").text

    def found() -> Val:
        held = w.element(w.value(e.map, env), place)
        return Val(e.type, held.texts, held.none or (isinstance(e.type, Optional) and held.none))

    return branches(w, e.type, f"{place} >= 0", found, lambda: blank)


def set_of(w: Body, e: n.SetOf, env: Env) -> Val:
    assert isinstance(e.type, Set)
    vals = [w.value(item, env) for item in e.items]
    if len(vals) == 1 and not vals[0].none and w.codes.words(e.type.of) == 1 and e.type.of is not None:
        return Val(e.type, (f"BIT[{w.bit(vals[0].text, e.type.of)}]",))
    names = empty_words(w, e.type, "those")
    for val in vals:
        if val.text != "NONE" and e.type.of is not None:
            add_scalar(w, names, e.type.of, val)
    return Val(e.type, tuple(names))


def member(w: Body, e: n.Member, env: Env) -> Val:
    item = w.atoms(w.value(e.item, env))
    if item.text == "NONE":
        return Val(e.type, ("False",))
    if isinstance(e.of, n.Domain):
        return Val(e.type, (f"({w.inside(item, e.of.of)})",))
    of = w.value(e.of, env)
    if isinstance(e.of.type, List):
        found = f"in_list(s, {', '.join(of.texts)}, {item.text})"
        return Val(e.type, (f"({item.text} != NONE and {found})" if item.none else found,))
    assert isinstance(e.of.type, Set)
    if e.of.type.of is None:
        return Val(e.type, ("False",))
    if len(of.texts) > 1:
        of = w.atoms(of)
    mine = scalar_type(item.type)
    base = w.codes.base(mine)
    bit = w.bit(item.text, mine)
    codes = w.codes.codes(mine)
    found = w.has_bit(of.texts, bit)
    inside = []
    if codes[0] < base or codes[-1] - base >= 64 * len(of.texts):
        inside.append(f"0 <= {bit} < {64 * len(of.texts)}")
    elif item.none:
        inside.append(f"{item.text} != NONE")
    return Val(e.type, (f"({' and '.join([*inside, found])})",))


def of_sets(sign: str) -> Callable[[Body, n.Union, Env], Val]:
    """Union (`|`), intersection (`&`) or difference (`& ~`)."""

    def joined(a: str, b: str) -> str:
        if sign == "&" and "ZERO" in (a, b):
            return "ZERO"
        if b == "ZERO":
            return a
        if a == "ZERO":
            return b if sign == "|" else "ZERO"
        return f"({a} {sign} {b})" if sign != "& ~" else f"({a} & ~{b})"

    def handler(w: Body, e: n.Union, env: Env) -> Val:
        assert isinstance(e.type, Set)
        a, b = w.value(e.a, env), w.value(e.b, env)
        size = max(len(a.texts), len(b.texts))
        pairs = zip(w.widened(a.texts, size), w.widened(b.texts, size), strict=True)
        return fitted(w, e.type, Val(e.type, tuple(joined(x, y) for x, y in pairs)))

    return handler


def list_of(w: Body, e: n.ListOf, env: Env) -> Val:
    assert isinstance(e.type, List)
    at = w.slot(List(e.type.of, len(e.items)))
    count = w.local("count_")
    w.line(f"{count} = 0")
    for item in e.items:
        append(w, at, count, w.value(item, env))
    return Val(e.type, (str(at), count))


def item(w: Body, e: n.Item, env: Env) -> Val:
    first, size = w.value(e.list, env).texts
    at = w.atoms(w.value(e.position, env))
    blank = w.nothing(e.type)
    if e.list.type.of is None:  # type: ignore[attr-defined]
        return blank
    if is_number(at.text) and int(at.text) < 1:
        return blank
    low = "" if is_number(at.text) else "1 <= "
    text = f"(s[{sum_of(first, at.text, '-1')}] if {low}{at.text} <= {size} else {blank.text})"
    return Val(e.type, (text,), blank.none)


def slice_(w: Body, e: n.Slice, env: Env) -> Val:
    listed = w.atoms(w.value(e.list, env))
    first, size = listed.texts
    a, b = w.atoms(w.value(e.first, env)), w.atoms(w.value(e.last, env))
    begin = w.atom(f"max({a.text}, 1)", "first")
    missing = [f"{x.text} == NONE" for x in (a, b) if x.none]
    long = f"max(0, min({b.text}, {size}) - {begin} + 1)"
    text = f"(0 if {' or '.join(missing)} else {long})" if missing else long
    return Val(e.type, (sum_of(first, begin, "-1"), w.atom(text, "size_")))


def end(topmost: bool) -> Callable[[Body, n.Top, Env], Val]:
    """The topmost elements of a list, or those below them."""

    def handler(w: Body, e: n.Top, env: Env) -> Val:
        first, size = w.atoms(w.value(e.list, env)).texts
        count = w.atoms(w.value(e.count, env))
        # None is below every number, so it takes nothing either.
        wanted = str(max(int(count.text), 0)) if is_number(count.text) else f"max({count.text}, 0)"
        taken = w.atom(f"min({wanted}, {size})", "taken")
        rest = f"({size} - {taken})"
        return Val(e.type, (f"({first} + {rest})", taken) if topmost else (first, rest))

    return handler


def concat(w: Body, e: n.Concat, env: Env) -> Val:
    assert isinstance(e.type, List)
    at = w.slot(e.type)
    a = w.atoms(w.value(e.a, env))
    w.line(f"move(s, {at}, {a.texts[0]}, {a.texts[1]})")
    size = w.fresh(Val(e.type, (a.texts[1],)), "size_").texts[0]
    b = w.atoms(w.value(e.b, env))
    w.line(f"move(s, {sum_of(str(at), size)}, {b.texts[0]}, {b.texts[1]})")
    return Val(e.type, (str(at), f"({size} + {b.texts[1]})"))
