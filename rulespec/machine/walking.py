"""Walks over the form that look at its nodes."""

from __future__ import annotations

from typing import Any, get_args

from . import form as f

SLOTS = {kind: kind.__slots__ for kind in (*get_args(f.Expr), *get_args(f.Statement))}
"""The names of the parts of each kind of node."""


def names_set(body: f.Body) -> set[str]:
    """The names that a body sets."""
    found: set[str] = set()
    for node in nodes_of(body):
        if isinstance(node, f.Set | f.For):
            found.add(node.name)
        elif isinstance(node, f.SetMany | f.SetResults):
            found.update(name for name in node.names if name is not None)
    return found


def parts_of(node: Any) -> list[Any]:
    """The nodes that a node has directly."""
    found: list[Any] = []
    for name in SLOTS[type(node)]:
        part = getattr(node, name)
        if type(part) in SLOTS:
            found.append(part)
        elif isinstance(part, tuple):
            found += [x for x in part if type(x) in SLOTS]
    return found


def nodes_of(node: Any) -> list[Any]:
    """All nodes within a body or a node."""
    return _nodes(node, [])


def _nodes(node: Any, into: list[Any]) -> list[Any]:
    if isinstance(node, tuple):
        for part in node:
            _nodes(part, into)
    elif type(node) in SLOTS:
        into.append(node)
        for name in SLOTS[type(node)]:
            _nodes(getattr(node, name), into)
    return into
