"""Walks over the form that look at its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import form as f

_PARTS = {
    f.Const: "", f.Local: "", f.Static: "", f.Load: "array index", f.Length: "array", f.Unary: "value",
    f.Binary: "left right", f.Compare: "left right", f.Both: "left right", f.Either: "left right",
    f.Negate: "value", f.Choose: "condition then other", f.Convert: "value", f.Call: "arguments",
    f.Block: "body", f.Set: "value", f.SetMany: "values", f.SetResults: "arguments",
    f.Store: "array index value", f.Do: "arguments", f.Run: "body", f.If: "condition then other",
    f.While: "condition body", f.For: "first last body", f.Break: "", f.Continue: "", f.Return: "values",
}  # fmt: skip
PARTS: dict[type, tuple[str, ...]] = {kind: tuple(names.split()) for kind, names in _PARTS.items()}
"""Of each kind of node the names of what holds further nodes."""


def parts_of(node: Any) -> list[Any]:
    """The nodes that a node has directly."""
    found: list[Any] = []
    for name in PARTS[type(node)]:
        part = getattr(node, name)
        if isinstance(part, tuple):
            found += part
        else:
            found.append(part)
    return found


def nodes_of(node: Any) -> list[Any]:
    """All nodes within a body or a node, each before those within it."""
    found: list[Any] = []
    for one in node if isinstance(node, tuple) else (node,):
        _nodes(one, found)
    return found


def _nodes(node: Any, into: list[Any]) -> None:
    into.append(node)
    for name in PARTS[type(node)]:
        part = getattr(node, name)
        if isinstance(part, tuple):
            for x in part:
                _nodes(x, into)
        else:
            _nodes(part, into)


def names_set(nodes: Sequence[Any]) -> set[str]:
    """The names that some of these nodes set."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, f.Set | f.For):
            found.add(node.name)
        elif isinstance(node, f.SetMany | f.SetResults):
            found.update(name for name in node.names if name is not None)
    return found
