"""The elements of arrays that functions read and change, and the arrays that may be the same.

An array is called by the parameter or by the table or room that it is. The arrays of one call from outside
differ from each other and have at least the sizes that `least` says, which `runtime` holds callers to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from . import form as f
from .walking import names_set, nodes_of

Array = tuple[bool, str] | None
"""A parameter (False) or a table or room (True) by name; None for an array of which nothing is known."""
EVERYWHERE = -(1 << 62), 1 << 63
Touched = tuple[Array, f.Span]


class Effects(NamedTuple):
    """The elements that a function or a part of it may read and change; of its parameters by name."""

    read: frozenset[Touched]
    changed: frozenset[Touched]


CALLS = f.Call | f.Do | f.SetResults
NOTHING = Effects(frozenset(), frozenset())


def overlap(a: f.Span, b: f.Span) -> bool:
    """True if two spans share an element."""
    return a[0] < b[0] + b[1] and b[0] < a[0] + a[1]


class Facts:
    """Facts about the arrays of all functions of a module."""

    def __init__(self, module: f.Module) -> None:
        self.module = module
        nodes = {name: nodes_of(x.body) for name, x in module.functions.items()}
        self.fixed = {
            name: frozenset(p for p, t in x.parameters if t.is_array) - names_set(nodes[name])
            for name, x in module.functions.items()
        }
        """The arrays of a function that stay those that were passed."""
        self.calls = {name: [x for x in held if isinstance(x, CALLS)] for name, held in nodes.items()}
        self.origins = self._origins()
        self.effects = dict.fromkeys(module.functions, NOTHING)
        own = {name: self.of(name, held) for name, held in nodes.items()}
        self._reach(own)

    def array(self, function: str, node: f.Expr) -> Array:
        """The array that an expression of a function is."""
        if isinstance(node, f.Static):
            return True, node.name
        if isinstance(node, f.Local) and node.name in self.fixed[function]:
            return False, node.name
        return None

    def may_be_same(self, function: str, a: Array, b: Array) -> bool:
        """True if two arrays of a function may be one."""
        if a == b or a is None or b is None:
            return True
        first, second = self._origins_of(function, a), self._origins_of(function, b)
        return None in first or None in second or bool(first & second)

    def meets(self, function: str, node: f.Expr, origins: frozenset[object]) -> bool:
        """True if an array of a function may be one of some that `origins` has."""
        array = self.array(function, node)
        if array is None or None in origins:
            return True
        own = self._origins_of(function, array)
        return None in own or bool(own & origins)

    def _origins_of(self, function: str, array: tuple[bool, str]) -> frozenset[object]:
        return frozenset({array}) if array[0] else self.origins[function, array[1]]

    def size(self, function: str, array: Array) -> int:
        """A number of elements that an array has in any case."""
        if array is None:
            return 0
        if array[0]:
            room = self.module.rooms.get(array[1])
            return room.size if room else len(self.module.tables[array[1]].values)
        return dict(self.module.functions[function].least).get(array[1], 0)

    def _origins(self) -> dict[tuple[str, str], frozenset[object]]:
        """Of each array that a function takes all that it may be: rooms, tables, and what is passed from
        outside to some entry; None for anything.
        """
        found: dict[tuple[str, str], frozenset[object]] = {}
        for name, x in self.module.functions.items():
            for p, t in x.parameters:
                if t.is_array:
                    found[name, p] = frozenset({(name, p)} if name in self.module.entries else ())
        passed = {name: list(self._passed(name)) for name in self.module.functions}
        before: dict[tuple[str, str], frozenset[object]] = {}
        while before != found:
            before = dict(found)
            for name, listed in passed.items():
                for called, parameter, array in listed:
                    if array is None:
                        more = frozenset[object]({None})
                    else:
                        more = frozenset({array}) if array[0] else found[name, array[1]]
                    found[called, parameter] |= more
        return found

    def _passed(self, name: str) -> Iterator[tuple[str, str, Array]]:
        """Of each array that a function passes on: the function called, its parameter, the array."""
        for node in self.calls[name]:
            taken = self.module.functions[node.function].parameters
            for (parameter, t), argument in zip(taken, node.arguments, strict=True):
                if t.is_array:
                    yield node.function, parameter, self.array(name, argument)

    def _reach(self, own: Mapping[str, Effects]) -> None:
        """Work out the effects of all functions with those that they call, from their own."""
        before: dict[str, Effects] = {}
        while before != self.effects:
            before = dict(self.effects)
            for name, calls in self.calls.items():
                made = [own[name], *(self.called(name, x.function, x.arguments) for x in calls)]
                read, changed = (frozenset[Touched]().union(*x) for x in zip(*made, strict=True))
                self.effects[name] = Effects(read, changed)

    def of(self, function: str, nodes: Iterable[object]) -> Effects:
        """The elements that nodes of a function read and change, by the functions that they call, too."""
        read: set[Touched] = set()
        changed: set[Touched] = set()
        for node in nodes:
            if isinstance(node, f.Load):
                read.add((self.array(function, node.array), span(node)))
            elif isinstance(node, f.Store):
                changed.add((self.array(function, node.array), span(node)))
            elif isinstance(node, CALLS):
                called = self.called(function, node.function, node.arguments)
                read |= called.read
                changed |= called.changed
        tables = self.module.tables
        return Effects(
            frozenset((array, s) for array, s in read if not (array and array[0] and array[1] in tables)),
            frozenset(changed),
        )

    def called(self, function: str, name: str, arguments: Sequence[f.Expr]) -> Effects:
        """The elements that a call in a function reads and changes."""
        effects = self.effects[name]
        taken = self.module.functions[name].parameters
        passed = {
            (False, p): self.array(function, argument)
            for (p, t), argument in zip(taken, arguments, strict=True)
            if t.is_array
        }

        def here(touched: frozenset[Touched]) -> frozenset[Touched]:
            return frozenset((passed.get(a, a if a and a[0] else None), s) for a, s in touched)  # type: ignore[arg-type]

        return Effects(here(effects.read), here(effects.changed))


def span(node: f.Load | f.Store) -> f.Span:
    """The elements among which the one is that a node reads or changes."""
    if isinstance(node.index, f.Const):
        return int(node.index.value), 1
    return node.within or EVERYWHERE


def with_sizes(module: f.Module) -> f.Module:
    """The module in which each function wants arrays as long as all that it calls want."""
    wanted = {name: dict(x.least) for name, x in module.functions.items()}
    passed: list[tuple[str, str, str, str]] = []
    for name, x in module.functions.items():
        nodes = nodes_of(x.body)
        arrays = {p for p, t in x.parameters if t.is_array} - names_set(nodes)
        for node in nodes:
            if isinstance(node, CALLS):
                taken = module.functions[node.function].parameters
                passed += [
                    (name, argument.name, node.function, parameter)
                    for (parameter, _), argument in zip(taken, node.arguments, strict=True)
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
    functions = {name: replace(x, least=tuple(wanted[name].items())) for name, x in module.functions.items()}
    return replace(module, functions=functions)
