"""Operators over finite domains: binders, quantifiers, counts, sums, extremes, choices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.types import (
    BOOL,
    Bag,
    Int,
    List,
    Map,
    Optional,
    Scalar,
    Set,
    Truth,
    Type,
    integers,
    join,
    scalar_of,
)
from ..syntax.habits import CALLS
from ..syntax.parser import Syntax
from .arithmetic import arithmetic
from .bags import number_of, things_in
from .expressions import bag_in, collection, condition, element_type, expression, makes, whole_number
from .folding import FALSE, TRUE, conjunction, constant, disjunction, fold, maybe_none, negation, number
from .world import Frame, phrase

Bindings = list[tuple[n.Var, n.Expr, n.Expr]]
"""Binders in order: the name, its set or list, and the condition that restricts it."""


def bindings(frame: Frame, tree: Syntax, numbers: list[n.Expr] | None = None) -> tuple[Frame, Bindings]:
    """The binders of a tree, and the frame in which they are bound.

    With `each x in b` a list has all elements of a bag. In a sum or a count, `numbers` gets the multiplicity
    of each kind.
    """
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
                item = n.Item(source.type.of.with_none, source, n.Local(at.type, at))
                frame = frame.binding(**{str(word): item})
            found.append((at, n.Domain(Set(cast(Int, at.type)), cast(Int, at.type)), inside))
            continue
        word, source_tree, where = binder.children
        source = collection(frame, cast(Syntax, source_tree), None)
        of = element_type(source)
        if of is None:
            source, of = n.Const(Set(frame.world.player), frozenset()), frame.world.player
        var = n.Var(str(word), of)
        bag = bag_in(source) if binder.data == "binder_each" else None
        if bag is not None and numbers is not None:
            numbers.append(number_of(bag, n.Local(of, var)))
            source = n.Domain(Set(of), of)
        elif bag is not None:
            source = things_in(bag)
        frame = frame.bound(var)
        found.append((var, source, condition(frame, cast(Syntax, where)) if where is not None else TRUE))
        frame = frame.knowing(found[-1][2])
    return frame, found


def over_all(found: Bindings, body: n.Expr) -> n.Expr:
    """An expression that is true if the body holds for every combination of the binders' values."""
    for var, source, where in reversed(found):
        inner = disjunction(negation(where), body)
        body = inner if isinstance(inner, n.Const) and inner.value else n.All(BOOL, var, source, inner)
    return body


def over_any(found: Bindings, body: n.Expr) -> n.Expr:
    """An expression that is true if the body holds for some combination of the binders' values."""
    for var, source, where in reversed(found):
        inner = conjunction(where, body)
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
    return negation(made) if tree.data == "no_" else made


@makes("count_")
def _count(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    numbers: list[n.Expr] = []
    _, found = bindings(frame, cast(Syntax, tree.children[0]), numbers)
    return total(found, reduce(partial(arithmetic, "*"), numbers) if numbers else number(1))


def sum_of(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    """The sum of the numbers in a set, a list or a bag: `sum(dice)`."""
    t = expression(frame, trees[0], None).type
    if isinstance(t, Map) and not isinstance(t, Bag):
        help = "the numbers in a map are added by `sum(m[k] for k in K)`"
        frame.fail("type.collection", f"this must be a set, a list or a bag, but it is {t}", tree, help=help)
    item = Token("NAME", "item")
    binder: Syntax = Tree("binder_each", [item, trees[0], cast(Syntax, None)], tree.meta)
    name: Syntax = Tree("name", [item], tree.meta)
    things: Syntax = Tree("things", [binder], tree.meta)
    parts = [tree.children[0], name, things]
    return _call_over(frame, Tree("call_over", parts, tree.meta), wanted)


def most_elements(source: n.Expr) -> int:
    """Maximum size of a set or list."""
    if isinstance(source, n.Const):
        return len(source.value)
    if isinstance(source, n.SetOf | n.ListOf):
        return len(source.items)
    if isinstance(source, n.Call) and source.function.falling is None:
        return most_elements(source.function.body)
    if isinstance(source.type, List):
        return source.type.cap
    of = element_type(source)
    return len(of.values) if of else 0


def total(found: Bindings, body: n.Expr) -> n.Expr:
    """The sum of the body over every combination of the binders' values."""
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
    """The greatest or least value of the body over every combination of binders' values; none without any."""
    inner_type = cast(Scalar, scalar_of(body.type))
    for var, source, where in reversed(found):
        inner = (
            body
            if where is TRUE
            else n.If(Optional(inner_type), where, body, n.Const(Optional(inner_type), None))
        )
        body = n.Best(Optional(inner_type), var, source, inner, most)
    return body


@makes("call_over")
def _call_over(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """A sum, minimum or maximum over binders."""
    word, body_tree, binders = tree.children
    numbers: list[n.Expr] = []
    inner, found = bindings(frame, cast(Syntax, binders), numbers if word == "sum" else None)
    body = expression(inner, cast(Syntax, body_tree), None)
    if word == "sum":
        if not isinstance(scalar_of(body.type), Int):
            words = f"only numbers can be summed; this is {phrase(body.type)}"
            frame.fail("type.number", words, cast(Syntax, body_tree))
        return total(found, reduce(partial(arithmetic, "*"), numbers, body))
    if word not in ("min", "max"):
        message = f"`{word}` does not run over a set; `sum`, `min` and `max` do"
        frame.fail("call.over", message, cast(Token, word), help=CALLS.get(str(word), ""))
    if scalar_of(body.type) is None or isinstance(scalar_of(body.type), Truth):
        frame.fail("type.order", f"{phrase(body.type)} has no order", cast(Syntax, body_tree))
    made = best(found, body, word == "max")
    sure = all(_never_empty(s) and w is TRUE for _, s, w in found) and not maybe_none(body.type)
    return n.Otherwise(cast(Type, scalar_of(made.type)), made, _any_value(made)) if sure else made


def _never_empty(source: n.Expr) -> bool:
    return isinstance(source, n.Domain) or (isinstance(source, n.Const) and bool(source.value))


def _any_value(made: n.Expr) -> n.Expr:
    # Never reached: the most of a domain that is not empty is always there. It settles the type.
    of = cast(Scalar, scalar_of(made.type))
    return constant(of.values[0], of)


# ---- choosing


def elaborate_pick(frame: Frame, tree: Syntax) -> tuple[n.Var, n.Expr, Callable[[n.Expr], n.Expr], n.Expr]:
    """The parts of a `pick`: its name, its source, a wrapper for the result, and the condition."""
    word, source_tree, extreme, key_tree, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element_type(source)
    if of is None:
        words = "the empty set has nothing to choose from"
        frame.fail("type.collection", words, cast(Syntax, source_tree))
    var = n.Var(str(word), of)
    inner = frame.bound(var)
    where = condition(inner, cast(Syntax, where_tree)) if where_tree is not None else TRUE
    if extreme is None:
        return var, source, lambda made: made, where
    key = whole_number(inner.knowing(where), cast(Syntax, key_tree))
    twin = n.Var(var.name, of)
    again = frame.bound(twin)
    where_again = condition(again, cast(Syntax, where_tree)) if where_tree is not None else TRUE
    key_again = whole_number(again.knowing(where_again), cast(Syntax, key_tree))
    reached = best([(twin, source, where_again)], key_again, str(extreme).endswith("most"))
    held = n.Var("best", reached.type)
    same = fold(n.Equal(BOOL, key, n.Local(held.type, held)))

    def wrap(made: n.Expr) -> n.Expr:
        return n.Let(made.type, held, reached, made)

    return var, source, wrap, conjunction(where, same)


@makes("those_")
def _those(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    var, source, wrap, where = elaborate_pick(frame, cast(Syntax, tree.children[0]))
    return wrap(n.Select(Set(cast(Scalar, var.type)), var, source, where))


@makes("first_")
def _first(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    var, source, wrap, where = elaborate_pick(frame, cast(Syntax, tree.children[0]))
    return wrap(n.First(var.type.with_none, var, source, where))


@makes("the_")
def _the(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """The only element that satisfies a condition, else none."""
    var, source, wrap, where = elaborate_pick(frame, cast(Syntax, tree.children[0]))
    of = cast(Scalar, var.type)
    found = n.Select(Set(of), var, source, where)
    held = n.Var("found", found.type)
    them = n.Local(held.type, held)
    alone = n.Equal(BOOL, n.Size(integers(0, len(of.values)), them), number(1))
    only = n.First(of.with_none, n.Var(var.name, of), them, TRUE)
    chosen = n.If(of.with_none, alone, only, n.Const(of.with_none, None))
    return wrap(n.Let(of.with_none, held, found, chosen))
