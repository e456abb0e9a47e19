"""Bags: the number of things of each kind, as maps from kinds to numbers."""

from __future__ import annotations

from typing import cast

from lark import Token

from ...core import nodes as n
from ...core.types import BOOL, Bag, Int, List, Set, integers, scalar_of
from ..syntax.parser import Syntax
from .arithmetic import arithmetic
from .expressions import expression, expression_of_type, is_counted, quotes_needed
from .folding import number
from .lvalues import Place, store
from .world import Frame, phrase


def bag_of(frame: Frame, t: Bag, args: list[Syntax], tree: Syntax) -> n.Expr:
    """A bag written out: `{7 copper, castle}`."""
    most = cast(Int, t.of).hi
    counts: dict[int, int] = {}
    for arg in args:
        counted = is_counted(arg)
        count = int(cast(Token, arg.children[0])) if counted else 1
        kind = expression_of_type(frame, cast(Syntax, arg.children[1]) if counted else arg, t.keys)
        if not isinstance(kind, n.Const):
            frame.fail("bag.kind", "the kinds of a bag that is written out are known beforehand", arg)
        position = t.keys.values.index(kind.value)
        if position in counts:
            frame.fail("bag.kind", "this kind appears here twice", arg)
        if count > most:
            frame.fail("bag.size", f"{t} holds at most {most} of a kind, not {count}", arg)
        counts[position] = count
    return n.Const(t, tuple(counts.get(i, 0) for i in range(len(t.keys.values))))


def number_of(bag: n.Expr, kind: n.Expr) -> n.Expr:
    """The number of elements of a kind in a bag."""
    return n.Read(cast(Bag, bag.type).of, bag, kind)


def total(bag: n.Expr) -> n.Expr:
    """The number of elements in a bag."""
    t = cast(Bag, bag.type)
    var = n.Var("kind", t.keys)
    most = cast(Int, t.of).hi * len(t.keys.values)
    body = number_of(bag, n.Local(t.keys, var))
    return n.Sum(integers(0, most), var, n.Domain(Set(t.keys), t.keys), body)


def things_in(bag: n.Expr) -> n.Expr:
    """The elements of a bag as a list, equal ones side by side."""
    t = cast(Bag, bag.type)
    of, most = t.keys, cast(Int, t.of).hi
    kind, copy = n.Var("kind", of), n.Var("copy", integers(1, max(1, most)))
    numbers, whole = cast(Int, copy.type), List(of, most * len(of.values))
    inside = n.AtMost(BOOL, n.Local(numbers, copy), number_of(bag, n.Local(of, kind)))
    thing = n.If(of.with_none, inside, n.Local(of, kind), n.Const(of.with_none, None))
    alike = n.Collect(List(of, most), copy, n.Domain(Set(numbers), numbers), thing)
    so_far = n.Var("so far", whole)
    more = n.Concat(whole, n.Local(whole, so_far), alike)
    return n.Fold(whole, kind, so_far, n.Domain(Set(of), of), n.Const(whole, ()), more)


def _kind_of(frame: Frame, t: Bag, tree: Syntax) -> tuple[n.Expr, n.Expr]:
    """A number and a kind, as in `3 copper`; the number is 1 unless written."""
    if is_counted(tree):
        written, kind_tree = cast(Token, tree.children[0]), cast(Syntax, tree.children[1])
        count = frame.put(number(int(written)), written)
        return count, expression_of_type(frame, kind_tree, t.keys.with_none)
    kind = expression(frame, tree, t.keys)
    of = scalar_of(kind.type)
    if of is None or of.family != t.keys.family:
        help = quotes_needed(tree, t.keys)
        frame.fail("type.store", f"{t} does not take {phrase(kind.type)}", tree, help=help)
    return number(1), kind


def change(frame: Frame, here: Place, value_tree: Syntax, sign: str) -> n.Effect:
    """Add elements of a kind to a bag, or remove them; too many, or a negative number, is a fault of play."""
    var, path, t = here
    assert isinstance(t, Bag)
    count, kind = _kind_of(frame, t, value_tree)
    held = n.Var("kind", kind.type)
    k = n.Local(held.type, held)
    now: n.Expr = n.Get(var.type, var)
    for key in path:
        now = n.Read(cast("Bag", now.type).of, now, key)
    there = n.Read(t.of if held.type is t.keys or kind.type == t.keys else t.of.with_none, now, k)
    stored = store(frame, (var, (*path, k), t.of), arithmetic(sign, there, count), value_tree)
    return n.Bind(held, kind, frame.put(stored, value_tree))


def move_all(frame: Frame, source: Place, target: Place, tree: Syntax) -> n.Effect:
    """Move all elements of one bag into another."""
    t, into = source[2], target[2]
    if not isinstance(t, Bag) or not isinstance(into, Bag) or t.keys is not into.keys:
        frame.fail("type.store", f"this cannot be moved into {phrase(into)}", tree)
    kind = n.Var("kind", t.keys)
    k = n.Local(t.keys, kind)
    both = []
    for var, path, of in (source, target):
        now: n.Expr = n.Get(var.type, var)
        for key in path:
            now = n.Read(cast("Bag", now.type).of, now, key)
        both.append(((var, (*path, k), cast(Bag, of).of), n.Read(cast(Bag, of).of, now, k)))
    (gone, there), (put, more) = both
    more_there = frame.put(store(frame, put, arithmetic("+", more, there), tree), tree)
    body = n.Block((more_there, store(frame, gone, number(0), tree)))
    return n.ForEach(kind, n.Domain(Set(t.keys), t.keys), body)
