"""Definitions and state variables."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token

from ...core import nodes as n
from ...core.context import Context
from ...core.evaluate import evaluate
from ...core.traversal import nodes_with_definitions, variables_read
from ...core.types import BOOL, Bag, Int, Map, Scalar, Type
from ..syntax.parser import Syntax
from .expressions import convert, expression, expression_of_type
from .totality import check_all_arguments
from .world import Declaration, Faulty, Frame, World, declares
from .written_types import written_type

MOST_DEEP = 400
"""Maximum start of a falling number: the depth of a recursion."""


def parameters(frame: Frame, tree: Syntax | None) -> tuple[list[n.Var], int | None]:
    """The parameters of a signature, and the position of the one that must fall in recursion."""
    found: list[n.Var] = []
    falling: int | None = None
    for i, child in enumerate(tree.children if tree is not None else ()):
        word, type_tree, falls = cast(Syntax, child).children
        t = written_type(frame, cast(Syntax, type_tree))
        if str(word) in (v.name for v in found):
            frame.fail("name.twice", f"`{word}` appears here twice", cast(Token, word))
        if falls is not None:
            if not isinstance(t, Int) or t.lo < 0 or t.hi > MOST_DEEP or falling is not None:
                frame.fail(
                    "define.falling", f"one number from 0 to at most {MOST_DEEP} falls", cast(Syntax, child)
                )
            falling = i
        found.append(n.Var(str(word), t))
    return found, falling


@declares("define")
def declared_function(world: World, found: Declaration) -> n.Function:
    """The definition that a `define` declares."""
    frame = found.frame(world)
    _, params_tree, result_tree, body_tree = found.tree.children
    params, falling = parameters(frame, cast("Syntax | None", params_tree))
    result = written_type(frame, cast(Syntax, result_tree)) if result_tree is not None else None
    function = n.Function(
        found.name, tuple(params), result if result is not None else BOOL, falling, False, found.clause
    )
    if result is not None:
        found.made = function
    for var in params:
        frame = frame.bound(var)
    if found.older is not None:
        frame = _with_older(frame, found.older, params)
    world.readers.append(False)
    try:
        body = expression(frame, cast(Syntax, body_tree), result)
    finally:
        function.static = not world.readers.pop()
    if result is not None:
        whole = check_all_arguments(frame, function, body, cast(Syntax, body_tree))
        body = whole or convert(frame, body, result, cast(Syntax, body_tree))
    function.body = body
    function.result = result if result is not None else body.type
    if not function.static:
        world.note_read()
    return function


def _with_older(frame: Frame, older: Declaration, params: list[n.Var]) -> Frame:
    """A frame in which `original` is the replaced body, with the same or other arguments."""

    def original(inner: Frame, wanted: Type | None, args: list[Syntax] | None) -> n.Expr:
        signature = cast("Syntax | None", older.tree.children[1])
        names = [str(cast(Syntax, c).children[0]) for c in signature.children] if signature else []
        if len(names) != len(args or params):
            message = f"`{older.name}` had {len(names)} parameters"
            inner.world.report.error("variant.original", message, inner.text.span)
            raise Faulty
        given: list[n.Expr] = [n.Local(var.type, var) for var in params]
        if args is not None:
            given = [expression_of_type(inner, a, var.type) for a, var in zip(args, params, strict=True)]
        base = Frame(inner.world, older.text, older.clause)
        held = [
            value.var if isinstance(value, n.Local) else n.Var(name, value.type)
            for name, value in zip(names, given, strict=True)
        ]
        base = base.binding(**{name: n.Local(var.type, var) for name, var in zip(names, held, strict=True)})
        if older.older is not None:
            base = _with_older(base, older.older, held)
        made = expression(base, cast(Syntax, older.tree.children[3]), wanted)
        for var, value in zip(held, given, strict=True):
            made = made if isinstance(value, n.Local) else n.Let(made.type, var, value, made)
        return made

    return replace(frame, original=original)


@declares("state")
def declared_state(world: World, found: Declaration) -> n.StateVar:
    """The variable that a `state` declares."""
    frame = found.frame(world)
    hidden, name, type_tree, initial_tree, always_tree = found.tree.children
    t = written_type(frame, cast(Syntax, type_tree))
    if always_tree is not None:
        return _derived(frame, found, t)
    if (start := world.starts.get(found.name)) is not None:
        if initial_tree is not None:
            message = f"the first value of `{name}` is given here and under `start`"
            frame.fail("start.twice", message, cast(Syntax, initial_tree))
        return n.StateVar(str(name), t, n.Const(t, start(t)), hidden is not None)
    if initial_tree is not None:
        initial = initial_value(frame, cast(Syntax, initial_tree), t)
        _refuse_state(frame, name, initial, cast(Syntax, initial_tree))
    elif holds_nothing(t):
        initial = n.Const(t, t.nothing)
    else:
        frame.fail("state.initial", f"`{name}` needs a value to begin with: `= …`", cast(Token, name))
    return n.StateVar(str(name), t, initial, hidden is not None)


def _refuse_state(frame: Frame, name: object, initial: n.Expr, tree: Syntax) -> None:
    """Refuse a first value that reads the state, which is not there yet, or asks what is legal."""
    if any(isinstance(node, n.Can) for node in nodes_with_definitions(initial)):
        frame.fail("state.initial", f"the first value of `{name}` cannot depend on what is legal", tree)
    written = {"mover", "over", *frame.world.declared}
    read = sorted(one.name for one in variables_read(initial) if one.name in written)
    if read:
        message = f"the first value of `{name}` cannot depend on `{read[0]}`, as no variable has a value yet"
        help = f"store it under `setup`, where all variables have a value: `{name} := …`"
        frame.fail("state.initial", message, tree, help=help)


def _derived(frame: Frame, found: Declaration, t: Type) -> n.StateVar:
    """A variable whose value is always computed from others, from the beginning on."""
    hidden, name, _, initial_tree, always_tree = found.tree.children
    tree = cast(Syntax, always_tree)
    if initial_tree is not None:
        message = f"`{name}` begins with what it always is, so it has no other first value"
        frame.fail("state.always", message, cast(Syntax, initial_tree))
    always = convert(frame, expression(frame, tree, t), t, tree)
    asked = [*nodes_with_definitions(always)]
    if any(isinstance(e, n.Can) for e in asked):
        frame.fail("state.always", "what a variable always is does not depend on what is legal", tree)
    states = {e.var for e in asked if isinstance(e, n.Get)}
    if not states:
        help = f"write `define {name} = …`"
        frame.fail("state.always", f"`{name}` never changes, as this reads no state", tree, help=help)
    context = Context({var: frame.value(var.initial, {}) for var in states}, meter=frame.world.meter)
    context.spend_on(1, always)
    value = evaluate(always, {}, context)
    return n.StateVar(str(name), t, n.Const(t, value), hidden is not None, always)


def holds_nothing(t: Type) -> bool:
    """True if the nothing of a type is one of its values."""
    return not isinstance(t, Scalar) and (not isinstance(t, Map) or holds_nothing(t.of))


def initial_value(frame: Frame, tree: Syntax, t: Type) -> n.Expr:
    """An initial value; for a map, one value may stand for every key."""
    depth: list[Scalar] = []
    inner = t
    if isinstance(t, Map) and not isinstance(t, Bag):
        made = expression(frame, tree, t) if tree.data in ("map_", "map_of") else None
        if made is not None:
            return convert(frame, made, t, tree)
        while isinstance(inner, Map) and not isinstance(inner, Bag):
            depth.append(inner.keys)
            inner = inner.of
    value = expression_of_type(frame, tree, inner)
    for keys in reversed(depth):
        outer = Map(keys, value.type if not isinstance(value, n.Const) else inner)
        if isinstance(value, n.Const):
            value = n.Const(outer, (value.value,) * len(keys.values))
        else:
            value = n.Tabulate(outer, n.Var("key", keys), keys, value)
        inner = outer
    return n.Const(t, value.value) if isinstance(value, n.Const) else value
