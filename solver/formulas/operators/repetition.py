"""Walks, closures, definitions, and legality."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import admits, call
from rulespec.core.types import List, Optional, Scalar, Set, Truth, Value

from ..aig import FALSE, TRUE
from ..context import Env, Evaluator, Handler, Moment
from ..values import Symbol, cases_of, element, intern, is_none, lift, mux, nothing, union
from .collections import without_false
from .finite import set_of_values

MOST_ARGUMENTS = 4096
"""Maximum number of combinations of arguments for which a static definition is looked up case by case."""
MOST_UNFOLDED = 512
"""Maximum number of combinations of arguments for which a recursive definition is evaluated one by one."""


def _follow(m: Evaluator, e: n.Follow, env: Env, at: Moment) -> Symbol:
    here, times = m(e.start, env, at), m(e.times, env, at)
    inner = dict(env)
    go = TRUE
    for i in range(e.most):
        left = m.gates.any(g for v, g in times.items() if v is not None and v > i)
        go = m.gates.all((go, left, -is_none(here)))
        if go == FALSE:
            break
        inner[e.var] = here
        go = m.gates.both(go, m(e.cond, inner, at))
        if go == FALSE:
            break
        step = m(e.step, inner, at)
        go = m.gates.both(go, -is_none(step))
        here = mux(m.gates, e.type, [(go, step), (-go, here)])
    return here


def _reach(m: Evaluator, e: n.Reach, env: Env, at: Moment) -> Symbol:
    gates = m.gates
    of = cast(Set | List, e.source.type).of
    source = set_of_values(m, ((of, x, g) for x, g in m.elements(e.source, env, at)))
    start = m(e.start, env, at)
    reached = {v: gates.both(g, start.get(v, FALSE)) for v, g in source.items()}
    inner = dict(env)
    steps: dict[Value, list[tuple[Value, int]]] = {}
    for value, guard in source.items():
        steps[value] = []
        inner[e.var] = element(of, value)
        for via in source:
            if via != value:
                inner[e.via] = element(of, via)
                lit = gates.both(guard, m(e.body, inner, at))
                if lit != FALSE:
                    steps[value].append((via, lit))
    for _ in range(len(source) - 1):
        wider = {
            v: lit if lit == TRUE else gates.any((lit, *(gates.both(reached[w], s) for w, s in steps[v])))
            for v, lit in reached.items()
        }
        if wider == reached:
            break
        reached = wider
    # True of every closure, and far from plain to an engine that sees the rounds only.
    for value, arrows in steps.items():
        for via, lit in arrows:
            gates.require((-reached[via], -lit, reached[value]))
    return without_false(m, reached)


def _call(m: Evaluator, e: n.Call, env: Env, at: Moment) -> Symbol:
    function = e.function
    args = [m(a, env, at) for a in e.args]
    if function.static:
        scalars = all(isinstance(p.type, Scalar | Optional) for p in function.params)
        cases = [list(cases_of(a.type, s)) for a, s in zip(e.args, args, strict=True)] if scalars else []
        if scalars and _product(cases) <= MOST_ARGUMENTS:
            return _looked_up(m, function, cases)
    if function.falling is not None:
        if m.loose and isinstance(function.result, Truth):
            return m.left_open(e, args, at)
        return _split(m, e, args, at)
    return _apply(m, function, args, at)


def _split(m: Evaluator, e: n.Call, args: list[Symbol], at: Moment) -> Symbol:
    """The value of a recursive definition, evaluated for each combination of its arguments.

    With all of them at once it would be unfolded again along with every call.
    """
    pairs = zip(e.args, args, strict=True)
    cases = [list(cases_of(a.type, s)) if isinstance(a.type, Scalar | Optional) else [] for a, s in pairs]
    if not 0 < _product(cases) <= MOST_UNFOLDED:
        return _apply(m, e.function, args, at)
    result: list[tuple[int, Symbol]] = []
    for combination in itertools.product(*cases):
        guard = m.gates.all(g for _, g in combination)
        if guard != FALSE:
            given = [lift(a.type, v) for a, (v, _) in zip(e.args, combination, strict=True)]
            result.append((guard, _apply(m, e.function, given, at)))
    return mux(m.gates, e.function.result.with_none, result)


def _product(cases: list[list[tuple[Value, int]]]) -> int:
    size = 1
    for c in cases:
        size *= len(c)
    return size


def _looked_up(m: Evaluator, function: n.Function, cases: list[list[tuple[Value, int]]]) -> Symbol:
    """The value of a static function, evaluated for each combination of its arguments."""
    result: list[tuple[Value, int]] = []
    for combination in itertools.product(*cases):
        guard = combination[0][1] if len(combination) == 1 else m.gates.all(g for _, g in combination)
        if guard != FALSE:
            result.append((call(function, tuple(v for v, _ in combination), Context()), guard))
    t = function.result
    if len(result) == 1:
        return lift(t, result[0][0])
    if isinstance(t, Truth):
        return m.gates.any(g for v, g in result if v)
    if isinstance(t, Scalar | Optional):
        return union(m.gates, result)
    merged: dict[Value, list[int]] = {}
    for value, guard in result:
        merged.setdefault(value, []).append(guard)
    return mux(m.gates, t, [(m.gates.any(gs), lift(t, v)) for v, gs in merged.items()])


def _apply(m: Evaluator, function: n.Function, args: list[Symbol], at: Moment) -> Symbol:
    """A definition's value for symbolic arguments; nothing if one does not fit its parameter."""
    env, fits = fit_arguments(m, function.params, args)
    if fits == FALSE:
        return nothing(function.result)
    body = m(function.body, env, at)
    if fits == TRUE:
        return body
    return mux(m.gates, function.result.with_none, [(fits, body), (-fits, nothing(function.result))])


def fit_arguments(m: Evaluator, params: Sequence[n.Var], args: Sequence[Symbol]) -> tuple[Env, int]:
    """The values of parameters, and the condition that each argument fits."""
    env: Env = {}
    fits = TRUE
    for param, given in zip(params, args, strict=True):
        arg = given
        if isinstance(param.type, Scalar | Optional) and not isinstance(param.type, Truth):
            inside = {v: lit for v, lit in arg.items() if admits(param.type, v)}
            if len(inside) < len(arg) or not arg:  # without cases nothing is so, and no unfolding ends
                fits = m.gates.both(fits, m.gates.any(inside.values()))
                arg = intern(m.gates, inside)
        env[param] = arg
    return env, fits


def _can(m: Evaluator, e: n.Can, env: Env, at: Moment) -> Symbol:
    """The literal that an action is legal. Raises LookupError outside a game."""
    if at.can is None:
        raise LookupError(f"`can {e.action}` asked where no game is being played")
    return at.can(e.action, [m(a, env, at) for a in e.args], at)


HANDLERS: dict[type[n.Expr], Handler] = {n.Follow: _follow, n.Reach: _reach, n.Call: _call, n.Can: _can}
