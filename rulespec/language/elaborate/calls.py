"""Calls: built-in functions, constructors, definitions and laws; and the definitions themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lark import Token

from ...core import nodes as n
from ...core.diagnostics import nearest
from ...core.types import (
    BOOL,
    Int,
    List,
    Map,
    Optional,
    Record,
    Scalar,
    Set,
    Type,
    fits,
    integers,
    scalar_of,
)
from .expressions import arithmetic, asking, expression, makes, whole_number
from .finite import calls_over, collection
from .frame import Faulty, Frame, Syntax, folded, known, lifted_if, maybe_none, number
from .kinds import kind
from .world import Declared, World, mismatch, phrase, same_family

Builtin = Callable[[Frame, "list[Syntax]", Syntax, "Type | None"], n.Expr]
MOST_DEEP = 400
"""How far a falling number may fall: the depth of a recursion."""


@makes("call_over")
def _over(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return calls_over(frame, tree)


@makes("call")
def _call(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, args_tree = cast(Token, tree.children[0]), tree.children[1]
    trees = [cast(Syntax, a) for a in cast(Syntax, args_tree).children] if args_tree is not None else []
    world = frame.world
    if word in BUILTINS:
        count, builtin = BUILTINS[word]
        if len(trees) not in count:
            frame.fail("call.arguments", f"`{word}` takes {' or '.join(map(str, count))} in brackets", tree)
        return builtin(frame, trees, tree, wanted)
    found = world.declared.get(word)
    if word in world.types or (found is not None and found.kind == "type"):
        return _construct(frame, world.get_type(word, frame), trees, tree)
    if word in world.conditions:
        return _given(frame, world.conditions[word](), trees, tree)
    if word in world.gone:
        return n.Const(BOOL, True)
    if found is None or found.kind != "define":
        names = [
            *BUILTINS,
            *(d.name for d in world.declared.values() if d.kind in ("define", "type")),
            *world.conditions,
        ]
        what = "is no definition" if found is not None or word in frame.names else "is not defined"
        frame.fail("name.call", f"`{word}` {what}", word, help=nearest(word, names))
    return _given(frame, world.get_function(word, frame), trees, tree)


def _given(frame: Frame, function: n.Function, trees: list[Syntax], tree: Syntax) -> n.Expr:
    if len(trees) != len(function.params):
        frame.fail(
            "call.arguments",
            f"`{function.name}` takes {len(function.params)} in brackets, not {len(trees)}",
            tree,
        )
    args = tuple(_argument(frame, t, p) for t, p in zip(trees, function.params, strict=True))
    found = frame.world.declared.get(function.name)
    if found is not None and found.state == "making" and found.made is function:
        _must_fall(frame, function, args, trees)
    return apply(frame, function, args)


def _argument(frame: Frame, tree: Syntax, param: n.Var) -> n.Expr:
    made = expression(frame, tree, param.type)
    if not same_family(made.type, param.type):
        frame.fail(
            "type.argument", f"`{param.name}` does not take this: {mismatch(made.type, param.type)}", tree
        )
    if isinstance(param.type, Set | List | Map) and not fits(made.type, param.type):
        frame.fail(
            "type.argument", f"`{param.name}` does not take this: {mismatch(made.type, param.type)}", tree
        )
    if isinstance(param.type, Optional) and not fits(made.type, param.type) and param.type.of is not None:
        return folded(n.Narrow(param.type, made, param.type.of))
    return made


def _must_fall(frame: Frame, function: n.Function, args: tuple[n.Expr, ...], trees: list[Syntax]) -> None:
    assert function.falling is not None
    arg, var = args[function.falling], function.params[function.falling]
    step = scalar_of(arg.b.type) if isinstance(arg, n.Sub | n.Div) else None
    least = 1 if isinstance(arg, n.Sub) else 2
    source = arg.a if isinstance(arg, n.Sub | n.Div) else None
    falls = isinstance(source, n.Local) and source.var is var and isinstance(step, Int) and step.lo >= least
    if not falls:
        frame.fail(
            "define.falling",
            f"`{var.name}` does not surely fall in this call of `{function.name}` to itself",
            trees[function.falling],
            help=f"write `{var.name} - …` with something that is at least 1",
        )


def apply(frame: Frame, function: n.Function, args: tuple[n.Expr, ...]) -> n.Expr:
    """A call of a definition; the type tells whether an argument may be missing."""
    sure = all(
        fits(a.type, p.type) for a, p in zip(args, function.params, strict=True) if isinstance(p.type, Scalar)
    )
    if not function.static:
        frame.world.note_read()
    result = function.result if sure else function.result.lifted
    return folded(n.Call(result, function, args))


def _construct(frame: Frame, of: Scalar, trees: list[Syntax], tree: Syntax) -> n.Expr:
    if len(trees) == 1 and not (isinstance(of, Record) and len(of.fields) == 1):
        made = expression(frame, trees[0], of)
        if not same_family(made.type, of):
            frame.fail("type.mismatch", f"this is no {of}: {mismatch(made.type, of)}", trees[0])
        return made if fits(made.type, of) else folded(n.Narrow(Optional(of), made, of))
    if not isinstance(of, Record):
        frame.fail("call.arguments", f"`{of}(…)` takes one value", tree)
    if len(trees) != len(of.fields):
        names = ", ".join(name for name, _ in of.fields)
        frame.fail("call.arguments", f"{of} has the fields {names}; here are {len(trees)} values", tree)
    fields = []
    for (name, field_type), argument in zip(of.fields, trees, strict=True):
        made = expression(frame, argument, field_type)
        if not same_family(made.type, field_type):
            frame.fail(
                "type.argument",
                f"the field `{name}` does not take this: {mismatch(made.type, field_type)}",
                argument,
            )
        fields.append(made)
    size = 1
    for _, field_type in of.fields:
        size *= len(field_type.values)
    sure = size == len(of.values) and all(
        fits(m.type, t) for m, (_, t) in zip(fields, of.fields, strict=True)
    )
    return folded(n.Make(of if sure else Optional(of), of, tuple(fields)))


# ---- built in


def _size(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    of = collection(frame, trees[0], None)
    if isinstance(of, n.Domain):
        return number(len(of.of.values))
    inner = cast("Set | List", of.type).of
    cap = of.type.cap if isinstance(of.type, List) else len(inner.values) if inner else 0
    return n.Size(integers(0, cap), of)


def _end_of_list(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    of = collection(frame, trees[0], None)
    if not isinstance(of.type, List) or of.type.of is None:
        frame.fail("type.list", f"this must be a list, and it is {phrase(of.type)}", trees[0])
    top = tree.children[0] == "top"
    position = n.Size(integers(0, of.type.cap), of) if top else number(1)
    return n.Item(of.type.of.lifted, of, position)


def _absolute(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    item = whole_number(frame, trees[0])
    t = cast(Int, scalar_of(item.type))
    if t.lo >= 0:
        return item
    var = n.Var("n", item.type)
    held = n.Local(item.type, var)
    of = integers(0 if t.lo <= 0 <= t.hi else min(abs(t.lo), abs(t.hi)), max(abs(t.lo), abs(t.hi)))
    result = lifted_if(of, item)
    body = n.If(result, n.Less(BOOL, held, number(0)), arithmetic("-", number(0), held), held)
    if isinstance(item, n.Const):
        return number(abs(item.value))
    return n.Let(result, var, item, body)


def _extreme(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    least = tree.children[0] == "min"
    made = whole_number(frame, trees[0])
    for other_tree in trees[1:]:
        made = _chosen(made, whole_number(frame, other_tree), least)
    return made


def _chosen(a: n.Expr, b: n.Expr, least: bool) -> n.Expr:
    if isinstance(a, n.Const) and isinstance(b, n.Const):
        return number(min(a.value, b.value) if least else max(a.value, b.value))
    x, y = cast(Int, scalar_of(a.type)), cast(Int, scalar_of(b.type))
    choose = min if least else max
    of: Type = integers(choose(x.lo, y.lo), choose(x.hi, y.hi))
    first, second = n.Var("a", a.type), n.Var("b", b.type)
    one, two = n.Local(a.type, first), n.Local(b.type, second)
    smaller = n.If(of, n.AtMost(BOOL, one, two), one if least else two, two if least else one)
    if maybe_none(a.type) or maybe_none(b.type):
        of = of.lifted
        missing = n.Or(BOOL, (n.IsNone(BOOL, one), n.IsNone(BOOL, two)))
        smaller = n.If(
            of, missing, n.Const(of, None), n.If(of, smaller.cond, smaller.then, smaller.otherwise)
        )
    return n.Let(of, first, a, n.Let(of, second, b, smaller))


def _number_of(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    item = expression(frame, trees[0], None)
    of = scalar_of(item.type)
    if of is None:
        frame.fail("type.scalar", f"only single values have a number; this is {phrase(item.type)}", trees[0])
    if isinstance(item, n.Const) and item.value is not None:
        return number(_base(frame.world, of).index[item.value] + 1)
    positions = _base(frame.world, of).index
    places = integers(min(positions[v] for v in of.values) + 1, max(positions[v] for v in of.values) + 1)
    table = n.Const(Map(of, places), tuple(positions[v] + 1 for v in of.values))
    return n.Read(places if isinstance(item.type, Scalar) else places.lifted, table, item)


def _base(world: World, of: Scalar) -> Scalar:
    """The whole type that a subset's values are numbered in."""
    return world.types.get(of.family, of)


def _after(frame: Frame, trees: list[Syntax], tree: Syntax, wanted: Type | None) -> n.Expr:
    player = frame.world.player
    item = expression(frame, trees[0], player)
    if not same_family(item.type, player):
        frame.fail("type.player", f"`after` takes a player, and this is {phrase(item.type)}", trees[0])
    count = len(player.values)
    table = n.Const(Map(player, player), tuple(v % count + 1 for v in player.values))
    if isinstance(item, n.Const) and item.value in player:
        return known(item.value % count + 1, player)
    return n.Read(player if fits(item.type, player) else player.lifted, table, item)


BUILTINS: dict[str, tuple[tuple[int, ...], Builtin]] = {
    "size": ((1,), _size),
    "top": ((1,), _end_of_list),
    "bottom": ((1,), _end_of_list),
    "abs": ((1,), _absolute),
    "min": ((2, 3, 4, 5), _extreme),
    "max": ((2, 3, 4, 5), _extreme),
    "number": ((1,), _number_of),
    "after": ((1,), _after),
}


# ---- declaring


def parameters(frame: Frame, tree: Syntax | None) -> tuple[list[n.Var], int | None]:
    """The parameters of a signature, and which of them falls."""
    found: list[n.Var] = []
    falling: int | None = None
    for i, child in enumerate(tree.children if tree is not None else ()):
        word, type_tree, falls = cast(Syntax, child).children
        t = kind(frame, cast(Syntax, type_tree))
        if str(word) in (v.name for v in found):
            frame.fail("name.twice", f"`{word}` stands here twice", cast(Token, word))
        if falls is not None:
            if not isinstance(t, Int) or t.lo < 0 or t.hi > MOST_DEEP or falling is not None:
                frame.fail(
                    "define.falling", f"one number from 0 to at most {MOST_DEEP} falls", cast(Syntax, child)
                )
            falling = i
        found.append(n.Var(str(word), t))
    return found, falling


def declared_function(world: World, found: Declared) -> n.Function:
    """The definition that a `define` makes."""
    frame = Frame(world, found.text, found.clause)
    _, params_tree, result_tree, body_tree = found.tree.children
    params, falling = parameters(frame, cast("Syntax | None", params_tree))
    result = kind(frame, cast(Syntax, result_tree)) if result_tree is not None else None
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
        if result is not None:
            body = asking_type(frame, body, result, cast(Syntax, body_tree))
    finally:
        reads = world.readers.pop()
    function.body = body
    function.result = result if result is not None else body.type
    function.static = not reads
    if reads:
        world.note_read()
    world.functions[found.name] = function
    return function


def asking_type(frame: Frame, body: n.Expr, result: Type, tree: Syntax) -> n.Expr:
    """A definition's body as its declared type."""
    from .expressions import into

    return into(frame, body, result, tree)


def _with_older(frame: Frame, older: Declared, params: list[n.Var]) -> Frame:
    """A frame in which `original` is the body that was replaced, with the new parameters by position."""
    from dataclasses import replace

    def original(inner: Frame, wanted: Type | None) -> n.Expr:
        old_names = (
            [str(cast(Syntax, c).children[0]) for c in cast(Syntax, older.tree.children[1]).children]
            if older.tree.children[1]
            else []
        )
        if len(old_names) != len(params):
            inner.world.report.error(
                "variant.original", f"`{older.name}` had {len(old_names)} parameters", inner.text.span
            )
            raise Faulty
        base = Frame(inner.world, older.text, older.clause)
        for name, var in zip(old_names, params, strict=True):
            base = base.binding(**{name: n.Local(var.type, var)})
        if older.older is not None:
            base = _with_older(base, older.older, params)
        return expression(base, cast(Syntax, older.tree.children[3]), wanted)

    return replace(frame, original=original)


def declared_state(world: World, found: Declared) -> n.StateVar:
    """The state variable that a `state` declaration makes."""
    frame = Frame(world, found.text, found.clause)
    hidden, name, type_tree, initial_tree = found.tree.children
    t = kind(frame, cast(Syntax, type_tree))
    if initial_tree is not None:
        initial = initial_value(frame, cast(Syntax, initial_tree), t)
    elif holds_nothing(t):
        initial = n.Const(t, t.nothing)
    else:
        frame.fail("state.initial", f"`{name}` needs a value to begin with: `= …`", cast(Token, name))
    var = n.StateVar(str(name), t, initial, hidden is not None)
    world.state[str(name)] = var
    return var


def holds_nothing(t: Type) -> bool:
    """Whether the nothing of a type is one of its values."""
    return not isinstance(t, Scalar) and (not isinstance(t, Map) or holds_nothing(t.of))


def initial_value(frame: Frame, tree: Syntax, t: Type) -> n.Expr:
    """A value to begin with; for a map one value may stand for every key."""
    depth: list[Scalar] = []
    inner = t
    if isinstance(t, Map):
        made = expression(frame, tree, t) if tree.data in ("map_", "map_of") else None
        if made is not None:
            return asking_type(frame, made, t, tree)
        while isinstance(inner, Map):
            depth.append(inner.keys)
            inner = inner.of
    value = asking(frame, tree, inner)
    for keys in reversed(depth):
        outer = Map(keys, value.type if not isinstance(value, n.Const) else inner)
        if isinstance(value, n.Const):
            value = n.Const(outer, (value.value,) * len(keys.values))
        else:
            value = n.Tabulate(outer, n.Var("key", keys), keys, value)
        inner = outer
    return n.Const(t, value.value) if isinstance(value, n.Const) else value
