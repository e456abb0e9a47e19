"""Places of changeable values: reading them, and storing something else."""

from __future__ import annotations

from typing import cast

from lark import Token

from ...core import nodes as n
from ...core.traversal import reads_state
from ...core.types import List, Map, Set, Type, fits, scalar_of
from ..syntax.habits import NAMES
from ..syntax.parser import Syntax
from .access import read
from .expressions import expression, quotes_needed, whole_number
from .world import Frame, mismatch, phrase, same_family

Place = tuple[n.StateVar, tuple[n.Expr, ...], "Type"]


def place(frame: Frame, tree: Syntax) -> Place:
    """The place that a tree denotes: a state variable, keys that lead into it, and the type there."""
    if tree.data == "place_name":
        word = cast(Token, tree.children[0])
        world = frame.world
        found = world.declared.get(word)
        if word in ("mover", "over") or found is None or found.kind != "state":
            if word == "mover":
                words = "the turn says who acts next; an effect does not"
                help = "write `give the turn to …`, or use `turn: next`"
                frame.fail("state.mover", words, word, help=help)
            states = (d.name for d in world.declared.values() if d.kind == "state")
            ends = "ends and winners are rules: `end:`, `winners:`" if word == "over" else ""
            help = ends or NAMES.get(word) or world.report.nearest(word, states)
            frame.fail("name.state", f"`{word}` is not a variable of the state", word, help=help)
        var = world.get_state(word, frame)
        return var, (), var.type
    if tree.data == "place_field":
        frame.fail("state.field", "a field is not stored alone; store the whole record", tree)
    var, path, t = place(frame, cast(Syntax, tree.children[0]))
    key_tree = cast(Syntax, tree.children[1])
    if isinstance(t, Map):
        key = expression(frame, key_tree, t.keys)
        if not same_family(key.type, t.keys):
            frame.fail("type.key", f"the keys are {t.keys}, but this is {phrase(key.type)}", key_tree)
        return var, (*path, key), t.of
    if isinstance(t, List) and t.of is not None:
        return var, (*path, whole_number(frame, key_tree)), t.of
    frame.fail("type.index", f"only maps and lists have places inside; this is {phrase(t)}", tree)


def value_at(frame: Frame, here: Place, tree: Syntax) -> n.Expr:
    """The value stored at a place."""
    var, path, _ = here
    made: n.Expr = n.Get(var.type, var)
    for key in path:
        if isinstance(made.type, Map):
            made = read(frame, made, key, tree)
        elif isinstance(made.type, List) and made.type.of is not None:
            made = n.Item(made.type.of.with_none, made, key)
    return made


def with_fixed_keys(here: Place) -> tuple[Place, list[tuple[n.Var, n.Expr]]]:
    """A place whose keys stay constant while the state changes, with the names to bind for them."""
    var, path, t = here
    bound = [(n.Var("key", key.type), key) for key in path if reads_state(key)]
    names = {key: n.Local(name.type, name) for name, key in bound}
    return (var, tuple(names.get(key, key) for key in path), t), bound


def bind(bound: list[tuple[n.Var, n.Expr]], body: n.Effect) -> n.Effect:
    """An effect in which these names are bound."""
    for var, value in reversed(bound):
        body = n.Bind(var, value, body)
    return body


def store(frame: Frame, here: Place, value: n.Expr, tree: Syntax) -> n.Effect:
    """Store a value at a place; a value that can never fit is a fault of the text."""
    var, path, t = here
    lists = isinstance(t, List) and isinstance(value.type, List)
    if not same_family(value.type, t) or (isinstance(t, Set | Map) and not fits(value.type, t)):
        message = f"this cannot be stored here: {mismatch(value.type, t)}"
        frame.fail("type.store", message, tree, help=quotes_needed(tree, t))
    if lists and not _elements_fit(cast(List, value.type), cast(List, t)):
        frame.fail("type.store", f"this cannot be stored here: {mismatch(value.type, t)}", tree)
    inner = scalar_of(t)
    if (
        isinstance(value, n.Const)
        and inner is not None
        and value.value is not None
        and value.value not in inner
    ):
        frame.fail("type.store", f"this cannot be stored here: {mismatch(value.type, t)}", tree)
    return n.Assign(var, path, value)


def _elements_fit(value: List, into: List) -> bool:
    return value.of is None or (into.of is not None and value.of.within(into.of))
