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
        rebuild = _REBUILD.get(type(node))
        return node if rebuild is None else rebuild(self, node)


_METHOD = {"Expr": "expr", "Body": "body", "tuple[Expr, ...]": "each"}
"""The method of a rewriter for each kind of part."""


def _rebuilding(kind: type) -> Callable[[Rewriter, Any], Any] | None:
    """A function that rewrites the parts of a kind of node, one after another; None if it has no parts.

    It is generated for the fields of the kind, because a loop over them is slower.
    """
    parts = {x.name: _METHOD[str(x.type)] for x in fields(kind) if str(x.type) in _METHOD}
    rewritten = [f"made_{name} = to.{method}(node.{name})" for name, method in parts.items()]
    same = " and ".join(f"made_{name} is node.{name}" for name in parts)
    listed = ", ".join(f"made_{x.name}" if x.name in parts else f"node.{x.name}" for x in fields(kind))
    text = "; ".join([*rewritten, f"return node if {same} else kind({listed})"])
    made: dict[str, Callable[[Rewriter, Any], Any]] = {}
    if parts:
        exec(f"def rebuild(to, node): {text}", {"kind": kind}, made)  # noqa: S102, the text is ours
    return made.get("rebuild")


_REBUILD = {kind: _rebuilding(kind) for kind in get_args(f.Expr | f.Statement)}


class LoadSubstitution(Rewriter):
    """Replaces loads of elements by other expressions, such as variables."""

    def __init__(self, held: Mapping[f.Load, f.Expr]) -> None:
        self.held = held

    def expr(self, node: f.Expr) -> f.Expr:
        held = self.held.get(node) if isinstance(node, f.Load) else None
        return super().expr(node) if held is None else held
