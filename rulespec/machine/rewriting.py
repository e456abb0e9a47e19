"""Walks over the form that give another form."""

from __future__ import annotations

from operator import is_not
from typing import Any

from . import form as f
from .walking import PARTS

_BODIES = {(f.Block, "body"), (f.Run, "body"), (f.While, "body"), (f.For, "body")} | {
    (f.If, "then"), (f.If, "other")
}  # fmt: skip
_ONE, _SEVERAL, _BODY = 1, 2, 3
_FIELDS: dict[type, list[tuple[str, int]]] = {
    kind: [
        (name, 0 if name not in parts else _BODY if (kind, name) in _BODIES else _ONE + parts[name])
        for name in kind.__slots__  # type: ignore[attr-defined]
    ]
    for kind, parts in PARTS.items()
    if parts
}
"""The fields of each node with parts: the name, and if it holds a node, several, a body, or none (0)."""


class Rewriter:
    """Rebuilds expressions and bodies; a subclass says what becomes of some nodes.

    What does not change stays the same object.
    """

    def expr(self, node: f.Expr) -> f.Expr:
        """The expression that takes the place of another."""
        made: f.Expr = self.parts(node)
        return made

    def statement(self, node: f.Statement) -> f.Body:
        """The statements that take the place of another."""
        return (self.parts(node),)

    def body(self, body: f.Body) -> f.Body:
        """The body that takes the place of another."""
        made: list[f.Statement] = []
        for node in body:
            made += self.statement(node)
        return tuple(made) if len(made) != len(body) or any(map(is_not, made, body)) else body

    def parts(self, node: Any) -> Any:
        """The node with its parts rewritten."""
        fields = _FIELDS.get(type(node))
        if fields is None:
            return node
        values, changed = [], False
        for name, holds in fields:
            before = after = getattr(node, name)
            if holds == _ONE:
                after = self.expr(before)
            elif holds == _BODY:
                after = self.body(before)
            elif holds:
                made = [self.expr(x) for x in before]
                after = tuple(made) if any(map(is_not, made, before)) else before
            if after is not before:
                changed = True
            values.append(after)
        return type(node)(*values) if changed else node
