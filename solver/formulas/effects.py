"""The symbolic meaning of effects: from one symbolic state to the next, one handler for each.

A state is a dictionary from state variables to symbolic values; `FAULT` holds the condition under
which a value did not fit its place. Chance makes free choices and notes them, in the order in
which they are made, with the condition under which they are made at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, List, Map, Optional, Scalar, Truth, Type, Value

from .context import Env, Lazy, Moment
from .gates import FALSE, TRUE
from .meaning import Meaning
from .values import Row, Symbol, TooWide, Union, cases_of, known, mux

State = dict[n.StateVar, Symbol]
FAULT = n.StateVar("fault", BOOL, n.Const(BOOL, False))
MOST_SHUFFLED = 400


@dataclass(frozen=True, eq=False)
class Drawn:
    """One chance event: the value drawn (a scalar or a list of them), and when it happens at all."""

    type: Type
    symbol: Symbol
    guard: int


class Effects:
    """Runs effects symbolically. `wanted` are the variables worth storing; None means all."""

    def __init__(
        self, meaning: Meaning, wanted: frozenset[n.StateVar] | None, can: Callable[..., int] | None
    ) -> None:
        self.meaning, self.wanted, self.can = meaning, wanted, can
        self.gates = meaning.gates
        self.drawn: list[Drawn] = []

    def __call__(self, effect: n.Effect, env: Env, state: State, path: int) -> State:
        """The state after an effect; `path` is the condition under which it happens."""
        return HANDLERS[type(effect)](self, effect, env, state, path)

    def value(self, e: n.Expr, env: Env, state: State) -> Symbol:
        """The value of an expression in a state."""
        return self.meaning(e, env, Moment(state, self.can))

    def merge(self, cond: int, then: State, otherwise: State) -> State:
        """One of two states by a condition."""
        if cond == TRUE or then is otherwise:
            return then
        if cond == FALSE:
            return otherwise
        merged = dict(otherwise)
        for var, symbol in then.items():
            if symbol is not otherwise[var]:
                merged[var] = mux(self.gates, var.type, [(cond, symbol), (-cond, otherwise[var])])
        return merged


def _assign(run: Effects, e: n.Assign, env: Env, state: State, path: int) -> State:
    if run.wanted is not None and e.target not in run.wanted:
        return state
    value = run.value(e.value, env, state)
    keys = [run.value(key, env, state) for key in e.path]
    stored, fault = _stored(run, e.target.type, state[e.target], keys, e, value)
    if stored is state[e.target] and fault == FALSE:
        return state
    after = {**state, e.target: stored}
    if fault != FALSE:
        after[FAULT] = run.gates.either(state[FAULT], fault)
    return after


def _stored(
    run: Effects, t: Type, old: Symbol, keys: list[Symbol], e: n.Assign, value: Symbol
) -> tuple[Symbol, int]:
    """What stands at a place after storing, and when that is a fault."""
    gates = run.gates
    if not keys:
        return _fitted(run, t, e.value.type, value)
    depth = len(e.path) - len(keys)
    faults: list[int] = []
    if isinstance(t, Map):
        cases = [
            (k, g)
            for k, g in cases_of(e.path[depth].type, keys[0])
            if k is not None and k in t.keys and g != FALSE
        ]
        after = dict(old)
        for k, g in cases:
            inner, fault = _stored(run, t.of, old[k], keys[1:], e, value)
            after[k] = mux(gates, t.of, [(g, inner), (-g, old[k])])
            faults.append(gates.both(g, fault))
        return after, gates.any(faults)
    assert isinstance(t, List) and isinstance(old, Row)
    items = list(old.items)
    longer = old.longer(gates)
    for p, g in keys[0].items():
        if p is None or not 1 <= p <= len(items):
            continue
        there = gates.both(g, longer[p - 1])
        fitted, fault = _fitted(run, cast(Scalar, t.of), e.value.type, value)
        items[p - 1] = mux(gates, Optional(None), [(there, fitted), (-there, items[p - 1])])
        faults.append(gates.both(there, fault))
    return Row(items, old.size), gates.any(faults)


def _fitted(run: Effects, t: Type, given: Type, value: Symbol) -> tuple[Symbol, int]:
    """A value with what does not fit left out, and the condition under which it does not fit."""
    gates = run.gates
    if isinstance(t, Truth):
        return value, FALSE
    if isinstance(t, Scalar | Optional):
        fits = {v: g for v, g in value.items() if _holds(t, v)}
        if len(fits) == len(value):
            return value, FALSE
        fault = gates.any(g for v, g in value.items() if v not in fits)
        if not fits:
            return known(t.nothing if isinstance(t, Optional) else t.values[0]), fault
        return fits, fault
    if isinstance(t, List):
        size = {s: g for s, g in value.size.items() if s <= t.cap}
        fault = gates.any(g for s, g in value.size.items() if s > t.cap)
        return (Row(value.items[: t.cap], size or known(0)), fault) if fault != FALSE else (value, FALSE)
    return value, FALSE


def _holds(t: Scalar | Optional, value: Value) -> bool:
    if value is None:
        return isinstance(t, Optional)
    of = t.of if isinstance(t, Optional) else t
    return of is not None and value in of


def _block(run: Effects, e: n.Block, env: Env, state: State, path: int) -> State:
    for item in e.items:
        state = run(item, env, state, path)
    return state


def _when(run: Effects, e: n.When, env: Env, state: State, path: int) -> State:
    cond = run.value(e.cond, env, state)
    if cond == TRUE:
        return run(e.then, env, state, path)
    if cond == FALSE:
        return run(e.otherwise, env, state, path)
    then = run(e.then, env, state, run.gates.both(path, cond))
    return run.merge(cond, then, run(e.otherwise, env, state, run.gates.both(path, -cond)))


def _for_each(run: Effects, e: n.ForEach, env: Env, state: State, path: int) -> State:
    elements = list(run.meaning.elements(e.source, env, Moment(state, run.can)))
    inner = dict(env)
    for element, guard in elements:
        if guard != FALSE:
            inner[e.var] = element
            state = run.merge(guard, run(e.body, dict(inner), state, run.gates.both(path, guard)), state)
    return state


def _bind(run: Effects, e: n.Bind, env: Env, state: State, path: int) -> State:
    # Worked out only if something asks: what is stored may not be wanted.
    return run(e.body, {**env, e.var: Lazy(lambda: run.value(e.value, env, state))}, state, path)


def _draw(run: Effects, e: n.Draw, env: Env, state: State, path: int) -> State:
    gates = run.gates
    source = run.value(e.source, env, state)
    of = cast(Any, e.source.type).of
    inner = dict(env)
    possible: dict[Value, int] = {}
    for value, member in source.items():
        inner[e.var] = (TRUE if value else FALSE) if isinstance(of, Truth) else known(value)
        weighed = TRUE
        if e.weight is not None:
            weight = run.value(e.weight, inner, state)
            weighed = gates.any(g for w, g in weight.items() if w)
        if gates.both(member, weighed) != FALSE:
            possible[value] = gates.both(member, weighed)
    if not possible:
        return state
    some = gates.any(possible.values())
    chosen = {v: TRUE if len(possible) == 1 else gates.free() for v in possible}
    if len(possible) > 1:
        gates.at_most_one(list(chosen.values()))
        gates.require([-some, *chosen.values()])
        for v, lit in chosen.items():
            gates.require((-lit, possible[v]))
    symbol: Symbol = chosen.get(True, FALSE) if isinstance(of, Truth) else chosen
    run.drawn.append(Drawn(of, symbol, gates.both(path, some)))
    return run.merge(some, run(e.body, {**env, e.var: symbol}, state, gates.both(path, some)), state)


def _shuffle(run: Effects, e: n.Shuffle, env: Env, state: State, path: int) -> State:
    source = run.value(e.source, env, state)
    if any(lit != TRUE for lit in source.values()):
        raise TooWide("a shuffle of a set that is not known beforehand")
    values = sorted(source)
    if len(values) > MOST_SHUFFLED:
        raise TooWide(f"a shuffle of {len(values):,}")
    row = permutation(run, values)
    run.drawn.append(Drawn(e.var.type, row, path))
    return run(e.body, {**env, e.var: row}, state, path)


def permutation(run: Effects, values: list[Value]) -> Row:
    """All orders of some values: at each place one of them, each of them at one place."""
    gates = run.gates
    if len(values) == 1:
        return Row([known(values[0])], known(1))
    items: list[Union] = [{v: gates.free() for v in values} for _ in values]
    for item in items:
        gates.one_of(list(item.values()))
    for v in values:
        gates.one_of([item[v] for item in items])
    return Row(items, known(len(values)))


HANDLERS: dict[type[n.Effect], Callable[..., State]] = {
    n.Assign: _assign,
    n.Block: _block,
    n.When: _when,
    n.ForEach: _for_each,
    n.Bind: _bind,
    n.Draw: _draw,
    n.Shuffle: _shuffle,
}
