"""Walks over the form that rewrite it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import is_not
from typing import Any, get_args

from . import form as f


class Rewriter:
    """Rebuilds expressions and bodies; subclasses override the treatment of some nodes.

    Unchanged nodes stay the same objects.
    """

    def expr(self, node: f.Expr) -> f.Expr:
        """Return the replacement of an expression."""
        return self.parts(node)  # type: ignore[no-any-return]

    def statement(self, node: f.Statement) -> f.Body:
        """Return the replacement of a statement."""
        return (self.parts(node),)

    def body(self, body: f.Body) -> f.Body:
        """Return the replacement of a body."""
        made: list[f.Statement] = []
        for node in body:
            made += self.statement(node)
        return tuple(made) if len(made) != len(body) or any(map(is_not, made, body)) else body

    def each(self, nodes: tuple[f.Expr, ...]) -> tuple[f.Expr, ...]:
        """Return the replacements of expressions."""
        made = tuple([self.expr(node) for node in nodes])
        return made if any(map(is_not, made, nodes)) else nodes

    def parts(self, node: Any) -> Any:
        """Return the node with its parts rewritten."""
        kind = type(node)
        if kind not in _METHODS:
            return node
        changed = {}
        for name, method in _METHODS[kind]:
            part = getattr(node, name)
            made = method(self, part)
            if made is not part:
                changed[name] = made
        if not changed:
            return node
        return kind(*[changed[x] if x in changed else getattr(node, x) for x in _FIELDS[kind]])


def _expr(to: Rewriter, node: f.Expr) -> f.Expr:
    return to.expr(node)


def _body(to: Rewriter, body: f.Body) -> f.Body:
    return to.body(body)


_METHOD: dict[str, Callable[[Rewriter, Any], Any]] = {
    "Expr": _expr,
    "Body": _body,
    "tuple[Expr, ...]": Rewriter.each,
}
_FIELDS = {kind: tuple(x.name for x in fields(kind)) for kind in get_args(f.Expr | f.Statement)}
_METHODS = {
    kind: tuple((x.name, _METHOD[str(x.type)]) for x in fields(kind) if str(x.type) in _METHOD)
    for kind in get_args(f.Expr | f.Statement)
    if any(str(x.type) in _METHOD for x in fields(kind))
}
"""For each kind of node with parts, the fields to rewrite and their methods."""


class LoadSubstitution(Rewriter):
    """Replaces loads of elements by other expressions, such as variables."""

    def __init__(self, held: Mapping[f.Load, f.Expr]) -> None:
        self.held = held

    def expr(self, node: f.Expr) -> f.Expr:
        held = self.held.get(node) if isinstance(node, f.Load) else None
        return super().expr(node) if held is None else held
