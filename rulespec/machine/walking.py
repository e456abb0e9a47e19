"""Walks over the form that look at its nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from . import form as f

_PARTS = {
    f.Const: "", f.Local: "", f.Static: "", f.Load: "array index", f.Length: "array", f.Unary: "value",
    f.Binary: "left right", f.Compare: "left right", f.Both: "left right", f.Either: "left right",
    f.Negate: "value", f.Choose: "condition then other", f.Convert: "value", f.Call: "*arguments",
    f.Block: "*body", f.Set: "value", f.SetMany: "*values", f.SetResults: "*arguments",
    f.Store: "array index value", f.Do: "*arguments", f.Run: "*body", f.If: "condition *then *other",
    f.While: "condition *body", f.For: "first last *body", f.Break: "", f.Continue: "", f.Return: "*values",
}  # fmt: skip
PARTS: dict[type, dict[str, bool]] = {
    kind: {name.lstrip("*"): name[0] == "*" for name in names.split()} for kind, names in _PARTS.items()
}
"""Of each kind of node the names of what holds further nodes, and whether it holds several."""
LOOPS = frozenset({f.While, f.For})
CALLS = frozenset({f.Call, f.Do, f.SetResults})
"""The kinds of nodes that repeat a body, and that call a function."""


def _getter(parts: dict[str, bool]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the nodes that a node has directly, in their order."""
    if not any(parts.values()):
        if len(parts) > 1:
            return attrgetter(*parts)
        (name,) = parts
        get = attrgetter(name)
        return lambda node: (get(node),)
    if len(parts) == 1:
        return attrgetter(*parts)
    alone = [name for name, several in parts.items() if not several]
    several = [name for name, several in parts.items() if several]
    return lambda node: (
        *[getattr(node, name) for name in alone],
        *[part for name in several for part in getattr(node, name)],
    )


_GETTERS = {kind: _getter(parts) for kind, parts in PARTS.items() if parts}


def parts_of(node: Any) -> tuple[Any, ...]:
    """The nodes that a node has directly."""
    get = _GETTERS.get(type(node))
    return get(node) if get is not None else ()


def nodes_of(node: Any) -> list[Any]:
    """All nodes within a body or a node, each before those within it."""
    found: list[Any] = []
    waiting = [*reversed(node)] if isinstance(node, tuple) else [node]
    getters = _GETTERS
    while waiting:
        one = waiting.pop()
        found.append(one)
        get = getters.get(type(one))
        if get is not None:
            waiting += get(one)[::-1]
    return found


def names_set(nodes: Sequence[Any]) -> set[str]:
    """The names that some of these nodes set."""
    found: set[str] = set()
    for node in nodes:
        kind = type(node)
        if kind is f.Set or kind is f.For:
            found.add(node.name)
        elif kind is f.SetMany or kind is f.SetResults:
            found.update(name for name in node.names if name is not None)
    return found
