"""Comparison, membership and the tests after `is`."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.game import OPEN
from ...core.types import BOOL, NONE, Bag, Enum, List, Optional, Set, Truth, Type, integers, scalar_of
from ..syntax.parser import Syntax
from .bags import total
from .expressions import collection, element_type, expression, makes, needs_context, pair, whole_number
from .folding import FALSE, TRUE, conjunction, disjunction, fold, negation, number
from .world import Frame, phrase, same_family


@makes("equal")
def _equal(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    a, b = pair(frame, *(cast(Syntax, c) for c in tree.children))
    return n.Equal(BOOL, a, b)


@makes("compare")
def _compare(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    left, sign, right = tree.children
    a, b = pair(frame, cast(Syntax, left), cast(Syntax, right))
    if sign == "!=":
        return negation(fold(n.Equal(BOOL, a, b)))
    if scalar_of(a.type) is None or isinstance(scalar_of(a.type), Truth):
        frame.fail("type.order", f"{phrase(a.type)} has no order", tree)
    if sign in (">", ">="):
        a, b = b, a
    return n.Less(BOOL, a, b) if sign in ("<", ">") else n.AtMost(BOOL, a, b)


@makes("member", "not_member")
def _membership(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    item_tree, of_tree = (cast(Syntax, c) for c in tree.children)
    if of_tree.data == "range_":
        made = _between(frame, item_tree, of_tree)
    else:
        if needs_context(frame, of_tree) and of_tree.data == "set_":
            item = expression(frame, item_tree, None)
            inner = scalar_of(item.type)
            of = collection(frame, of_tree, Set(inner) if inner else None)
        else:
            of = collection(frame, of_tree, None)
            item = expression(frame, item_tree, element_type(of))
        if not same_family(item.type, element_type(of) or NONE):
            message = f"{phrase(item.type)} is never in {phrase(of.type)}"
            frame.fail("type.compare", message, tree)
        made = _in_set(item, of)
    return negation(fold(made)) if tree.data == "not_member" else made


def _in_set(item: n.Expr, of: n.Expr) -> n.Expr:
    if isinstance(of, n.SetOf) and len(of.items) <= 4 and not isinstance(item.type, Optional):
        return (
            disjunction(*(fold(n.Equal(BOOL, item, x)) for x in of.items if not isinstance(x.type, Optional)))
            if all(not isinstance(x.type, Optional) for x in of.items)
            else n.Member(BOOL, item, of)
        )
    return n.Member(BOOL, item, of)


def _between(frame: Frame, item_tree: Syntax, range_tree: Syntax) -> n.Expr:
    item = whole_number(frame, item_tree)
    lo, hi = (whole_number(frame, cast(Syntax, c)) for c in range_tree.children)
    return conjunction(fold(n.AtMost(BOOL, lo, item)), fold(n.AtMost(BOOL, item, hi)))


@makes("is_", "is_not")
def _is(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    item_tree, test = (cast(Syntax, c) for c in tree.children)
    made = _test(frame, item_tree, test)
    return negation(fold(made)) if tree.data == "is_not" else made


def _test(frame: Frame, item_tree: Syntax, test: Syntax) -> n.Expr:
    """A test after `is`: for emptiness, none, some, a reading of a ruling, or a value."""
    world = frame.world
    word = item_tree.children[0] if item_tree.data == "name" else None
    if test.data == "test_name" and word in world.rulings and word not in frame.names:
        return _reading(frame, cast(Token, word), cast(Token, test.children[0]))
    item = expression(frame, item_tree, None)
    if test.data == "test_empty" and not _has_empty_member(item.type):
        if isinstance(item.type, Bag):
            return n.Equal(BOOL, total(item), number(0))
        if not isinstance(item.type, Set | List):
            words = f"only sets and lists are empty or not; this is {phrase(item.type)}"
            frame.fail("type.empty-test", words, item_tree)
        return n.Equal(BOOL, fold(n.Size(integers(0, _cap(item.type)), item)), number(0))
    if test.data in ("test_none", "test_some"):
        if scalar_of(item.type) is None and item.type != NONE:
            help = "ask `is empty`, or `is not empty`"
            frame.fail("type.none-test", f"{phrase(item.type)} is never none", item_tree, help=help)
        asked = n.IsNone(BOOL, item) if isinstance(item.type, Optional) else FALSE
        return negation(fold(asked)) if test.data == "test_some" else asked
    name = Tree("name", test.children or [Token("NAME", "empty")], test.meta)
    value = expression(frame, name, item.type)
    if not same_family(item.type, value.type):
        frame.fail("type.compare", f"{phrase(item.type)} and {phrase(value.type)} cannot be compared", test)
    return n.Equal(BOOL, item, value)


def _has_empty_member(of: Type) -> bool:
    """True if `empty` names a value of a type, which then hides the test of sets and lists."""
    return isinstance(one := scalar_of(of), Enum) and one.member("empty") is not None


def _reading(frame: Frame, ruling: Token, reading: Token) -> n.Expr:
    """The condition that a ruling has this reading; a variable while its reading is open."""
    found = frame.world.rulings[ruling]
    known_readings = [r.id for r in found.readings]
    if reading not in known_readings:
        help = frame.world.report.nearest(reading, known_readings)
        frame.fail("name.reading", f"`{ruling}` has no reading `{reading}`", reading, help=help)
    chosen = frame.world.remembering.ask(str(ruling), frame.clause)
    if chosen == OPEN:
        frame.world.note_read()
        var = frame.world.open_reading(str(ruling))
        return n.Equal(BOOL, n.Get(var.type, var), n.Const(var.type, known_readings.index(str(reading))))
    return TRUE if chosen == reading else FALSE


def _cap(t: Type) -> int:
    if isinstance(t, List):
        return t.cap
    return len(t.of.values) if isinstance(t, Set) and t.of else 0
