"""A symbolic state as a flat list of literals, and back, for stamping templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from rulespec.core import nodes as n
from rulespec.core.types import List, Map, Optional, Scalar, Set, Truth, Type, Value

from .aig import FALSE, TRUE, Gates
from .effects import State
from .values import Symbol, SymbolicList, Union


def domain(t: Type) -> Iterable[Value]:
    """The values of a scalar or optional type, none last; for a set, its possible elements."""
    if isinstance(t, Scalar):
        return t.values
    assert isinstance(t, Optional | Set)
    values = t.of.values if t.of else ()
    return chain(values, (None,)) if isinstance(t, Optional) else values


def flatten(t: Type, symbol: Symbol) -> list[int]:
    """The literals of a value, in the order in which `build` reads them."""
    if isinstance(t, Truth):
        return [symbol]
    if isinstance(t, Map):
        return [x for key in t.keys.values for x in flatten(t.of, symbol[key])]
    if isinstance(t, List):
        values = t.of.values if t.of else ()
        items = [*symbol.items, *[{}] * t.cap][: t.cap]
        sizes = [symbol.size.get(s, FALSE) for s in range(t.cap + 1)]
        return sizes + [item.get(v, FALSE) for item in items for v in values]
    return [symbol.get(v, FALSE) for v in domain(t)]


def build(t: Type, literals: Iterator[int]) -> Symbol:
    """The value made of the next literals, in the order of `flatten`."""
    if isinstance(t, Truth):
        return next(literals)
    if isinstance(t, Map):
        return {key: build(t.of, literals) for key in t.keys.values}
    if isinstance(t, List):
        size = _union(range(t.cap + 1), literals)
        items = [_union(t.of.values if t.of else (), literals) for _ in range(t.cap)]
        return SymbolicList(items[: max(size, default=0)], size)
    return _union(domain(t), literals)


def _union(values: Iterable[Value], literals: Iterator[int]) -> Union:
    return {v: literal for v, literal in zip(values, literals, strict=False) if literal != FALSE}


def constrain_to_type(gates: Gates, t: Type, symbol: Symbol) -> None:
    """Require that free literals form a value of a type."""
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
    """A state of free literals, with upper bounds for some numbers; fixed variables keep their value."""
    state: State = {}
    for var in variables:
        symbol = fixed[var] if var in fixed else build(var.type, iter(gates.free, None))
        if var in most and var not in fixed:
            symbol = {v: x for v, x in symbol.items() if v is None or v <= most[var]}
            if len(symbol) == 1:
                symbol = dict.fromkeys(symbol, TRUE)
        state[var] = symbol
    return state
