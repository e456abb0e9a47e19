"""Sets, lists, maps and ranges, written out or collected over binders."""

from __future__ import annotations

from typing import cast

from ...core import nodes as n
from ...core.types import (
    BOOL,
    NONE,
    Bag,
    Int,
    List,
    Map,
    Optional,
    Scalar,
    Set,
    Type,
    fits,
    integers,
    join_scalars,
    scalar_of,
)
from ..syntax.parser import Syntax
from .bags import bag_of
from .domains import bindings, most_elements
from .expressions import expression, expression_of_type, makes, whole_number
from .folding import TRUE, conjunction, fold
from .world import Frame, phrase


def _common_type(frame: Frame, items: list[n.Expr], tree: Syntax) -> Scalar | None:
    """The smallest type of several values; None if all are none."""
    of: Scalar | None = None
    for item in items:
        inner = scalar_of(item.type)
        if inner is None and item.type != NONE:
            message = f"sets and lists hold single values, not {phrase(item.type)}"
            frame.fail("type.scalar", message, tree, help="a range is a set already: `x in 1..3`")
        both = join_scalars(of, inner)
        if both is None and of is not None:
            frame.fail("type.compare", f"{of} and {phrase(item.type)} do not mix", tree)
        of = both
    return of


@makes("set_", "list_")
def _display(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """A set, list or bag with its elements written out."""
    inner = wanted.of if isinstance(wanted, Set | List) else None
    args = cast("Syntax | None", tree.children[0])
    if isinstance(wanted, Bag):
        listed = [cast(Syntax, a) for a in args.children] if args is not None else []
        return bag_of(frame, wanted, listed, tree)
    items = [expression(frame, cast(Syntax, a), inner) for a in args.children] if args is not None else []
    of = _common_type(frame, items, tree)
    if tree.data == "set_":
        return n.SetOf(Set(of), tuple(items)) if items else n.Const(Set(None), frozenset())
    return n.ListOf(List(of, len(items)), tuple(items)) if items else n.Const(List(None, 0), ())


@makes("set_of", "list_of")
def _comprehension(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    body_tree, binders = (cast(Syntax, c) for c in tree.children)
    inner, found = bindings(frame, binders)
    of_wanted = wanted.of if isinstance(wanted, Set | List) else None
    body = expression(inner, body_tree, of_wanted)
    of = _common_type(frame, [body], body_tree)
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
        made = _gather(var, source, where, made, as_set)
    return made


def _gather(var: n.Var, source: n.Expr, where: n.Expr, made: n.Expr, as_set: bool) -> n.Expr:
    """The union (or the concatenation) of the values for each element."""
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
        frame.fail("map.type", "the context does not say which map this is", tree)
    var = n.Var("key", wanted.keys)
    value: n.Expr = n.Const(wanted.of, wanted.of.nothing)
    if not fits(n.Const(wanted.of.with_none, wanted.of.nothing).type, wanted.of):
        value = n.Const(wanted.of, _default(wanted.of))
    for child in reversed(tree.children):
        key_tree, value_tree = (cast(Syntax, c) for c in cast(Syntax, child).children)
        key = expression_of_type(frame, key_tree, wanted.keys)
        here = expression_of_type(frame, value_tree, wanted.of)
        value = n.If(wanted.of, n.Equal(BOOL, n.Local(var.type, var), key), here, value)
    if len(tree.children) < len(wanted.keys.values) and wanted.of.with_none != wanted.of:
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
    inside = conjunction(fold(n.AtMost(BOOL, lo, i)), fold(n.AtMost(BOOL, i, hi)))
    return n.Select(Set(of), var, n.Domain(Set(of), of), inside)
