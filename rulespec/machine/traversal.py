"""Read-only walks over the form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from operator import attrgetter
from typing import Any
from weakref import WeakKeyDictionary

from . import form as f

PARTS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    f.Load: attrgetter("array", "index"), f.Length: lambda x: (x.array,), f.Unary: lambda x: (x.value,),
    f.Binary: attrgetter("left", "right"), f.Compare: attrgetter("left", "right"),
    f.Both: attrgetter("left", "right"), f.Either: attrgetter("left", "right"),
    f.Negate: lambda x: (x.value,), f.Choose: attrgetter("condition", "then", "other"),
    f.Convert: lambda x: (x.value,), f.Call: attrgetter("arguments"), f.Block: attrgetter("body"),
    f.Set: lambda x: (x.value,), f.SetMany: attrgetter("values"), f.SetResults: attrgetter("arguments"),
    f.Store: attrgetter("array", "index", "value"), f.Do: attrgetter("arguments"), f.Run: attrgetter("body"),
    f.If: lambda x: (x.condition, *x.then, *x.other), f.While: lambda x: (x.condition, *x.body),
    f.For: lambda x: (x.first, x.last, *x.body), f.Return: attrgetter("values"),
}  # fmt: skip
"""For each kind of node with parts, a function that returns its direct parts."""
LOOPS = (f.While, f.For)
CALLS = (f.Call, f.Do, f.SetResults)
"""The kinds of nodes that repeat a body, and those that call a function."""


def parts_of(node: Any) -> tuple[Any, ...]:
    """The direct parts of a node."""
    get = PARTS.get(type(node))
    return get(node) if get is not None else ()


def nodes_of(node: Any) -> list[Any]:
    """All nodes within a body or a node, each before those within it."""
    found: list[Any] = []
    _visit(node if isinstance(node, tuple) else (node,), found.append)
    return found


def _visit(nodes: Iterable[Any], take: Callable[[Any], None]) -> None:
    for node in nodes:
        take(node)
        get = PARTS.get(type(node))
        if get is not None:
            _visit(get(node), take)


def assigned_names(nodes: Iterable[Any]) -> set[str]:
    """The names assigned in some nodes."""
    found: set[str] = set()
    for node in nodes:
        kind = type(node)
        if kind is f.Set or kind is f.For:
            found.add(node.name)
        elif kind is f.SetMany or kind is f.SetResults:
            found.update(name for name in node.names if name is not None)
    return found


class NodeIndex:
    """All nodes within a body, each before those within it."""

    def __init__(self, body: f.Body) -> None:
        self.nodes = nodes_of(body)

    @cached_property
    def kinds(self) -> dict[type, list[Any]]:
        """The nodes of each kind."""
        kinds: defaultdict[type, list[Any]] = defaultdict(list)
        for node in self.nodes:
            kinds[type(node)].append(node)
        return kinds

    def of(self, *kinds: type) -> list[Any]:
        """The nodes of some kinds, one kind after the other."""
        return [node for kind in kinds for node in self.kinds.get(kind, ())]

    @cached_property
    def calls(self) -> list[Any]:
        """The calls of functions."""
        return self.of(*CALLS)

    @cached_property
    def names(self) -> set[str]:
        """The assigned names."""
        return assigned_names(self.of(f.Set, f.For, f.SetMany, f.SetResults))


_walks: WeakKeyDictionary[f.Function, NodeIndex] = WeakKeyDictionary()


def node_index(function: f.Function) -> NodeIndex:
    """The index of a function, built once."""
    held = _walks.get(function)
    if held is None:
        held = _walks[function] = NodeIndex(function.body)
    return held
