"""A symbolic state as a flat run of literals, and back: what a template is stamped with."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.core import nodes as n
from rulespec.core.types import List, Map, Optional, Scalar, Set, Truth, Type, Value

from .aig import FALSE, TRUE, Gates
from .effects import State
from .values import Symbol, SymbolicList


def domain(t: Type) -> tuple[Value, ...]:
    """The values of a scalar or optional type, none last."""
    if isinstance(t, Optional):
        return (*(t.of.values if t.of else ()), None)
    assert isinstance(t, Scalar)
    return tuple(t.values)


def width(t: Type) -> int:
    """The number of literals that a value of a type takes."""
    if isinstance(t, Truth):
        return 1
    if isinstance(t, Scalar | Optional):
        return len(domain(t))
    if isinstance(t, Set):
        return len(t.of.values) if t.of else 0
    if isinstance(t, List):
        return t.cap + 1 + t.cap * (len(t.of.values) if t.of else 0)
    assert isinstance(t, Map)
    return len(t.keys.values) * width(t.of)


def flatten(t: Type, symbol: Symbol, out: list[int]) -> None:
    """Append the literals of a value, in the order that `build` reads."""
    if isinstance(t, Truth):
        out.append(symbol)
    elif isinstance(t, Scalar | Optional):
        out += [symbol.get(v, FALSE) for v in domain(t)]
    elif isinstance(t, Set):
        out += [symbol.get(v, FALSE) for v in t.of.values] if t.of else []
    elif isinstance(t, List):
        out += [symbol.size.get(s, FALSE) for s in range(t.cap + 1)]
        values = t.of.values if t.of else ()
        for i in range(t.cap):
            item = symbol.items[i] if i < len(symbol.items) else {}
            out += [item.get(v, FALSE) for v in values]
    else:
        assert isinstance(t, Map)
        for key in t.keys.values:
            flatten(t.of, symbol[key], out)


def build(t: Type, literals: Sequence[int], at: int = 0) -> Symbol:
    """The value that starts at a position of a run of literals."""
    if isinstance(t, Truth):
        return literals[at]
    if isinstance(t, Scalar | Optional):
        return _union(domain(t), literals, at)
    if isinstance(t, Set):
        return _union(tuple(t.of.values) if t.of else (), literals, at)
    if isinstance(t, List):
        size = _union(tuple(range(t.cap + 1)), literals, at)
        values = tuple(t.of.values) if t.of else ()
        start = at + t.cap + 1
        most = max(size, default=0)
        return SymbolicList([_union(values, literals, start + i * len(values)) for i in range(most)], size)
    assert isinstance(t, Map)
    step = width(t.of)
    return {key: build(t.of, literals, at + i * step) for i, key in enumerate(t.keys.values)}


def _union(values: tuple[Value, ...], literals: Sequence[int], at: int) -> dict[Value, int]:
    return {v: literals[at + i] for i, v in enumerate(values) if literals[at + i] != FALSE}


def constrain_to_type(gates: Gates, t: Type, symbol: Symbol) -> None:
    """Demand that a value made of free literals is a value of its type."""
    if isinstance(t, Scalar | Optional) and not isinstance(t, Truth):
        if len(symbol) > 1:
            gates.one_of(list(symbol.values()))
    elif isinstance(t, List):
        if len(symbol.size) > 1:
            gates.one_of(list(symbol.size.values()))
        for item in symbol.items:
            if len(item) > 1:
                gates.one_of(list(item.values()))
    elif isinstance(t, Map):
        for value in symbol.values():
            constrain_to_type(gates, t.of, value)


def free_state(
    gates: Gates, variables: Sequence[n.StateVar], most: dict[n.StateVar, int], fixed: State
) -> State:
    """A state of free literals, numbers bounded where a greatest value is given, fixed ones as they are."""
    state: State = {}
    for var in variables:
        if var in fixed:
            state[var] = fixed[var]
            continue
        literals = [gates.free() for _ in range(width(var.type))]
        if var in most:
            literals = [
                x if v is None or v <= most[var] else FALSE
                for x, v in zip(literals, domain(var.type), strict=True)
            ]
        symbol = build(var.type, literals)
        state[var] = (
            {next(iter(symbol)): TRUE}
            if isinstance(symbol, dict) and len(symbol) == 1 and var in most
            else symbol
        )
    return state
