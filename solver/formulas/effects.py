"""The symbolic meaning of effects: from one symbolic state to the next, one handler for each.

A state is a dictionary from state variables to symbolic values; `FAULT` holds the condition that a value did
not fit its place, `STUCK` the condition that every player passed in vain. Chance makes free choices and
records them in order, each with the condition that it happens at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import assert_never, cast

from rulespec.core import nodes as n
from rulespec.core.traversal import nodes_within
from rulespec.core.types import BOOL, List, Map, Optional, Scalar, Set, Truth, Type, Value, holds

from .aig import FALSE, TRUE, Gates, TooWide
from .context import Env, Evaluator, Lazy, Moment
from .dependencies import Dependencies
from .values import Symbol, SymbolicList, Union, cases_of, constant, count_true, element, mux, single, union

State = dict[n.StateVar, Symbol]
FAULT = n.StateVar("fault", BOOL, n.Const(BOOL, False))
STUCK = n.StateVar("stuck", BOOL, n.Const(BOOL, False))
MOST_SHUFFLED = 400


@dataclass(frozen=True, eq=False)
class ChanceEvent:
    """One chance event: the value drawn (a scalar or a list of them), and the condition that it happens.

    `odds` are the possible values, each with the possible numbers to which its probability is proportional;
    for an order of elements, the possible elements, each with weight one or zero.
    """

    type: Type
    symbol: Symbol
    guard: int
    odds: dict[Value, Union] = field(default_factory=dict)


class Effects:
    """Runs effects symbolically. `wanted` are the variables worth storing; None means all."""

    def __init__(
        self, evaluator: Evaluator, wanted: frozenset[n.StateVar] | None, can: Callable[..., int] | None
    ) -> None:
        self.evaluate, self.wanted, self.can = evaluator, wanted, can
        self.gates = evaluator.gates
        self.drawn: list[ChanceEvent] = []
        self._mattering: dict[n.Effect, bool] = {}

    @property
    def facts(self) -> Dependencies:
        """Facts about the nodes of the game."""
        return self.evaluate.facts

    def happen(
        self, t: Type, make: Callable[[], Symbol], odds: dict[Value, Union], guard: int, state: State
    ) -> tuple[Symbol, int]:
        """Record a chance event; returns its value and the condition that it happens, which excludes faults.

        `make` makes free choices for the value.
        """
        drawn = ChanceEvent(t, make(), self.gates.both(guard, -state[FAULT]), odds)
        self.drawn.append(drawn)
        return drawn.symbol, drawn.guard

    def __call__(self, effect: n.Effect, env: Env, state: State, path: int) -> State:
        """The state after an effect that happens under the condition `path`."""
        if not self._matters(effect):
            return state
        self.gates.tick()
        match effect:
            case n.Assign():
                return _assign(self, effect, env, state, path)
            case n.Block():
                return _block(self, effect, env, state, path)
            case n.When():
                return _when(self, effect, env, state, path)
            case n.ForEach():
                return _for_each(self, effect, env, state, path)
            case n.Bind():
                return _bind(self, effect, env, state, path)
            case n.Draw():
                return _draw(self, effect, env, state, path)
            case n.Shuffle():
                return _shuffle(self, effect, env, state, path)
            case _:
                assert_never(effect)

    def _matters(self, effect: n.Effect) -> bool:
        """True if an effect may store something wanted, or draws from chance."""
        result = self._mattering.get(effect)
        if result is None:
            kept = (
                isinstance(node, n.Draw | n.Shuffle)
                or (isinstance(node, n.Assign) and (self.wanted is None or node.target in self.wanted))
                for node in nodes_within(effect)
            )
            result = self._mattering[effect] = any(kept)
        return result

    def value(self, e: n.Expr, env: Env, state: State) -> Symbol:
        """The value of an expression in a state."""
        return self.evaluate(e, env, Moment(state, self.can))

    def store(self, e: n.Assign, env: Env, before: State, state: State, value: Symbol) -> State:
        """The state after an assignment whose place is evaluated in the state `before`."""
        keys = [self.value(key, env, before) for key in e.path]
        stored, fault = _store_value(self, e.target.type, state[e.target], keys, e, value)
        if stored is state[e.target] and fault == FALSE:
            return state
        return with_fault(self.gates, {**state, e.target: stored}, fault)

    def merge(self, cond: int, then: State, otherwise: State) -> State:
        """A state equal to `then` if the condition is true, else to `otherwise`."""
        if cond == TRUE or then is otherwise:
            return then
        if cond == FALSE:
            return otherwise
        merged = dict(otherwise)
        for var, symbol in then.items():
            if symbol is not otherwise[var]:
                merged[var] = mux(self.gates, var.type, [(cond, symbol), (-cond, otherwise[var])])
        return merged


class Trial(Effects):
    """Runs an effect under an `After`: a value that does not fit its place is not stored."""

    def store(self, e: n.Assign, env: Env, before: State, state: State, value: Symbol) -> State:
        """The state after an assignment, unchanged if the value does not fit."""
        old = state[e.target]
        keys = [self.value(key, env, before) for key in e.path]
        stored, fault = _store_value(self, e.target.type, old, keys, e, value)
        kept = mux(self.gates, e.target.type, [(-fault, stored), (fault, old)]) if fault != FALSE else stored
        return state if kept is old else {**state, e.target: kept}


def _assign(run: Effects, e: n.Assign, env: Env, state: State, path: int) -> State:
    return run.store(e, env, state, state, run.value(e.value, env, state))


def with_fault(gates: Gates, state: State, fault: int) -> State:
    """The state with a fault recorded under a condition."""
    return state if fault == FALSE else {**state, FAULT: gates.either(state[FAULT], fault)}


def _store_value(
    run: Effects, t: Type, old: Symbol, keys: list[Symbol], e: n.Assign, value: Symbol
) -> tuple[Symbol, int]:
    """The value at a place after storing, and the condition that it faults."""
    gates = run.gates
    if not keys:
        return fit_to_type(gates, t, value) if run.facts.may_fault(e) else (value, FALSE)
    key_type = e.path[len(e.path) - len(keys)].type
    faults: list[int] = []
    if isinstance(t, Map):
        after = dict(old)
        for k, g in cases_of(key_type, keys[0]):
            if k is not None and k in t.keys and g != FALSE:
                inner, fault = _store_value(run, t.of, old[k], keys[1:], e, value)
                after[k] = mux(gates, t.of, [(g, inner), (-g, old[k])])
                faults.append(gates.both(g, fault))
        return after, gates.any(faults)
    assert isinstance(t, List) and t.of is not None and isinstance(old, SymbolicList)
    items = list(old.items)
    longer = old.longer(gates)
    inner, fault = _store_value(run, t.of, None, keys[1:], e, value)
    item = dict(cases_of(t.of, inner))
    for p, g in keys[0].items():
        if p is not None and 1 <= p <= len(items):
            there = gates.both(g, longer[p - 1])
            items[p - 1] = mux(gates, Optional(None), [(there, item), (-there, items[p - 1])])
            faults.append(gates.both(there, fault))
    return SymbolicList(items, old.size), gates.any(faults)


def fit_to_type(gates: Gates, t: Type, value: Symbol) -> tuple[Symbol, int]:
    """A value restricted to the cases that fit a type, and the condition that it does not fit."""
    if isinstance(t, Truth):
        return value, FALSE if len(t.values) > 1 else -value if t.values[0] else value
    if isinstance(t, Scalar | Optional):
        fits = {v: g for v, g in value.items() if holds(t, v)}
        fault = gates.any(g for v, g in value.items() if v not in fits)
        return fits or constant(t.nothing if isinstance(t, Optional) else t.values[0]), fault
    if isinstance(t, Set):
        kept = {v: g for v, g in value.items() if t.of is not None and v in t.of}
        return kept, gates.any(g for v, g in value.items() if v not in kept)
    if isinstance(t, List):
        return _fitted_row(gates, t, value)
    assert isinstance(t, Map)
    parts = {key: fit_to_type(gates, t.of, held) for key, held in value.items()}
    return {key: held for key, (held, _) in parts.items()}, gates.any(fault for _, fault in parts.values())


def _fitted_row(gates: Gates, t: List, row: SymbolicList) -> tuple[SymbolicList, int]:
    """A symbolic list without the values that a type excludes, and the condition that it had some."""
    faults = [g for s, g in row.size.items() if s > t.cap]
    items: list[Union] = []
    for item, there in zip(row.items[: t.cap], row.longer(gates), strict=False):
        kept = {v: g for v, g in item.items() if t.of is not None and v in t.of}
        faults += [gates.both(there, g) for v, g in item.items() if v not in kept]
        items.append(kept)
    size = {s: g for s, g in row.size.items() if s <= t.cap}
    return SymbolicList(items, size or constant(0)), gates.any(faults)


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
    elements = list(run.evaluate.elements(e.source, env, Moment(state, run.can)))
    inner = dict(env)
    for item, guard in elements:
        if guard != FALSE:
            inner[e.var] = item
            state = run.merge(guard, run(e.body, dict(inner), state, run.gates.both(path, guard)), state)
    return state


def _bind(run: Effects, e: n.Bind, env: Env, state: State, path: int) -> State:
    # Worked out only if something asks: what is stored may not be wanted.
    return run(e.body, {**env, e.var: Lazy(lambda: run.value(e.value, env, state))}, state, path)


def _draw(run: Effects, e: n.Draw, env: Env, state: State, path: int) -> State:
    gates = run.gates
    of = cast(Set, e.source.type).of
    possible: dict[Value, int] = {}
    odds: dict[Value, Union] = {}
    negative: list[int] = []
    inner = dict(env)
    for value, member in run.value(e.source, env, state).items():
        inner[e.var] = element(of, value)
        weight = constant(1) if e.weight is None else run.value(e.weight, inner, state)
        here = gates.both(member, gates.any(g for w, g in weight.items() if w is not None and w > 0))
        if here != FALSE:
            possible[value] = here
            odds[value] = _odds(gates, member, weight)
        negative += [gates.both(member, g) for w, g in weight.items() if w is not None and w < 0]
    state = with_fault(gates, state, gates.any(negative))
    if not possible:
        return state
    some = gates.any(possible.values())
    made = partial(_one_of, gates, possible, some, of)
    symbol, here = run.happen(e.var.type, made, odds, gates.both(path, some), state)
    return run.merge(some, run(e.body, {**env, e.var: symbol}, state, here), state)


def _odds(gates: Gates, member: int, weight: Union) -> Union:
    """The possible weights of an element, zero if it is none."""
    cases = [(max(w or 0, 0), gates.both(member, g)) for w, g in weight.items()]
    return union(gates, [(0, -member), *cases])


def _one_of(gates: Gates, possible: dict[Value, int], some: int, of: Scalar | None) -> Symbol:
    """An arbitrary element of those that are possible, if there are some."""
    chosen = {v: TRUE if len(possible) == 1 else gates.free() for v in possible}
    if len(possible) > 1:
        gates.at_most_one(list(chosen.values()))
        gates.require([-some, *chosen.values()])
        for v, lit in chosen.items():
            gates.require((-lit, possible[v]))
    return single(of, chosen)


def _shuffle(run: Effects, e: n.Shuffle, env: Env, state: State, path: int) -> State:
    members = run.value(e.source, env, state)
    odds = {value: _odds(run.gates, member, constant(1)) for value, member in members.items()}
    row, here = run.happen(e.var.type, partial(symbolic_permutation, run.gates, members), odds, path, state)
    return run(e.body, {**env, e.var: row}, state, here)


def symbolic_permutation(gates: Gates, members: Union) -> SymbolicList:
    """A symbolic permutation of a set: each of its elements at exactly one place. Raises TooWide."""
    if len(members) > MOST_SHUFFLED:
        raise TooWide(f"a shuffle of {len(members):,}")
    size = count_true(gates, members.values())
    if max(size) < 2:
        return SymbolicList([dict(members)] if members else [], size)
    row = SymbolicList([{v: gates.free() for v in sorted(members)} for _ in range(max(size))], size)
    for item, there in zip(row.items, row.longer(gates), strict=True):
        gates.at_most_one(list(item.values()))
        gates.require((-there, *item.values()))
        for v, lit in item.items():
            gates.require((-lit, gates.both(there, members[v])))
    for v, member in members.items():
        places = [item[v] for item in row.items]
        gates.at_most_one(places)
        gates.require((-member, *places))
    return row
