"""Over finite domains: quantifiers, choices, comprehensions, folds, walks and closures."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.types import (
    BOOL,
    NONE,
    Int,
    List,
    Map,
    Optional,
    Scalar,
    Set,
    Type,
    fits,
    integers,
    join,
    join_scalars,
    scalar_of,
)
from .expressions import asking, condition, expression, makes, whole_number
from .frame import FALSE, TRUE, Frame, Syntax, ands, folded, known, maybe_none, nots, number, ors
from .kinds import kind
from .world import phrase

Bindings = list[tuple[n.Var, n.Expr, n.Expr]]
"""Binders in order: the name, the set or list it runs over, the condition that narrows it."""


def collection(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """An expression that is a set or a list."""
    made = expression(frame, tree, wanted)
    if not isinstance(made.type, Set | List):
        frame.fail("type.collection", f"this must be a set or a list, and it is {phrase(made.type)}", tree)
    return made


def element(source: n.Expr) -> Scalar | None:
    """The type of a set's or list's elements."""
    return cast("Set | List", source.type).of


def bindings(frame: Frame, tree: Syntax) -> tuple[Frame, Bindings]:
    """The binders of a tree, and the frame in which they are bound."""
    found: Bindings = []
    for child in tree.children:
        binder = cast(Syntax, child)
        if binder.data == "binder_at":
            word, position, source_tree = binder.children
            source = collection(frame, cast(Syntax, source_tree), None)
            if not isinstance(source.type, List):
                frame.fail("type.list", f"positions run along a list; this is {phrase(source.type)}", binder)
            at = n.Var(str(position), integers(1, max(1, source.type.cap)))
            inside = n.AtMost(BOOL, n.Local(at.type, at), n.Size(integers(0, source.type.cap), source))
            frame = frame.bound(at)
            if source.type.of is not None:
                item = n.Item(source.type.of.lifted, source, n.Local(at.type, at))
                frame = frame.binding(**{str(word): item})
            found.append((at, n.Domain(Set(cast(Int, at.type)), cast(Int, at.type)), inside))
            continue
        word, source_tree, where = binder.children
        source = collection(frame, cast(Syntax, source_tree), None)
        of = element(source)
        if of is None:
            source, of = n.Const(Set(frame.world.player), frozenset()), frame.world.player
        var = n.Var(str(word), of)
        frame = frame.bound(var)
        found.append((var, source, condition(frame, cast(Syntax, where)) if where is not None else TRUE))
    return frame, found


def over_all(found: Bindings, body: n.Expr) -> n.Expr:
    """Whether the body holds for every combination."""
    for var, source, where in reversed(found):
        inner = ors(nots(where), body)
        body = inner if isinstance(inner, n.Const) and inner.value else n.All(BOOL, var, source, inner)
    return body


def over_any(found: Bindings, body: n.Expr) -> n.Expr:
    """Whether the body holds for some combination."""
    for var, source, where in reversed(found):
        inner = ands(where, body)
        body = inner if isinstance(inner, n.Const) and not inner.value else n.Any(BOOL, var, source, inner)
    return body


@makes("every_", "some_", "no_")
def _quantified(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    binders, body_tree = (cast(Syntax, c) for c in tree.children)
    inner, found = bindings(frame, binders)
    body = condition(inner, body_tree)
    if tree.data == "every_":
        return over_all(found, body)
    made = over_any(found, body)
    return nots(made) if tree.data == "no_" else made


@makes("count_")
def _count(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    _, found = bindings(frame, cast(Syntax, tree.children[0]))
    return total(found, number(1))


def most_elements(source: n.Expr) -> int:
    """How many elements a set or list has at most."""
    if isinstance(source, n.Const):
        return len(source.value)
    if isinstance(source, n.SetOf | n.ListOf):
        return len(source.items)
    if isinstance(source.type, List):
        return source.type.cap
    of = element(source)
    return len(of.values) if of else 0


def total(found: Bindings, body: n.Expr) -> n.Expr:
    """The sum of the body over every combination."""
    for var, source, where in reversed(found):
        if where is FALSE:
            return number(0)
        t = cast(Int, scalar_of(body.type))
        size = most_elements(source)
        certain = where is TRUE and not maybe_none(body.type) and isinstance(source, n.Domain)
        least, most = (t.lo, t.hi) if certain else (min(0, t.lo), max(0, t.hi))
        least, most = least * size, most * size
        inner = body
        if where is not TRUE:
            inner = n.If(join(body.type, integers(0, 0)) or body.type, where, body, number(0))
        body = n.Sum(integers(least, most), var, source, inner)
    return body


def best(found: Bindings, body: n.Expr, most: bool) -> n.Expr:
    """The most or least of the body over every combination; none where there is none."""
    inner_type = cast(Scalar, scalar_of(body.type))
    for var, source, where in reversed(found):
        inner = (
            body
            if where is TRUE
            else n.If(Optional(inner_type), where, body, n.Const(Optional(inner_type), None))
        )
        body = n.Best(Optional(inner_type), var, source, inner, most)
    return body


def calls_over(frame: Frame, tree: Syntax) -> n.Expr:
    """`sum`, `min` and `max` of an expression over binders."""
    word, body_tree, binders = tree.children
    inner, found = bindings(frame, cast(Syntax, binders))
    body = expression(inner, cast(Syntax, body_tree), None)
    if word == "sum":
        if not isinstance(scalar_of(body.type), Int):
            frame.fail(
                "type.number", f"a sum is of numbers; this is {phrase(body.type)}", cast(Syntax, body_tree)
            )
        return total(found, body)
    if word not in ("min", "max"):
        frame.fail(
            "call.over", f"`{word}` does not run over a set; `sum`, `min` and `max` do", cast(Token, word)
        )
    if scalar_of(body.type) is None:
        frame.fail("type.order", f"{phrase(body.type)} has no order", cast(Syntax, body_tree))
    made = best(found, body, word == "max")
    sure = all(isinstance(s, n.Domain) and w is TRUE for _, s, w in found) and not maybe_none(body.type)
    return n.Otherwise(cast(Type, scalar_of(made.type)), made, _any_value(made)) if sure else made


def _any_value(made: n.Expr) -> n.Expr:
    # Never reached: the most of a domain that is not empty is always there. It settles the type.
    of = cast(Scalar, scalar_of(made.type))
    return known(of.values[0], of)


# ---- choosing


def picked(frame: Frame, tree: Syntax) -> tuple[n.Var, n.Expr, Callable[[n.Expr], n.Expr], n.Expr]:
    """A `pick`: its name, its source, what wraps the result, and the condition an element meets."""
    word, source_tree, extreme, key_tree, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element(source)
    if of is None:
        frame.fail(
            "type.collection", "there is nothing in the empty set to choose from", cast(Syntax, source_tree)
        )
    var = n.Var(str(word), of)
    inner = frame.bound(var)
    where = condition(inner, cast(Syntax, where_tree)) if where_tree is not None else TRUE
    if extreme is None:
        return var, source, lambda made: made, where
    key = whole_number(inner, cast(Syntax, key_tree))
    twin = n.Var(var.name, of)
    again = frame.bound(twin)
    where_again = condition(again, cast(Syntax, where_tree)) if where_tree is not None else TRUE
    key_again = whole_number(again, cast(Syntax, key_tree))
    reached = best([(twin, source, where_again)], key_again, str(extreme).endswith("most"))
    held = n.Var("best", reached.type)
    same = folded(n.Equal(BOOL, key, n.Local(held.type, held)))

    def wrap(made: n.Expr) -> n.Expr:
        return n.Let(made.type, held, reached, made)

    return var, source, wrap, ands(where, same)


@makes("those_")
def _those(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    var, source, wrap, where = picked(frame, cast(Syntax, tree.children[0]))
    return wrap(n.Select(Set(cast(Scalar, var.type)), var, source, where))


@makes("first_")
def _first(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    var, source, wrap, where = picked(frame, cast(Syntax, tree.children[0]))
    return wrap(n.First(var.type.lifted, var, source, where))


@makes("the_")
def _the(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    var, source, wrap, where = picked(frame, cast(Syntax, tree.children[0]))
    of = cast(Scalar, var.type)
    found = n.Select(Set(of), var, source, where)
    held = n.Var("found", found.type)
    them = n.Local(held.type, held)
    alone = n.Equal(BOOL, n.Size(integers(0, len(of.values)), them), number(1))
    only = n.First(of.lifted, n.Var(var.name, of), them, TRUE)
    chosen = n.If(of.lifted, alone, only, n.Const(of.lifted, None))
    return wrap(n.Let(of.lifted, held, found, chosen))


# ---- building


def _joined(frame: Frame, items: list[n.Expr], tree: Syntax) -> Scalar | None:
    of: Scalar | None = None
    for item in items:
        inner = scalar_of(item.type)
        if inner is None and item.type != NONE:
            frame.fail("type.scalar", f"sets and lists hold single values, not {phrase(item.type)}", tree)
        both = join_scalars(of, inner)
        if both is None and of is not None:
            frame.fail("type.compare", f"{of} and {phrase(item.type)} do not mix", tree)
        of = both
    return of


@makes("set_", "list_")
def _display(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    inner = wanted.of if isinstance(wanted, Set | List) else None
    args = cast("Syntax | None", tree.children[0])
    items = [expression(frame, cast(Syntax, a), inner) for a in args.children] if args is not None else []
    of = _joined(frame, items, tree)
    if tree.data == "set_":
        return n.SetOf(Set(of), tuple(items)) if items else n.Const(Set(None), frozenset())
    return n.ListOf(List(of, len(items)), tuple(items)) if items else n.Const(List(None, 0), ())


@makes("set_of", "list_of")
def _comprehension(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    body_tree, binders = (cast(Syntax, c) for c in tree.children)
    inner, found = bindings(frame, binders)
    of_wanted = wanted.of if isinstance(wanted, Set | List) else None
    body = expression(inner, body_tree, of_wanted)
    of = _joined(frame, [body], body_tree)
    if of is None:
        frame.fail("type.scalar", "this is always none", body_tree)
    as_set = tree.data == "set_of"
    var, source, where = found[-1]
    kept = body if where is TRUE else n.If(Optional(of), where, body, n.Const(Optional(of), None))
    if as_set:
        made: n.Expr = n.Image(Set(of), var, source, kept)
    else:
        made = n.Collect(List(of, most_elements(source)), var, source, kept)
    for var, source, where in reversed(found[:-1]):
        made = _gathered(var, source, where, made, as_set)
    return made


def _gathered(var: n.Var, source: n.Expr, where: n.Expr, made: n.Expr, as_set: bool) -> n.Expr:
    """The union (or the concatenation) of what each element gives."""
    of = cast("Set | List", made.type).of
    if as_set:
        t: Type = Set(of)
        empty = n.Const(t, frozenset())
    else:
        t = List(of, cast(List, made.type).cap * most_elements(source))
        empty = n.Const(t, ())
    so_far = n.Var("so far", t)
    more: n.Expr = n.Union(t, n.Local(t, so_far), made) if as_set else n.Concat(t, n.Local(t, so_far), made)
    body = more if where is TRUE else n.If(t, where, more, n.Local(t, so_far))
    return n.Fold(t, var, so_far, source, empty, body)


@makes("map_of")
def _map_of(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    pair_tree, binders = (cast(Syntax, c) for c in tree.children)
    key_tree, value_tree = (cast(Syntax, c) for c in pair_tree.children)
    inner, found = bindings(frame, binders)
    key = expression(inner, key_tree, None)
    var, source, where = found[0]
    plain = isinstance(key, n.Local) and key.var is var and len(found) == 1 and isinstance(source, n.Domain)
    if not plain or where is not TRUE:
        frame.fail("map.keys", "a map is given for every key of a type: `{k -> … for k in Type}`", tree)
    value = expression(inner, value_tree, wanted.of if isinstance(wanted, Map) else None)
    return n.Tabulate(Map(cast(n.Domain, source).of, value.type), var, cast(n.Domain, source).of, value)


@makes("map_")
def _map(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    if not isinstance(wanted, Map):
        frame.fail("map.type", "the place does not tell which map this is", tree)
    var = n.Var("key", wanted.keys)
    value: n.Expr = n.Const(wanted.of, wanted.of.nothing)
    if not fits(n.Const(wanted.of.lifted, wanted.of.nothing).type, wanted.of):
        value = n.Const(wanted.of, _default(wanted.of))
    for child in reversed(tree.children):
        key_tree, value_tree = (cast(Syntax, c) for c in cast(Syntax, child).children)
        key = asking(frame, key_tree, wanted.keys)
        here = asking(frame, value_tree, wanted.of)
        value = n.If(wanted.of, n.Equal(BOOL, n.Local(var.type, var), key), here, value)
    if len(tree.children) < len(wanted.keys.values) and wanted.of.lifted != wanted.of:
        frame.fail("map.keys", f"{wanted.of} has no none, so every key needs a value", tree)
    return n.Tabulate(wanted, var, wanted.keys, value)


def _default(t: Type) -> object:
    return t.values[0] if isinstance(t, Scalar) else t.nothing


@makes("range_")
def _range(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    lo, hi = (whole_number(frame, cast(Syntax, c)) for c in tree.children)
    if isinstance(lo, n.Const) and isinstance(hi, n.Const):
        if lo.value > hi.value:
            return n.Const(Set(integers(lo.value, lo.value)), frozenset())
        of = integers(lo.value, hi.value)
        return n.Domain(Set(of), of)
    low, high = cast(Int, scalar_of(lo.type)).lo, cast(Int, scalar_of(hi.type)).hi
    of = integers(low, max(low, high))
    var = n.Var("i", of)
    i = n.Local(of, var)
    inside = ands(folded(n.AtMost(BOOL, lo, i)), folded(n.AtMost(BOOL, i, hi)))
    return n.Select(Set(of), var, n.Domain(Set(of), of), inside)


# ---- bounded repetition


@makes("fold_")
def _fold(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, type_tree, start_tree, binder, body_tree = tree.children
    t = kind(frame, cast(Syntax, type_tree))
    start = asking(frame, cast(Syntax, start_tree), t)
    inner, found = bindings(frame, Tree("binders", [cast(Syntax, binder)]))
    so_far = n.Var(str(word), t)
    var, source, where = found[0]
    body = asking(inner.bound(so_far), cast(Syntax, body_tree), t)
    if where is not TRUE:
        body = n.If(t, where, body, n.Local(t, so_far))
    return n.Fold(t, var, so_far, source, start, body)


@makes("follow_")
def _follow(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, start_tree, step_tree, cond_tree, times_tree = tree.children
    start = expression(frame, cast(Syntax, start_tree), wanted)
    of = scalar_of(start.type)
    if of is None:
        frame.fail("type.scalar", f"`follow` walks over single values, not {phrase(start.type)}", tree)
    for _ in range(4):
        var = n.Var(str(word), of)
        step = expression(frame.bound(var), cast(Syntax, step_tree), of)
        wider = join_scalars(of, scalar_of(step.type))
        if wider is None:
            frame.fail("type.compare", f"{of} and {phrase(step.type)} do not mix", cast(Syntax, step_tree))
        if wider.within(of):
            break
        of = wider
    else:
        frame.fail(
            "follow.type", "the steps leave every range; narrow the step to a type", cast(Syntax, step_tree)
        )
    cond = condition(frame.bound(var), cast(Syntax, cond_tree))
    times = whole_number(frame, cast(Syntax, times_tree))
    most = max(0, cast(Int, scalar_of(times.type)).hi)
    return n.Follow(Optional(of) if maybe_none(start.type) else of, var, start, step, cond, times, most)


@makes("reached_")
def _reached(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, source_tree, start_tree, via_word, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element(source)
    if of is None:
        return n.Const(Set(None), frozenset())
    start = collection(frame, cast(Syntax, start_tree), Set(of))
    start_of = element(start)
    if not isinstance(start.type, Set) or (start_of is not None and start_of.family != of.family):
        frame.fail(
            "type.compare",
            f"the start must be a set of {of}, and it is {phrase(start.type)}",
            cast(Syntax, start_tree),
        )
    var, via = n.Var(str(word), of), n.Var(str(via_word), of)
    body = condition(frame.bound(var).bound(via), cast(Syntax, where_tree))
    return n.Reach(Set(of), var, source, start, via, body)
