"""Symbolic values: the possible values, each with its condition.

    Bool        a literal
    scalar      a union {value: literal}, the literals exclusive and exhaustive; none is a value
    set         {element: literal}; missing elements are not in it
    list        SymbolicList: items and size as unions; items past the size mean nothing,
                so a shorter beginning of a list costs nothing
    map         {key: symbolic value}

A constant is a union of one value. Unions of constants are shared, so that identity means equality. Values
with more than `WIDEST` cases raise TooWide.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rulespec.core.types import List, Map, Optional, Scalar, Set, Truth, Type, Value

from .aig import FALSE, TRUE, Gates, TooWide

Symbol = Any
"""A symbolic value, as described above."""
Union = dict[Value, int]

WIDEST = 20_000
"""The greatest number of cases of one value."""
MOST_PAIRS = 1_000_000
"""The greatest number of pairs of cases on which an operation is performed."""


class SymbolicList:
    """A list: its items, and its size.

    `apart` holds the same items in the same order with gaps between them, if that is cheaper: each with the
    condition of its membership. The items proper are then computed on demand.
    """

    __slots__ = ("_items", "_longer", "apart", "size")

    def __init__(
        self,
        items: Sequence[Union] | Callable[[], Sequence[Union]],
        size: Union,
        apart: Sequence[tuple[Union, int]] | None = None,
    ) -> None:
        self._items = items if callable(items) else tuple(items)
        self.size = size
        self.apart = apart
        self._longer: list[int] | None = None

    @property
    def evaluated_items(self) -> tuple[Union, ...]:
        """The items computed so far."""
        return () if callable(self._items) else self._items

    @property
    def items(self) -> tuple[Union, ...]:
        """The items from the bottom."""
        if callable(self._items):
            self._items = tuple(self._items())
        return self._items

    def longer(self, gates: Gates) -> list[int]:
        """For each position from 0, a literal that the list has an item there."""
        if self._longer is None:
            self._longer = [
                gates.any(lit for size, lit in self.size.items() if size > i) for i in range(len(self.items))
            ]
        return self._longer


_KNOWN: dict[Value, Union] = {}


def constant(value: Value) -> Union:
    """A value as a union with a single case."""
    if value is True or value is False:  # which equal numbers and are none
        return {value: TRUE}
    result = _KNOWN.get(value)
    if result is None:
        result = _KNOWN[value] = {value: TRUE}
    return result


def is_none(symbol: Symbol) -> int:
    """The condition that a value is none."""
    return symbol.get(None, FALSE) if isinstance(symbol, dict) else FALSE


def value_of(union: Union) -> tuple[Value] | None:
    """The only value of a union, in a tuple; None if there are several."""
    return (next(iter(union)),) if len(union) == 1 else None


def lift(t: Type, value: Value) -> Symbol:
    """A value as a symbolic value."""
    if isinstance(t, Truth):
        return TRUE if value else FALSE
    if isinstance(t, Scalar | Optional):
        return constant(value)
    if isinstance(t, Set):
        return dict.fromkeys(value, TRUE)
    if isinstance(t, List):
        return SymbolicList([constant(v) for v in value], constant(len(value)))
    assert isinstance(t, Map)
    return {key: lift(t.of, v) for key, v in zip(t.keys.values, value, strict=True)}


def nothing(t: Type) -> Symbol:
    """The value of a read at none, as a symbolic value."""
    return lift(t, t.nothing)


def union(gates: Gates, cases: Iterable[tuple[Value, int]]) -> Union:
    """Merge cases with equal values and drop impossible ones. Raises TooWide."""
    result: dict[Value, list[int]] = {}
    for value, literal in cases:
        if literal != FALSE:
            result.setdefault(value, []).append(literal)
    if len(result) == 1:
        return constant(next(iter(result)))
    if len(result) > WIDEST:
        raise TooWide(f"a value of {len(result):,} cases")
    return intern(gates, {v: lits[0] if len(lits) == 1 else gates.any(lits) for v, lits in result.items()})


def intern(gates: Gates, cases: Union) -> Union:
    """The shared union of these gates with this content."""
    held: Union = gates.shared.setdefault(frozenset(cases.items()), cases)
    return held


def shared_row(gates: Gates, items: Sequence[Union], size: Union) -> SymbolicList:
    """The shared list of these gates with these items and size."""
    row = SymbolicList(items, size)
    held: SymbolicList = gates.shared.setdefault((*map(id, row.items), id(size)), row)
    return held


def element(of: Type | None, value: Value) -> Symbol:
    """A single value in the form that a local name holds."""
    return (TRUE if value else FALSE) if isinstance(of, Truth) else constant(value)


def single(of: Scalar | None, item: Union) -> Symbol:
    """An item of a list in the form that a local name holds."""
    return item.get(True, FALSE) if isinstance(of, Truth) else item


def cases_of(t: Type | None, symbol: Symbol) -> Iterator[tuple[Value, int]]:
    """The possible values of a scalar, each with its condition."""
    if isinstance(t, Truth):
        if symbol != FALSE:
            yield True, symbol
        if symbol != TRUE:
            yield False, -symbol
    else:
        yield from symbol.items()


def has_value(gates: Gates, t: Type | None, symbol: Symbol, value: Value) -> int:
    """Literal that a scalar, or a list of scalars, has a value."""
    if isinstance(t, List):
        items = (has_value(gates, t.of, item, x) for item, x in zip(symbol.items, value, strict=False))
        return gates.all((symbol.size.get(len(value), FALSE), *items))
    return next((literal for x, literal in cases_of(t, symbol) if x == value), FALSE)


def count_true(gates: Gates, literals: Iterable[int], most: int = sys.maxsize) -> Union:
    """The number of true literals; of those that are not constant at most `most` are counted."""
    total: dict[int, int] = {0: TRUE}
    certain = 0
    for lit in sorted(literals) if gates.orderly else literals:
        if lit == TRUE:
            certain += 1
        elif lit != FALSE:
            same = ((v, gates.both(g, -lit)) for v, g in total.items())
            more = ((min(v + 1, most), gates.both(g, lit)) for v, g in total.items())
            total = union(gates, itertools.chain(same, more))
    return {v + certain: g for v, g in total.items()} if certain else total


def combine(gates: Gates, operation: Callable[..., Value], *unions: Union) -> Union:
    """An operation applied to every combination of cases. Raises TooWide."""
    if all(len(u) == 1 for u in unions):
        return constant(operation(*(next(iter(u)) for u in unions)))
    if len(unions) == 1:
        return union(gates, ((operation(v), lit) for v, lit in unions[0].items()))
    a, b = unions
    if len(a) * len(b) > MOST_PAIRS:
        raise TooWide(f"an operation on {len(a):,} by {len(b):,} cases")
    both = gates.both
    return union(gates, ((operation(v, w), both(x, y)) for v, x in a.items() for w, y in b.items()))


def mux(gates: Gates, t: Type, cases: Sequence[tuple[int, Symbol]]) -> Symbol:
    """The value of the case that holds; conditions exclude each other, and one holds."""
    cases = [(g, s) for g, s in cases if g != FALSE] or cases[:1]
    first = cases[0][1]
    if all(s is first for _, s in cases):
        return first
    if isinstance(t, Truth):
        if all(s == first for _, s in cases):
            return first
        if len(cases) == 2:
            return gates.choose(cases[0][0], first, cases[1][1])
        return gates.any(gates.both(g, s) for g, s in cases)
    if isinstance(t, Scalar | Optional):
        return _mux_union(gates, cases)
    if isinstance(t, Set):
        return _mux_set(gates, cases)
    if isinstance(t, List):
        return _mux_row(gates, cases)
    assert isinstance(t, Map)
    return {key: mux(gates, t.of, [(g, s[key]) for g, s in cases]) for key in first}


def join_cases(gates: Gates, cases: Sequence[tuple[int, Symbol]]) -> list[tuple[int, Symbol]]:
    """Cases with the same value merged under one condition."""
    groups: dict[int, tuple[Symbol, list[int]]] = {}
    for g, s in cases:
        groups.setdefault(s if type(s) is int else id(s), (s, []))[1].append(g)
    return [(gates.any(lits), s) for s, lits in groups.values()]


def _mux_union(gates: Gates, cases: Sequence[tuple[int, Union]]) -> Union:
    both = gates.both
    merged = join_cases(gates, cases)
    return union(gates, ((v, both(g, lit)) for g, s in merged for v, lit in s.items()))


def _mux_set(gates: Gates, cases: Sequence[tuple[int, Symbol]]) -> Symbol:
    members = dict.fromkeys(v for _, s in cases for v in s)
    result = {}
    for member in members:
        lits = [(g, s.get(member, FALSE)) for g, s in cases]
        held = lits[0][1]
        if any(x != held for _, x in lits):
            if len(lits) == 2:
                held = gates.choose(lits[0][0], lits[0][1], lits[1][1])
            else:
                held = gates.any(gates.both(g, x) for g, x in lits)
        if held != FALSE:
            result[member] = held
    return intern(gates, result)


def _mux_row(gates: Gates, cases: Sequence[tuple[int, SymbolicList]]) -> SymbolicList:
    size = _mux_union(gates, [(g, s.size) for g, s in cases])
    items = []
    for i in range(max(len(s.items) for _, s in cases)):
        here = [(g, s.items[i]) for g, s in cases if len(s.items) > i]
        merged = join_cases(gates, here)
        # A single item stands whatever the conditions are: past the end it has no meaning.
        items.append(here[0][1] if len(merged) == 1 else _mux_partial(gates, merged))
    return shared_row(gates, items, size)


def _mux_partial(gates: Gates, cases: Sequence[tuple[int, Union]]) -> Union:
    result: dict[Value, list[int]] = {}
    for g, s in cases:
        for v, lit in s.items():
            held = gates.both(g, lit)
            if held != FALSE:
                result.setdefault(v, []).append(held)
    return intern(gates, {v: gates.any(lits) for v, lits in result.items()})


def same(gates: Gates, t: Type, a: Symbol, b: Symbol) -> int:
    """Literal that two symbolic values are equal."""
    if isinstance(t, Truth):
        return gates.choose(a, b, -b)
    if isinstance(t, Set):
        return gates.all(gates.choose(a.get(v, FALSE), b.get(v, FALSE), -b.get(v, FALSE)) for v in {**a, **b})
    if isinstance(t, List):
        size = same_union(gates, a.size, b.size)
        longer = a.longer(gates)
        pairs = list(zip(a.items, b.items, strict=False))
        alike = (gates.either(-longer[i], same_union(gates, x, y)) for i, (x, y) in enumerate(pairs))
        return gates.all([size, *alike])
    if isinstance(t, Map):
        return gates.all(same(gates, t.of, a[key], b[key]) for key in a)
    return same_union(gates, a, b)


def same_union(gates: Gates, a: Union, b: Union) -> int:
    """Literal that two unions have the same value."""
    if a is b:
        return TRUE
    if len(a) > len(b):
        a, b = b, a
    return gates.any(gates.both(lit, b[v]) for v, lit in a.items() if v in b)


def is_member(gates: Gates, cases: Sequence[tuple[Value, int]], of: Symbol) -> int:
    """Literal that a value, given by its cases, is in a set or list."""
    both = gates.both
    if isinstance(of, SymbolicList):
        places = list(zip(of.longer(gates), of.items, strict=True))
        found = (both(there, both(lit, item.get(v, FALSE))) for there, item in places for v, lit in cases)
        return gates.any(found)
    return gates.any(both(lit, of[v]) for v, lit in cases if v in of)
