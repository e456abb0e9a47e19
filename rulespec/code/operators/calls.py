"""Definitions that are called and actions that are asked for, as code."""

from __future__ import annotations

import re

from ...core import nodes as n
from ...core.types import List, Map, Optional, Scalar, Set, Type, fits
from ...core.walk import inside
from ..body import Body
from ..codes import TooLarge
from ..vals import Env, Val
from .plain import branches, fitted


def call(w: Body, e: n.Call, env: Env) -> Val:
    """A call of the definition's function, or nothing where an argument does not fit."""
    function = e.function
    texts: list[str] = []
    fitting: list[str] = []
    for param, arg in zip(function.params, e.args, strict=True):
        val = w.value(arg, env)
        if isinstance(param.type, Scalar) and (val.none or not fits(arg.type, param.type)):
            val = w.atoms(val)
            held = w.inside(val, param.type)
            fitting += [held] if held != "True" else []
        elif isinstance(param.type, Optional) and not fits(arg.type, param.type):
            assert param.type.of is not None
            val = w.atoms(val)
            held = w.inside(val, param.type.of)
            fitting += [f"({val.text} == NONE or {held})"] if held != "True" else []
        texts += fitted(w, param.type, val).texts
    name = named(w, function)

    def made() -> Val:
        whole = f"{name}({', '.join(['s', 'b', *texts])})"
        found = Val(function.result, (whole,), isinstance(function.result, Optional))
        count = len(_shape(w, function.result))
        if count != 1:
            names = tuple(w.beside(name, "") for _ in range(count))
            w.line(f"{', '.join(names)} = {whole}" if names else whole)
            found = Val(function.result, names)
        if isinstance(function.result, List | Map):
            found = w.copied(function.result, found)
        return fitted(w, e.type, found)

    if not fitting:
        return made()
    return branches(w, e.type, " and ".join(fitting), made, lambda: _nothing(w, function.result, e.type))


def _nothing(w: Body, result: Type, t: Type) -> Val:
    blank = w.nothing(result)
    return Val(t, ("NONE",), True) if isinstance(result, Scalar) and blank.none else fitted(w, t, blank)


def _shape(w: Body, t: Type) -> tuple[str, ...]:
    """What the texts of a value of a type are called."""
    if isinstance(t, Set):
        return tuple(f"_{i}" if i else "" for i in range(w.codes.words(t.of)))
    return ("_at", "_size") if isinstance(t, List) else ("",)


def named(w: Body, function: n.Function) -> str:
    """The name of a definition's function, which is written now if it was not before."""
    functions = w.functions
    if function in functions.names:
        return functions.names[function]
    name = functions.names[function] = w.program.functions[function]
    inner = Body(w.program, functions)
    params: list[str] = []
    env: dict[n.Var, Val] = {}
    for param in function.params:
        base = inner.local(param)
        texts = tuple(inner.beside(base, part) if part else base for part in _shape(w, param.type))
        params += texts
        env[param] = Val(param.type, texts, isinstance(param.type, Optional))
    found = fitted(inner, function.result, inner.value(function.body, env))
    if isinstance(function.result, List | Map) and found.texts and inner.slots == 0 and calls(function):
        found = inner.copied(function.result, found)
    if inner.slots and calls(function):
        raise TooLarge(f"`{function.name}` calls itself and makes lists or maps on the way")
    inner.line(f"return {', '.join(found.texts) or '0'}")
    functions.add(name, ["s", "b", *params], inner, mark=_once(w, function, inner.lines))
    return name


def _works(w: Body, function: n.Function, lines: list[str]) -> bool:
    """True if a definition takes some work: it loops, or asks many others, or one that takes some work."""
    light = w.functions.light
    calls = 1 + sum(light.get(name, MOST_CALLS) for line in lines for name in CALLED.findall(line))
    if calls > MOST_CALLS or any(line.lstrip().startswith(("for ", "while ")) for line in lines):
        return True
    light[w.functions.names[function]] = calls
    return False


CALLED = re.compile(r"(\w+)\(s, b")
MOST_CALLS = 4
"""A definition that comes to so many calls, its own among them, takes little work."""


MOST_RESULTS = 1 << 6
"""Of a definition so many results are kept for a state."""


def _once(w: Body, function: n.Function, lines: list[str]) -> str:
    """The mark of a definition: `once` if it takes some work and has few results."""
    if not _works(w, function, lines):
        return "steady"
    if isinstance(function.result, List | Map) or not all(
        isinstance(p.type, Scalar) for p in function.params
    ):
        return "steady"
    ranges: list[int] = []
    size = 1
    for param in function.params:
        held = w.codes.codes(param.type)  # type: ignore[arg-type]
        ranges += [held[0], held[-1] - held[0] + 1]
        size *= ranges[-1]
    return f"once({', '.join(map(str, ranges))})" if size <= MOST_RESULTS else "steady"


def calls(function: n.Function) -> bool:
    """Whether a definition calls itself."""
    return any(isinstance(node, n.Call) and node.function is function for node in inside(function.body))


def can(w: Body, e: n.Can, env: Env) -> Val:
    if not e.args and e.action in w.counts:
        return Val(e.type, (f"({w.counts[e.action]} > 0)",))
    texts: list[str] = []
    fitting: list[str] = []
    choices = w.program.game.actions[e.action].choices
    for choice, arg in zip(choices, e.args, strict=False):
        val = w.value(arg, env)
        if isinstance(choice.var.type, Scalar):
            val = w.atoms(val)
            held = w.inside(val, choice.var.type)
            fitting += [held] if held != "True" else []
        texts += val.texts
    whole = f"{w.functions.can(e.action, len(e.args))}({', '.join(['s', 'b', *texts])})"
    return Val(e.type, (f"({' and '.join([*fitting, whole])})",))
