"""Statements that change the contents of places: adding, removing, exchanging, moving."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.types import BOOL, Bag, Int, List, Optional, Scalar, Set, Type, integers, join_scalars, scalar_of
from ..syntax.parser import Syntax
from .arithmetic import arithmetic
from .bags import change, move_all
from .expressions import expression, whole_number
from .extremes import extreme
from .folding import TRUE, conjunction, fold, maybe_none, negation, number
from .lvalues import Place, bind, place, store, value_at, with_fixed_keys
from .world import Frame, phrase


def assign(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `place := value`; raises RulesetError if the value does not fit."""
    target_tree, value_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    return store(frame, here, expression(frame, value_tree, here[2]), value_tree)


def add(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `add value to place`: into a set or bag, on top of a list, or to a number."""
    value_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    return _add(frame, place(frame, target_tree), value_tree, target_tree)


def add_value(frame: Frame, here: Place, value: n.Expr, tree: Syntax) -> n.Effect:
    """Add a value that has no text of its own to a place."""
    return _add(frame.binding(drawn=value), here, Tree("name", [Token("NAME", "drawn")], tree.meta), tree)


def remove_value(frame: Frame, here: Place, value: n.Expr, tree: Syntax) -> n.Effect:
    """Remove a value that has no text of its own from a place."""
    return _remove(frame.binding(drawn=value), here, Tree("name", [Token("NAME", "drawn")], tree.meta), tree)


def _add(frame: Frame, here: Place, value_tree: Syntax, target_tree: Syntax) -> n.Effect:
    now, t = value_at(frame, here, target_tree), here[2]
    if isinstance(t, Bag):
        return change(frame, here, value_tree, "+")
    if isinstance(t, Set):
        value = expression(frame, value_tree, t.of)
        of = _element_stored(frame, value, t, value_tree)
        more: n.Expr = n.SetOf(Set(of), (value,))
        return store(frame, here, n.Union(Set(join_scalars(t.of, of)), now, more), value_tree)
    if isinstance(t, List):
        value = expression(frame, value_tree, t.of)
        more = n.ListOf(List(_element_stored(frame, value, t, value_tree), 1), (value,))
        return store(frame, here, _concat(now, more), value_tree)
    if isinstance(scalar_of(t), Int):
        return store(frame, here, arithmetic("+", now, whole_number(frame, value_tree)), value_tree)
    frame.fail("type.add", f"one adds to a set, a list or a number; this is {phrase(t)}", target_tree)


def add_within(frame: Frame, tree: Syntax) -> n.Effect:
    """Add to a number up to a bound, or remove from it down to a bound."""
    value_tree, target_tree, bound_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    if not isinstance(scalar_of(here[2]), Int):
        frame.fail("type.number", f"only a number has a bound; this is {phrase(here[2])}", target_tree)
    up = tree.data == "add_up_to"
    now, amount = value_at(frame, here, target_tree), whole_number(frame, value_tree)
    bound = whole_number(frame, bound_tree)
    return store(frame, here, extreme(arithmetic("+" if up else "-", now, amount), bound, up), value_tree)


def _element_stored(frame: Frame, value: n.Expr, t: Set | List, tree: Syntax) -> Scalar | None:
    of = scalar_of(value.type)
    if of is None or t.of is None or of.family != t.of.family:
        frame.fail("type.store", f"{phrase(t)} does not take {phrase(value.type)}", tree)
    return of


def _concat(a: n.Expr, b: n.Expr) -> n.Expr:
    x, y = cast(List, a.type), cast(List, b.type)
    return n.Concat(List(join_scalars(x.of, y.of), x.cap + y.cap), a, b)


def remove(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `remove value from place`."""
    value_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    return _remove(frame, place(frame, target_tree), value_tree, target_tree)


def _remove(frame: Frame, here: Place, value_tree: Syntax, target_tree: Syntax) -> n.Effect:
    now, t = value_at(frame, here, target_tree), here[2]
    if isinstance(t, Bag):
        return change(frame, here, value_tree, "-")
    if isinstance(t, Set):
        value = expression(frame, value_tree, t.of)
        less = n.SetOf(Set(_element_stored(frame, value, t, value_tree)), (value,))
        return store(frame, here, n.Difference(t, now, less), value_tree)
    if isinstance(t, List):
        value = expression(frame, value_tree, t.of)
        _element_stored(frame, value, t, value_tree)
        return _remove_first(frame, here, now, value, target_tree)
    if isinstance(scalar_of(t), Int):
        return store(frame, here, arithmetic("-", now, whole_number(frame, value_tree)), value_tree)
    frame.fail("type.add", f"one removes from a set, a list or a number; this is {phrase(t)}", target_tree)


def _remove_first(frame: Frame, here: Place, now: n.Expr, value: n.Expr, tree: Syntax) -> n.Effect:
    """Remove the first occurrence of a value from a list."""
    t = cast(List, here[2])
    positions = integers(1, max(1, t.cap))
    i, held = n.Var("i", positions), n.Var("at", Optional(positions))
    there = n.Item(cast(Scalar, t.of).with_none, now, n.Local(positions, i))
    some = negation(fold(n.IsNone(BOOL, value))) if maybe_none(value.type) else TRUE
    same = conjunction(some, n.Equal(BOOL, there, value))
    found = n.First(held.type, i, n.Domain(Set(positions), positions), same)
    at = n.Local(held.type, held)
    size = n.Size(integers(0, t.cap), now)
    below, above = arithmetic("-", at, number(1)), arithmetic("+", at, number(1))
    rest = _concat(n.Slice(t, now, number(1), below), n.Slice(t, now, above, size))
    body = n.When(n.IsNone(BOOL, at), n.NOTHING_DONE, store(frame, here, rest, tree))
    return n.Bind(held, found, body)


def put_under(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `put value under place`: below the lowest element of a list."""
    value_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    if not isinstance(here[2], List):
        frame.fail("type.list", f"one puts under a list; this is {phrase(here[2])}", target_tree)
    value = expression(frame, value_tree, here[2].of)
    more = n.ListOf(List(_element_stored(frame, value, here[2], value_tree), 1), (value,))
    return store(frame, here, _concat(more, value_at(frame, here, target_tree)), value_tree)


def swap(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `swap place with place`; both values are read before either is stored."""
    (one, of_one), (two, of_two) = (with_fixed_keys(place(frame, cast(Syntax, c))) for c in tree.children)
    parts = zip((one, two), tree.children, strict=True)
    first, second = (value_at(frame, p, cast(Syntax, c)) for p, c in parts)
    a, b = n.Var("a", first.type), n.Var("b", second.type)
    both = n.Block((store(frame, one, n.Local(b.type, b), tree), store(frame, two, n.Local(a.type, a), tree)))
    return bind([*of_one, *of_two, (a, first), (b, second)], both)


def remove_part(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `remove` with the top or bottom of a list, or all of it: that leaves the game."""
    part, place_tree = cast(Syntax, tree.children[0]), cast(Syntax, tree.children[1])
    source, bound = with_fixed_keys(place(frame, place_tree))
    if not isinstance(source[2], List):
        help = "`s := {}` leaves a set or a bag empty" if isinstance(source[2], Set | Bag) else ""
        frame.fail("type.list", f"a list has a top; this is {phrase(source[2])}", place_tree, help=help)
    now = value_at(frame, source, place_tree)
    k, named = _count(frame, part)
    _, left = _split(now, source[2], n.Size(integers(0, source[2].cap), now), k, str(part.data))
    return bind([*named, *bound], store(frame, source, left, place_tree))


# ---- moving


def _count(frame: Frame, part: Syntax) -> tuple[n.Expr, list[tuple[n.Var, n.Expr]]]:
    """The size of a part of a list, as a constant or a local name, and that name with its value."""
    tree = cast(Syntax, part.children[0]) if part.children and part.children[0] is not None else None
    count = whole_number(frame, tree) if tree is not None else number(1)
    if isinstance(count, n.Const):
        return count, []
    held = n.Var("count", count.type)
    return n.Local(count.type, held), [(held, count)]


def move_part(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `move` with the top or bottom of a list, or some of its elements, to another place."""
    part, from_tree, side, to_tree = tree.children
    part, from_tree, to_tree = cast(Syntax, part), cast(Syntax, from_tree), cast(Syntax, to_tree)
    (source, of_source), (target, of_target) = (
        with_fixed_keys(place(frame, t)) for t in (from_tree, to_tree)
    )
    if isinstance(source[2], Bag) and part.data == "part_all":
        moved = _where_somewhere(target, move_all(frame, source, target, to_tree))
        return bind([*of_source, *of_target], moved)
    if not isinstance(source[2], List):
        words = f"only the top or bottom of a list can be moved; this is {phrase(source[2])}"
        frame.fail("type.list", words, from_tree)
    now = value_at(frame, source, from_tree)
    size = n.Size(integers(0, source[2].cap), now)
    k, named = _count(frame, part)
    taken_expr, left = _split(now, source[2], size, k, str(part.data))
    taken = n.Var("taken", taken_expr.type)
    got = n.Local(taken.type, taken)
    single = not (part.children and part.children[0] is not None) and part.data != "part_all"
    put = _put_into(frame, got, target, str(side), to_tree, single)
    body: n.Effect = n.Block((store(frame, source, left, from_tree), put))
    body = _where_somewhere(target, n.Bind(taken, taken_expr, body))
    return bind([*named, *of_source, *of_target], body)


def _split(now: n.Expr, t: List, size: n.Expr, k: n.Expr, part: str) -> tuple[n.Expr, n.Expr]:
    if part == "part_all":
        return now, n.Const(t, ())
    if part == "part_top":
        return n.Top(t, now, k), n.Rest(t, now, k)
    return n.Slice(t, now, number(1), k), n.Slice(t, now, arithmetic("+", k, number(1)), size)


def _put_into(frame: Frame, got: n.Expr, target: Place, side: str, tree: Syntax, single: bool) -> n.Effect:
    """Put list elements into a set, a list or a single place; reports any other target."""
    t, of = target[2], cast(List, got.type).of
    there = value_at(frame, target, tree)
    if isinstance(t, List):
        return store(frame, target, _concat(got, there) if side == "under" else _concat(there, got), tree)
    if isinstance(t, Set) and of is not None:
        var = n.Var("x", of)
        more = n.Image(Set(of), var, got, n.Local(of, var))
        return store(frame, target, n.Union(Set(join_scalars(t.of, of)), there, more), tree)
    if scalar_of(t) is not None and single and of is not None:
        return store(frame, target, n.Item(of.with_none, got, number(1)), tree)
    frame.fail("type.store", f"this cannot be moved into {phrase(t)}", tree)


def _where_somewhere(target: Place, body: n.Effect) -> n.Effect:
    """A move that does nothing if its target is a key that is none."""
    gone = [fold(n.IsNone(BOOL, key)) for key in target[1] if maybe_none(key.type)]
    return n.When(conjunction(*(negation(g) for g in gone)), body, n.NOTHING_DONE) if gone else body


def move_item(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of `move value from place to place`."""
    value_tree, from_tree, to_tree = (cast(Syntax, c) for c in tree.children)
    (source, of_source), (target, of_target) = (
        with_fixed_keys(place(frame, t)) for t in (from_tree, to_tree)
    )
    t = source[2]
    wanted = t.keys if isinstance(t, Bag) else t.of if isinstance(t, Set | List) else t
    value = expression(frame, value_tree, wanted)
    var = n.Var("moved", value.type)
    inner = frame.bound(var)
    name = Tree("name", [Token("NAME", "moved")], value_tree.meta)
    moved = n.Local(var.type, var)
    taken = (
        _clear(frame, source, moved, from_tree) if _holds_one(t) else _remove(inner, source, name, from_tree)
    )
    put = (
        store(frame, target, moved, to_tree) if _holds_one(target[2]) else _add(inner, target, name, to_tree)
    )
    body = n.Block((taken, put))
    return bind([(var, value), *of_source, *of_target], _where_somewhere(target, body))


def _holds_one(t: Type) -> bool:
    """True if a place holds a single value or none: a move replaces its content, and leaves none behind."""
    return isinstance(t, Optional) or (isinstance(t, Scalar) and not isinstance(t, Int))


def _clear(frame: Frame, here: Place, moved: n.Expr, tree: Syntax) -> n.Effect:
    """Store none at a place if its value is the moved one."""
    t = here[2]
    if not isinstance(t, Optional):
        help = "declare it with `?`, or store what it holds next with `:=`"
        words = f"this always holds {phrase(t)}, so nothing can be taken out of it"
        frame.fail("type.move", words, tree, help=help)
    there = value_at(frame, here, tree)
    cleared = store(frame, here, n.Const(t, None), tree)
    return n.When(fold(n.Equal(BOOL, there, moved)), cleared, n.NOTHING_DONE)
