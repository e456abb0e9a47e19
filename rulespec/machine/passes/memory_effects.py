"""The array elements that functions read and change, and which arrays may be the same.

A parameter, table or room names an array. The arrays passed in one call from outside differ from each other
and have at least the sizes in `least`, which `runtime` checks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .. import form as f
from ..traversal import NodeIndex, node_index

Array = tuple[bool, str] | None
"""A parameter (False) or a table or room (True) by name; None for an unknown array."""
EVERYWHERE = -(1 << 62), 1 << 63
Touched = tuple[Array, f.Span]
Passed = tuple[str, tuple[Array, ...]]
"""A called function, and the arrays passed to it."""


class Effects(NamedTuple):
    """The elements that a function or a part of it may read and change, by names of arrays."""

    read: frozenset[Touched]
    changed: frozenset[Touched]


NOTHING = Effects(frozenset(), frozenset())


def spans_overlap(a: f.Span, b: f.Span) -> bool:
    """True if two spans share an element."""
    return a[0] < b[0] + b[1] and b[0] < a[0] + a[1]


class MemoryEffects:
    """Facts about the arrays of all functions of a module."""

    def __init__(self, module: f.Module) -> None:
        self.module = module
        self.fixed = {
            name: frozenset(p for p, t in x.parameters if t.is_array) - node_index(x).names
            for name, x in module.functions.items()
        }
        """The array parameters of a function that are never reassigned."""
        self._taken = {
            name: {p: i for i, (p, t) in enumerate(x.parameters) if t.is_array}
            for name, x in module.functions.items()
        }
        """The positions of arrays among the parameters of a function."""
        calls = {name: node_index(x).calls for name, x in module.functions.items()}
        self._calls = {x: {self.callee_and_arrays(x, call) for call in made} for x, made in calls.items()}
        self.origins = self._origins()
        self.effects = dict.fromkeys(module.functions, NOTHING)
        self._called: dict[Passed, tuple[Effects, Effects]] = {}
        """For each call the effects of the function, also in terms of its caller."""
        self._reach()

    def array(self, function: str, node: f.Expr) -> Array:
        """The array that an expression of a function denotes."""
        if isinstance(node, f.Static):
            return True, node.name
        if isinstance(node, f.Local) and node.name in self.fixed[function]:
            return False, node.name
        return None

    def may_be_same(self, function: str, a: Array, b: Array) -> bool:
        """True if two arrays of a function may be the same."""
        if a == b or a is None or b is None:
            return True
        first, second = self._origins_of(function, a), self._origins_of(function, b)
        return None in first or None in second or bool(first & second)

    def _origins_of(self, function: str, array: tuple[bool, str]) -> frozenset[object]:
        return frozenset({array}) if array[0] else self.origins[function, array[1]]

    def size(self, function: str, array: Array) -> int:
        """The guaranteed size of an array."""
        if array is None:
            return 0
        if array[0]:
            room = self.module.rooms.get(array[1])
            return room.size if room else len(self.module.tables[array[1]].values)
        return dict(self.module.functions[function].least).get(array[1], 0)

    def _origins(self) -> dict[tuple[str, str], frozenset[object]]:
        """For each array parameter everything it may be: rooms, tables, and arrays that an entry gets from
        outside.

        An unknown array counts as `None`.
        """
        found: dict[tuple[str, str], frozenset[object]] = {}
        for name, taken in self._taken.items():
            for p in taken:
                found[name, p] = frozenset({(name, p)} if name in self.module.entries else ())
        passed = {
            (name, called, parameter, array)
            for name, calls in self._calls.items()
            for called, arrays in calls
            for parameter, array in zip(self._taken[called], arrays, strict=True)
        }
        before: dict[tuple[str, str], frozenset[object]] = {}
        while before != found:
            before = dict(found)
            for name, called, parameter, array in passed:
                if array is None:
                    more = frozenset[object]({None})
                else:
                    more = frozenset({array}) if array[0] else found[name, array[1]]
                found[called, parameter] |= more
        return found

    def _reach(self) -> None:
        """Propagate effects from called functions to callers until nothing changes."""
        own: dict[str, Effects] = {}
        callers: dict[str, list[str]] = {name: [] for name in self.module.functions}
        for name, x in self.module.functions.items():
            own[name] = self._own(name, node_index(x))
            for called in {called for called, _ in self._calls[name]}:
                callers[called].append(name)
        waiting = dict.fromkeys(self.module.functions)
        while waiting:
            name, _ = waiting.popitem()
            made = [own[name], *map(self.call_effects, self._calls[name])]
            read, changed = (frozenset[Touched]().union(*x) for x in zip(*made, strict=True))
            if (read, changed) != self.effects[name]:
                self.effects[name] = Effects(read, changed)
                waiting |= dict.fromkeys(callers[name])

    def _own(self, function: str, walk: NodeIndex) -> Effects:
        """The elements that a function loads and stores, except loads from tables that never change."""
        read = {(self.array(function, x.array), span_of(x)) for x in walk.of(f.Load)}
        changed = {(self.array(function, x.array), span_of(x)) for x in walk.of(f.Store)}
        tables = self.module.tables
        return Effects(
            frozenset((array, s) for array, s in read if not (array and array[0] and array[1] in tables)),
            frozenset(changed),
        )

    def callee_and_arrays(self, function: str, call: f.Call | f.Do | f.SetResults) -> Passed:
        """The function that a call in a function calls, and the arrays that it passes."""
        arguments = call.arguments
        places = self._taken[call.function].values()
        return call.function, tuple([self.array(function, arguments[place]) for place in places])

    def call_effects(self, passed: Passed) -> Effects:
        """The elements that a call reads and changes."""
        name, arrays = passed
        effects = self.effects[name]
        before, here = self._called.get(passed, (None, NOTHING))
        if before is not effects:
            held: dict[Array, Array] = {(False, p): x for p, x in zip(self._taken[name], arrays, strict=True)}
            here = Effects(*(
                frozenset([(held.get(a, a if a and a[0] else None), s) for a, s in touched])
                for touched in effects
            ))  # fmt: skip
            self._called[passed] = effects, here
        return here


def span_of(node: f.Load | f.Store) -> f.Span:
    """The span that contains the element of a load or store."""
    if isinstance(node.index, f.Const):
        return int(node.index.value), 1
    return node.within or EVERYWHERE


def propagate_sizes(module: f.Module) -> f.Module:
    """The module with the minimum sizes of array parameters propagated from called functions to callers."""
    wanted = {name: dict(x.least) for name, x in module.functions.items()}
    passed: list[tuple[str, str, str, str]] = []
    for name, x in module.functions.items():
        arrays = {p for p, t in x.parameters if t.is_array} - node_index(x).names
        for call in node_index(x).calls:
            taken = module.functions[call.function].parameters
            passed += [
                (name, argument.name, call.function, parameter)
                for (parameter, _), argument in zip(taken, call.arguments, strict=True)
                if isinstance(argument, f.Local) and argument.name in arrays
            ]
    settled = False
    while not settled:
        settled = True
        for name, array, called, parameter in passed:
            size = wanted[called].get(parameter, 0)
            if wanted[name].get(array, 0) < size:
                wanted[name][array] = size
                settled = False
    functions = {
        name: x
        if len(x.least) == len(wanted[name]) and x.least == tuple(wanted[name].items())
        else replace(x, least=tuple(wanted[name].items()))
        for name, x in module.functions.items()
    }
    return replace(module, functions=functions)
