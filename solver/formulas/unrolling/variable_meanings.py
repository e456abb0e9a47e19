"""Meanings of the variables of an unrolling in words, for readers of formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.core.notation import write
from rulespec.core.types import List, Map, Optional, Scalar, Set, Truth, Type

from ..aig import TRUE
from ..effects import State
from ..values import Symbol, SymbolicList
from .transition_relation import Ply


def meanings(states: Sequence[State], plies: Sequence[Ply]) -> dict[int, str]:
    """The meanings of those variables of an unrolling that have one. Makes no gates.

    Of several meanings the first counts; a negated one is written with `not`.
    """
    result: dict[int, str] = {}
    for text, literal in _texts(states, plies):
        if abs(literal) != TRUE:
            result.setdefault(abs(literal), text if literal > 0 else f"not {text}")
    return result


def _texts(states: Sequence[State], plies: Sequence[Ply]) -> Iterator[tuple[str, int]]:
    for k, state in enumerate(states):
        when = "at first" if not k else "after 1 ply" if k == 1 else f"after {k} plies"
        for var, symbol in state.items():
            yield from ((f"{text} {when}", literal) for text, literal in _of(var.name, var.type, symbol))
    for k, taken in enumerate(plies, 1):
        for case in taken.cases:
            chosen = [f"{v.name}={write(v.type, x)}" for v, x in case.settled.items()]
            yield f"ply {k} is {' '.join([case.action.id, *chosen])}", case.literal
        for name, choices in taken.choices.items():
            for choice, symbol in choices.items():
                for text, literal in _of(f"{name} {choice.name}", choice.type, symbol):
                    yield f"{text} in ply {k}", literal


def _of(name: str, t: Type, symbol: Symbol) -> Iterator[tuple[str, int]]:
    """Meanings of the literals of a symbolic value."""
    if isinstance(t, Truth):
        yield name, symbol
    elif isinstance(t, Map):
        for key in t.keys.values:
            yield from _of(f"{name}[{write(t.keys, key)}]", t.of, symbol[key])
    elif isinstance(t, List):
        assert isinstance(symbol, SymbolicList)
        yield from ((f"size({name}) = {size}", literal) for size, literal in symbol.size.items())
        for place, item in enumerate(symbol.evaluated_items, 1):
            for value, literal in item.items():
                yield f"{name}[{place}] = {write(t.of, value) if t.of else value}", literal
    elif isinstance(t, Set):
        for value, literal in symbol.items():
            yield f"{write(t.of, value) if t.of else value} in {name}", literal
    else:
        assert isinstance(t, Scalar | Optional)
        yield from ((f"{name} = {write(t, value)}", literal) for value, literal in symbol.items())
