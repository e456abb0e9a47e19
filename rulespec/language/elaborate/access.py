"""Reading inside values: fields, maps, lists; and testing whether an action is legal."""

from __future__ import annotations

from typing import cast

from lark import Token

from ...core import nodes as n
from ...core.types import BOOL, NONE, List, Map, Record, Type, fits, scalar_of
from ..syntax.habits import FIELDS
from ..syntax.parser import Syntax
from .expressions import expression, makes, whole_number
from .folding import lifted_if
from .world import Frame, phrase, same_family


@makes("field_of")
def _field(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    item = expression(frame, cast(Syntax, tree.children[0]), None)
    word = cast(Token, tree.children[1])
    record = scalar_of(item.type)
    if not isinstance(record, Record):
        message = f"only records have fields; this is {phrase(item.type)}"
        own = f"what a player has is `{word}[p]`" if record == frame.world.player else ""
        frame.fail("type.field", message, tree, help=FIELDS.get(word) or own)
    position = record.field(word)
    if position is None:
        help = frame.world.report.nearest(word, (name for name, _ in record.fields))
        frame.fail("name.field", f"{record} has no field `{word}`", word, help=help)
    return n.Field(lifted_if(record.fields[position][1], item), item, position)


@makes("at")
def _at(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    of_tree, key_tree = (cast(Syntax, c) for c in tree.children)
    of = expression(frame, of_tree, None)
    if isinstance(of.type, Map):
        key = expression(frame, key_tree, of.type.keys)
        return read(frame, of, key, key_tree)
    if isinstance(of.type, List):
        if key_tree.data == "range_":
            first, last = (whole_number(frame, cast(Syntax, c)) for c in key_tree.children)
            return n.Slice(of.type, of, first, last)
        position = whole_number(frame, key_tree)
        if isinstance(position, n.Const) and position.value is not None and position.value < 1:
            message = f"lists are counted from 1, so nothing stands at {position.value}"
            frame.fail("list.zero", message, key_tree, help="the last element is `top(l)`")
        if of.type.of is None:
            return n.Const(NONE, None)
        return n.Item(of.type.of.with_none, of, position)
    frame.fail("type.index", f"only maps and lists are read with `[…]`; this is {phrase(of.type)}", of_tree)


def read(frame: Frame, of: n.Expr, key: n.Expr, tree: Syntax) -> n.Expr:
    """The value of a map at a key; its type is optional if there may be none."""
    assert isinstance(of.type, Map)
    if not same_family(key.type, of.type.keys):
        frame.fail("type.key", f"the keys are {of.type.keys}, but this is {phrase(key.type)}", tree)
    sure = fits(key.type, of.type.keys)
    return n.Read(of.type.of if sure else of.type.of.with_none, of, key)


@makes("can_")
def _can(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    world = frame.world
    if word not in world.actions:
        help = world.report.nearest(word, world.actions)
        frame.fail("name.action", f"there is no action `{word}`", word, help=help)
    args = tree.children[1] if len(tree.children) > 1 else None
    trees = cast(Syntax, args).children if args else ()
    given = tuple(expression(frame, cast(Syntax, a), None) for a in trees)
    world.note_read()
    return n.Can(BOOL, str(word), given)
