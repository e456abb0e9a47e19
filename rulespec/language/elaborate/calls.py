"""Calls: built-in functions, constructors, definitions and laws."""

from __future__ import annotations

import itertools
from typing import cast

from lark import Token

from ...core import nodes as n
from ...core.numbers import number_of
from ...core.types import Int, List, Map, Optional, Record, Scalar, Set, Type, fits, scalar_of
from ..syntax.habits import CALLS
from ..syntax.parser import Syntax
from .built_in import BUILTINS
from .expressions import expression, makes, quotes_needed
from .folding import TRUE, constant, fold
from .world import Frame, mismatch, same_family


@makes("call")
def _call(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, args_tree = cast(Token, tree.children[0]), tree.children[1]
    trees = [cast(Syntax, a) for a in cast(Syntax, args_tree).children] if args_tree is not None else []
    world = frame.world
    found = world.find(word)
    own = word in world.predicates or (found is not None and found.kind in ("define", "type"))
    if word in BUILTINS and not own:
        count, builtin = BUILTINS[word]
        if len(trees) not in count:
            help = f"of a set or a list it is `{word}(x for x in S)`" if word in ("min", "max") else ""
            numbers = [*map(str, count[:-1]), number_of(count[-1], "argument")]
            message = f"`{word}` takes {' or '.join(numbers)}"
            frame.fail("call.arguments", message, tree, help=help)
        return builtin(frame, trees, tree, wanted)
    if word in world.types or (found is not None and found.kind == "type"):
        of = world.get_type(word, frame)
        if not isinstance(of, Scalar):
            frame.fail("type.scalar", f"`{word}` names a collection, and nothing is made with it", word)
        return _construct(frame, of, trees, tree)
    if word in world.conditions:
        return _call_of_definition(frame, world.conditions[word](), trees, tree)
    if word in world.lifted and found is None:
        for argument in trees:
            expression(frame, argument, None)
        return TRUE
    if found is None or found.kind != "define":
        declared = [d.name for d in world.declared.values() if d.kind in ("define", "type")]
        declared += world.offered
        help = "" if found is not None else CALLS.get(word, "")
        help = help or world.report.nearest(word, itertools.chain(BUILTINS, declared, world.conditions))
        what = "is no definition" if found is not None or word in frame.names else "is not defined"
        frame.fail("name.call", f"`{word}` {what}", word, help=help)
    return _call_of_definition(frame, world.get_function(word, frame), trees, tree)


def _call_of_definition(frame: Frame, function: n.Function, trees: list[Syntax], tree: Syntax) -> n.Expr:
    if len(trees) != len(function.params):
        words = f"`{function.name}` takes {number_of(len(function.params), 'argument')}, not {len(trees)}"
        frame.fail("call.arguments", words, tree)
    args = tuple(argument(frame, t, p) for t, p in zip(trees, function.params, strict=True))
    found = frame.world.declared.get(function.name)
    if found is not None and found.state == "making" and found.made is function:
        _must_fall(frame, function, args, trees)
    return apply(frame, function, args)


def argument(frame: Frame, tree: Syntax, param: n.Var) -> n.Expr:
    """An argument for a parameter; raises Faulty if its type differs."""
    made = expression(frame, tree, param.type)
    is_collection = isinstance(param.type, Set | List | Map)
    if not same_family(made.type, param.type) or (is_collection and not fits(made.type, param.type)):
        message = f"`{param.name}` does not take this: {mismatch(made.type, param.type)}"
        frame.fail("type.argument", message, tree, help=quotes_needed(tree, param.type))
    if isinstance(param.type, Optional) and not fits(made.type, param.type) and param.type.of is not None:
        return fold(n.Narrow(param.type, made, param.type.of))
    return made


def _must_fall(frame: Frame, function: n.Function, args: tuple[n.Expr, ...], trees: list[Syntax]) -> None:
    """Report a recursive call in which the falling parameter does not get smaller."""
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
    """A call of a definition; the type says whether an argument may be missing."""
    pairs = zip(args, function.params, strict=True)
    sure = all(fits(a.type, p.type) for a, p in pairs if isinstance(p.type, Scalar))
    if not function.static and hasattr(function, "body"):  # else it is being made, and is static if it is
        frame.world.note_read()
    result = function.result if sure else function.result.with_none
    body = getattr(function, "body", None)
    if sure and isinstance(body, n.Const) and fits(body.type, result):
        return body
    made = n.Call(result, function, args)
    if function.static and args and all(isinstance(a, n.Const) for a in args):
        return constant(frame.value(made, {}), result)
    return made


def _construct(frame: Frame, of: Scalar, trees: list[Syntax], tree: Syntax) -> n.Expr:
    """A value of a type from its fields, or another value narrowed to the type."""
    if len(trees) == 1 and not (isinstance(of, Record) and len(of.fields) == 1):
        made = expression(frame, trees[0], of)
        if not same_family(made.type, of):
            frame.fail("type.mismatch", f"this is no {of}: {mismatch(made.type, of)}", trees[0])
        return made if fits(made.type, of) else fold(n.Narrow(Optional(of), made, of))
    if not isinstance(of, Record):
        frame.fail("call.arguments", f"`{of}(…)` takes one value", tree)
    if len(trees) != len(of.fields):
        names = ", ".join(name for name, _ in of.fields)
        frame.fail("call.arguments", f"{of} has the fields {names}; here are {len(trees)} values", tree)
    fields = []
    for (name, field_type), argument in zip(of.fields, trees, strict=True):
        made = expression(frame, argument, field_type)
        if not same_family(made.type, field_type):
            words = f"the field `{name}` does not take this: {mismatch(made.type, field_type)}"
            frame.fail("type.argument", words, argument)
        fields.append(made)
    size = 1
    for _, field_type in of.fields:
        size *= len(field_type.values)
    pairs = zip(fields, of.fields, strict=True)
    sure = size == len(of.values) and all(fits(m.type, t) for m, (_, t) in pairs)
    return fold(n.Make(of if sure else Optional(of), of, tuple(fields)))
