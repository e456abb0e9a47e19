"""Calls of definitions and tests of actions, as code."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ...core import nodes as n
from ...core.traversal import nodes_with_definitions, nodes_within
from ...core.types import Int, List, Map, Optional, Scalar, Set, Type, fits, scalar_of
from ...machine import form as f
from ...machine.builder import (
    ONE,
    TRUE,
    as_type,
    both,
    compare,
    differ,
    either,
    equal,
    intersection,
    load,
    shift_word,
    word,
)  # fmt: skip
from ...machine.constant_evaluation import NotConstant, evaluate_body
from ...machine.rewriting import LoadSubstitution
from ...machine.traversal import nodes_of
from ..bindings import NONE, Binding, Env, Val
from ..body import B, Body, Handler, S, results_of
from ..codes import WORD, TooLarge
from .plain import branches, fitted


def call(w: Body, e: n.Call, env: Env) -> Val:
    """Call the function of a definition; the result is nothing if an argument does not fit."""
    function = e.function
    if (
        function.falling is None
        and any(w.known(arg, env) for arg in e.args)
        and searches_first(function.body)
    ):
        inner: dict[n.Var, Binding] = {}
        for param, arg in zip(function.params, e.args, strict=True):
            if fits(arg.type, param.type):
                inner[param] = w.known(arg, env) or w.atoms(w.value(arg, env), param)
        if len(inner) == len(e.args):
            return fitted(w, e.type, w.value(function.body, inner))
    given: list[f.Expr] = []
    fitting: list[f.Expr] = []
    for param, arg in zip(function.params, e.args, strict=True):
        val, fits_param = fit_argument(w, param.type, arg, env)
        given += val.parts
        fitting.append(fits_param)
    name = definition_function(w, function)
    held = both(*fitting)

    def made() -> Val:
        t = function.result
        types = results_of(w.program, t)
        if len(types) == 1:
            found = Val(t, (w.call(types[0], name, S, B, *given),), isinstance(t, Optional))
        else:
            places = w.names(t, "given")
            w.results(places, name, S, B, *given)
            found = Val(t, places)
        if isinstance(t, List | Map):
            found = w.copied(t, found)
        return fitted(w, e.type, found)

    return made() if held == TRUE else branches(w, e.type, held, made, lambda: w.nothing(function.result))


def fit_argument(w: Body, t: Type, arg: n.Expr, env: Env) -> tuple[Val, f.Expr]:
    """An argument converted to a parameter's type, and the condition that it fits."""
    val, some = w.value(arg, env), isinstance(t, Scalar)
    held: f.Expr = TRUE
    if (of := scalar_of(t)) and (not fits(arg.type, t) or (some and val.none)):
        val = w.atoms(val)
        inside = w.inside(val, of)
        held = as_type(inside if some else either(equal(val.expr, NONE), inside), f.TRUTH)
    return fitted(w, t, val), held


def local_names(w: Body, e: n.Expr) -> list[n.Var]:
    """The free local names of an expression, in order of appearance."""
    free = w.program.free(e)
    return [x for x in dict.fromkeys(y.var for y in nodes_within(e) if isinstance(y, n.Local)) if x in free]


def asks_after(e: n.Expr) -> bool:
    """True if an expression, or a definition that it calls, evaluates a condition after an action."""
    return any(isinstance(node, n.After) for node in nodes_with_definitions(e))


def definition_function(w: Body, function: n.Function) -> str:
    """The name of a definition's function, which is written on its first use. Raises TooLarge."""
    functions = w.functions
    if function in functions.names:
        return functions.names[function]
    name = functions.names[function] = w.program.functions[function]
    inner = Body(w.program, functions, steady=True)
    env = {
        param: Val(param.type, inner.names(param.type, param), isinstance(param.type, Optional))
        for param in function.params
    }
    found = fitted(inner, function.result, inner.value(function.body, env))
    if (
        isinstance(function.result, List | Map)
        and found.parts
        and inner.slots == 0
        and is_recursive(function)
    ):
        found = inner.copied(function.result, found)
    if inner.slots and is_recursive(function):
        raise TooLarge(f"`{function.name}` calls itself and makes lists or maps on the way")
    types = results_of(w.program, function.result)
    inner.give(*map(as_type, found.parts, types))
    taken = [x for val in env.values() for x in val.parts]
    if types == (f.TRUTH,):
        _tabulate_words(w, function, inner)
    once = _memo_ranges(w, function, inner.body)
    functions.add(name, [S, B, *taken], inner, *types, once=once)  # type: ignore[list-item]
    if is_recursive(function):
        ranges = tuple(one for param in function.params for one in _bit_ranges(w, param.type))
        functions.written[name] = replace(functions.written[name], ranges=ranges)
    return name


def _tabulate_words(w: Body, function: n.Function, inner: Body) -> None:
    """Tabulate a definition that reads a few bits of one word, by the values of these bits."""
    nodes = nodes_of(body := tuple(inner.body))
    asked, *others = {x for x in nodes if isinstance(x, f.Load)} or (None,)
    bits = None if asked is None or others else w.program.bits_of(asked)
    if asked is None or bits is None or bits > FEW_BITS or len(nodes) < LEAST_NODES:
        return
    alone = LoadSubstitution({asked: f.Local(f.WORD, ASKED)}).body(body)
    try:
        held = evaluate_body(alone, {ASKED: range(1 << bits)})
    except (NotConstant, KeyError):
        return
    rows = [sum(bool(x) << i for i, x in enumerate(held[at : at + WORD])) for at in range(0, 1 << bits, WORD)]
    meaning = f"for each word of {bits} bits whether `{function.name}` holds"
    table = w.program.table(rows, function.name, meaning, f.WORDS)
    inner.body.clear()
    x = inner.named("asked", asked)
    found = load(table, as_type(shift_word(x, 6), f.NUMBER)) if bits > 6 else word(rows[0])
    within = f.Binary(f.WORD, "&", x, word(WORD - 1))
    inner.give(differ(intersection(f.Binary(f.WORD, ">>", found, within), ONE), 0))


def _bit_ranges(w: Body, t: Type) -> list[tuple[int, int]]:
    """For each part of a type its least value, and the number of bits needed for the values above it."""
    if isinstance(t, Set) and t.of is not None:
        return [(0, mask.bit_length()) for mask in w.codes.mask(t.of, t.of.values)]
    if isinstance(t, Scalar):
        codes = w.codes.codes(t)
        return [(codes[0], (codes[-1] - codes[0]).bit_length())]
    return [(0, 64)] * len(results_of(w.program, t))


def _is_costly(body: list[f.Statement]) -> bool:
    """True if a definition is costly: several loops, a long loop, or many calls."""
    nodes = list(nodes_of(tuple(body)))
    called = [x for x in nodes if isinstance(x, f.Call | f.SetResults) and S in x.arguments]
    loops = [x for x in nodes if isinstance(x, f.For | f.While)]
    return len(called) > MOST_CALLS or len(loops) > 1 or any(_is_long(x) for x in loops)


def _is_long(loop: f.For | f.While) -> bool:
    """True if a loop may have many rounds, or has calls; a loop over the bits of words has few rounds."""
    if any(isinstance(x, f.Call | f.SetResults) for x in nodes_of(loop.body)):
        return True
    match loop:
        case f.While():
            return False
        case f.For(_, f.Const(_, first), f.Const(_, last)):
            return last - first > FEW_TURNS
    return True


FEW_BITS, LEAST_NODES = 9, 24
"""A definition of at most `FEW_BITS` bits becomes a table, unless its body has fewer than `LEAST_NODES`
nodes."""
ASKED = "asked"
"""The name of the word by which a table is looked up."""
FEW_TURNS = 16
"""A loop with at most this many turns is cheap."""
MOST_CALLS = 2
"""A definition with at most this many calls is cheap."""
MOST_RESULTS = 1 << 6
"""Maximum number of results of a definition memoised for a state."""


def _memo_ranges(w: Body, function: n.Function, body: list[f.Statement]) -> tuple[int, ...] | None:
    """The ranges of the arguments of a costly definition with few results; None for others."""
    scalars = [param.type for param in function.params if isinstance(param.type, Scalar)]
    if asks_after(function.body):  # functions that keep results change no state
        return None
    if not _is_costly(body) or isinstance(function.result, List | Map) or len(scalars) < len(function.params):
        return None
    held = [w.codes.codes(t) for t in scalars]
    ranges = tuple(x for codes in held for x in (codes[0], codes[-1] - codes[0] + 1))
    return ranges if prod(ranges[1::2]) <= MOST_RESULTS else None


def searches_first(e: n.Expr) -> bool:
    """True if an expression, or a definition that it calls, searches for a first number."""
    firsts = (node for node in nodes_with_definitions(e) if isinstance(node, n.First))
    return any(isinstance(scalar_of(x.type), Int) for x in firsts)


def is_recursive(function: n.Function) -> bool:
    """True if a definition calls itself."""
    return any(isinstance(node, n.Call) and node.function is function for node in nodes_within(function.body))


def can(w: Body, e: n.Can, env: Env) -> Val:
    if not e.args and e.action in w.counts:
        return Val(e.type, (compare(">", w.counts[e.action], 0),))
    given: list[f.Expr] = []
    fitting: list[f.Expr] = []
    choices = w.program.game.actions[e.action].choices
    for choice, arg in zip(choices, e.args, strict=False):
        val = w.value(arg, env)
        if isinstance(choice.var.type, Scalar):
            val = w.atoms(val)
            fitting.append(w.inside(val, choice.var.type))
        given += val.parts
    name = w.functions.can(e.action, len(e.args))
    return Val(e.type, (both(*fitting, w.call(f.TRUTH, name, S, B, *given)),))


def after(w: Body, e: n.After, env: Env) -> Val:
    """Call the function of a condition after an action; false if an argument does not fit."""
    given: list[f.Expr] = []
    fitting: list[f.Expr] = []
    for param, arg in zip(e.params, e.args, strict=True):
        val, held = fit_argument(w, param.type, arg, env)
        given += val.parts
        fitting.append(held)
    for var in local_names(w, e.body):
        given += fitted(w, var.type, w.copied(var.type, w.value(n.Local(var.type, var), env))).parts
    return Val(e.type, (both(*fitting, w.call(f.TRUTH, w.functions.after(e), S, B, *given)),))


HANDLERS: dict[type[n.Expr], Handler] = {
    n.Call: call,
    n.Can: can,
    n.After: after,
}
