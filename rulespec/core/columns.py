"""The values of an expression for all combinations of values of some names, computed together.

The interpreter computes every value. But it evaluates an operator once for each combination of values of its
operands, and an operand varies only along the names that it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from operator import add
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from . import nodes as n
from .context import Context
from .evaluate import evaluate
from .traversal import FreeVariables, inline_call, nodes_within, slots
from .types import List, Map, Optional, Scalar, Set, Type, Value, scalar_of

FEW = 1000
"""An expression with at most this many values, including those within loops, is evaluated as a whole."""
MOST = 1 << 18
"""Maximum number of values of a column for the body of a loop, or of a definition."""
SPARSE = 4
"""A table of a definition has at most this many times as many values as are needed at first. A column is
looked up in one for the values of its names if it has at least this many times as many places."""
OUTSIDE = -(1 << 60)
"""The place in a table for an argument that does not fit the definition."""
LAZY = (n.And, n.Or, n.If, n.Otherwise)
"""Operators that may skip operands."""
STEPWISE = (n.Fold, n.Follow, n.Reach)
"""Operators whose bodies depend on earlier rounds."""

Name = n.Var | n.StateVar


class Column(NamedTuple):
    """The values of an expression that varies along some axes."""

    axes: tuple[int, ...]
    """The numbers of the axes, ascending."""
    codes: list[int]
    """For each combination of places on the axes, the last axis fastest, the index of the value."""
    values: Sequence[Value]
    """The values, all different."""


Names = Mapping[Name, Column]
"""The columns of names."""


class _Table(NamedTuple):
    """The values of a definition."""

    places: Sequence[Mapping[Value, int]]
    """For each parameter its possible values, with their contributions to a place in the table."""
    codes: list[int]
    values: Sequence[Value]


class Columns:
    """Evaluates static expressions and definitions."""

    def __init__(self, free: FreeVariables) -> None:
        self._free = free
        self._context = Context()
        self._sizes: list[int] = []
        self._read: dict[n.Expr, Sequence[Name]] = {}
        self._breadths: dict[n.Expr, int] = {}
        self._tables: dict[n.Function, _Table] = {}

    def value(self, e: n.Expr, known: dict[n.Var, Value]) -> Value:
        """The value of an expression, given those of its names."""
        return evaluate(e, known, self._context)

    def values(
        self,
        e: n.Expr,
        axes: Sequence[Mapping[Name, Sequence[Value]]],
        known: Mapping[Any, Value] = MappingProxyType({}),
    ) -> Sequence[Value]:
        """The values of an expression for all combinations of places on axes, in the order of `product`.

        At each place an axis gives some names their values; every other name has one `known` value.
        """
        names = {name: Column((), [0], (value,)) for name, value in known.items()}
        numbers = []
        for axis in axes:
            numbers.append(self._axis(len(next(iter(axis.values())))))
            names |= {name: _column_of_values(numbers[-1:], values) for name, values in axis.items()}
        column = self._column(e, names)
        return [*map(column.values.__getitem__, self._spread(column, tuple(numbers)))]

    # ---- expressions

    def _column(self, e: n.Expr, names: Names) -> Column:
        """The values of an expression for every combination of its names."""
        if isinstance(e, n.Local | n.Get):
            return names[e.var]
        read = {name: names[name] for name in self._names(e)}
        size = self._size(_axes(read.values()))
        work, of = size * self._breadth(e), _elements(e)
        if prod([len(column.values) for column in read.values()]) * SPARSE <= size:
            return self._reduced(e, read)
        if isinstance(e, n.Let):
            return self._column(e.body, {**names, e.var: self._column(e.value, names)})
        if isinstance(e, n.Call) and e.function.falling is None:
            return self._call(e, names)
        if work <= FEW or (work > MOST and (of or isinstance(e, (n.Call, *LAZY, *STEPWISE)))):
            return self._whole(e, read)
        return self._operation(e, names, of)

    def _reduced(self, e: n.Expr, read: Names) -> Column:
        """A column for an expression whose names have few values: evaluated for these, then looked up."""
        columns = [*read.values()]
        axes = [self._axis(len(column.values)) for column in columns]
        own = [_column_of_values([axis], column.values) for axis, column in zip(axes, columns, strict=True)]
        found = self._column(e, dict(zip(read, own, strict=True)))
        codes, wanted = self._spread(found, tuple(axes)), _axes(columns)
        keys = self._keys(wanted, columns, _digits(columns))
        return _column_by_keys(wanted, keys, {key: found.values[codes[key]] for key in dict.fromkeys(keys)})

    def _whole(self, e: n.Expr, read: Names) -> Column:
        """A column for an expression evaluated once for each combination of values of its names."""
        columns = [*read.values()]
        axes = _axes(columns)
        keys = self._keys(axes, columns, _digits(columns))
        bound: dict[Any, Value] = {name: column.values[0] for name, column in read.items()}
        varying = [(name, x.values, len(x.values)) for name, x in read.items() if len(x.values) > 1]
        found, context = dict[int, Value](), Context(bound)
        for key in dict.fromkeys(keys):
            left = key
            for name, values, count in reversed(varying):
                left, code = divmod(left, count)
                bound[name] = values[code]
            found[key] = e.evaluate(bound, context)
        return _column_by_keys(axes, keys, found)

    def _operation(self, e: n.Expr, names: Names, of: Scalar | None = None) -> Column:
        """A column for an operator, evaluated with names for its operands; a body becomes a name for a
        map."""
        columns, changed = dict[Name, Column](), dict[str, Any]()
        for slot, item in slots(e):
            assert isinstance(item, n.Expression)
            made = item
            if of is not None and slot == "body" and isinstance(e, n.Over | n.Tabulate):
                body = n.Var("body", Map(of, item.type))
                columns[body] = self._body(item, e.var, of, names)
                made = n.Read(item.type, n.Local(body.type, body), n.Local(of, e.var))
            elif not isinstance(item, n.Const | n.Domain):
                operand = n.Var("operand", item.type)
                columns[operand] = self._column(item, names)
                made = n.Local(item.type, operand)
            held = getattr(e, slot)
            changed[slot] = (*changed.get(slot, ()), made) if isinstance(held, tuple) else made
        return self._whole(n.copy_with(e, **changed), columns)

    def _body(self, e: n.Expr, var: n.Var, of: Scalar, names: Names) -> Column:
        """A column of maps, from elements to the values of a loop's body."""
        axis, size = self._axis(len(of.values)), len(of.values)
        column = self._column(e, {**names, var: _column_of_values([axis], of.values)})
        axes = tuple([other for other in column.axes if other != axis])
        codes = self._spread(column, (*axes, axis))
        rows = [tuple(codes[i : i + size]) for i in range(0, len(codes), size)]
        numbers = {row: i for i, row in enumerate(dict.fromkeys(rows))}
        maps = [tuple(map(column.values.__getitem__, row)) for row in numbers]
        return Column(axes, [*map(numbers.__getitem__, rows)], maps)

    # ---- definitions

    def _call(self, e: n.Call, names: Names) -> Column:
        """A column for a call, looked up in the definition's table if there is one, else expanded."""
        args = [self._column(arg, names) for arg in e.args]
        axes = _axes(args)
        size = self._size(axes)
        table = self._table(e.function, size)
        if table is None:
            operands = [n.Var("operand", arg.type) for arg in e.args]
            call = n.copy_with(e, args=tuple([n.Local(x.type, x) for x in operands]))
            inner: dict[Name, Column] = dict(zip(operands, args, strict=True))
            few = size * self._breadth(e.function.body) <= FEW
            return self._whole(call, inner) if few else self._column(inline_call(call), inner)
        pairs = zip(table.places, args, strict=True)
        steps = [[places.get(value, OUTSIDE) for value in column.values] for places, column in pairs]
        keys, nothing = self._keys(axes, args, steps), e.function.result.nothing
        found = {key: table.values[table.codes[key]] if key >= 0 else nothing for key in dict.fromkeys(keys)}
        return _column_by_keys(axes, keys, found)

    def _table(self, function: n.Function, asked: int) -> _Table | None:
        """The values of a definition for all arguments; None if far more than are needed."""
        if function not in self._tables:
            domains = [_domain(param.type) for param in function.params]
            size = prod(map(len, domains))
            if not 0 < size <= min(MOST, SPARSE * asked):
                return None
            axes = [self._axis(len(domain)) for domain in domains]
            pairs = zip(function.params, axes, domains, strict=True)
            column = self._column(
                function.body, {param: _column_of_values([axis], domain) for param, axis, domain in pairs}
            )
            places = []
            for domain in domains:
                size //= len(domain)
                places.append({value: i * size for i, value in enumerate(domain)})
            self._tables[function] = _Table(places, self._spread(column, tuple(axes)), column.values)
        return self._tables[function]

    # ---- axes

    def _axis(self, size: int) -> int:
        """The number of a new axis of a given size."""
        self._sizes.append(size)
        return len(self._sizes) - 1

    def _size(self, axes: Sequence[int]) -> int:
        """The number of combinations of places."""
        return prod([self._sizes[axis] for axis in axes])

    def _keys(
        self, axes: tuple[int, ...], columns: Sequence[Column], steps: Sequence[Sequence[int]]
    ) -> Sequence[int]:
        """For each combination of places, the key of the columns' values there."""
        base = sum([x[0] for column, x in zip(columns, steps, strict=True) if not column.axes])
        keys: Iterable[int] | None = None
        for column, by_code in zip(columns, steps, strict=True):
            if column.axes:
                steps_here = [base + step for step in by_code] if keys is None else by_code
                here = map(steps_here.__getitem__, self._spread(column, axes))
                keys = here if keys is None else map(add, keys, here)
        return [base] if keys is None else [*keys]

    def _spread(self, column: Column, axes: tuple[int, ...]) -> list[int]:
        """The codes of a column for each combination of places on a superset of its axes."""
        if column.axes == axes:
            return column.codes
        codes, block = column.codes, 1
        for axis in reversed(axes):
            count = self._sizes[axis]
            if axis not in column.axes:
                starts = range(0, len(codes), block)
                codes = [code for i in starts for code in codes[i : i + block] * count]
            block *= count
        return codes

    # ---- facts about expressions

    def _names(self, e: n.Expr) -> Sequence[Name]:
        """The names on which an expression depends."""
        if e not in self._read:
            stored = dict.fromkeys(node.var for node in nodes_within(e) if isinstance(node, n.Get))
            self._read[e] = [*self._free(e), *stored]
        return self._read[e]

    def _breadth(self, e: n.Expr) -> int:
        """The most evaluations of a part in one evaluation of the whole; above MOST if unknown."""
        if e not in self._breadths:
            of, most = _elements(e), 1
            if isinstance(e, STEPWISE) or (isinstance(e, n.Call) and e.function.falling is not None):
                most = MOST + 1
            elif isinstance(e, n.Call):
                most = self._breadth(e.function.body)
            for slot, item in slots(e):
                assert isinstance(item, n.Expression)
                times = len(of.values) if of and slot == "body" else 1
                most = max(most, times * self._breadth(item))
            self._breadths[e] = most
        return self._breadths[e]


def _elements(e: n.Expr) -> Scalar | None:
    """The type of the elements over which an operator loops; None for other operators."""
    if isinstance(e, n.Tabulate):
        return e.keys
    return cast("Set | List", e.source.type).of if isinstance(e, n.Over) else None


def _domain(t: Type) -> Sequence[Value]:
    """All values of a scalar or optional type; empty for other types."""
    of = scalar_of(t)
    if of is None:
        return ()
    return [*of.values, None] if isinstance(t, Optional) else of.values


def _axes(columns: Iterable[Column]) -> tuple[int, ...]:
    """The axes along which any of some columns varies."""
    return tuple(sorted({axis for column in columns for axis in column.axes}))


def _digits(columns: Sequence[Column]) -> Sequence[Sequence[int]]:
    """The contribution of each code to a number with one digit for each column, the last one lowest."""
    steps, size = list[Sequence[int]](), 1
    for column in reversed(columns):
        steps.append(range(0, size * len(column.values), size))
        size *= len(column.values)
    return steps[::-1]


def _column_of_values(axes: Sequence[int], values: Sequence[Value]) -> Column:
    """A column along an axis, given by its values at each place."""
    return _column_by_keys(axes, range(len(values)), dict(enumerate(values)))


def _column_by_keys(axes: Sequence[int], keys: Sequence[int], values: Mapping[int, Value]) -> Column:
    """A column given by a key for each combination of places, and a value for each key."""
    numbers = {value: i for i, value in enumerate(dict.fromkeys(values.values()))}
    if len(numbers) == 1:
        return Column((), [0], [*numbers])
    codes = {key: numbers[value] for key, value in values.items()}
    return Column(tuple(axes), [*map(codes.__getitem__, keys)], [*numbers])
