"""Walks over the form that give another form."""

from __future__ import annotations

from typing import Any

from . import form as f
from .walking import PARTS

_BODIES = {(f.Block, "body"), (f.Run, "body"), (f.While, "body"), (f.For, "body")} | {
    (f.If, "then"), (f.If, "other")
}  # fmt: skip
_FIELDS: dict[type, list[tuple[str, bool, bool]]] = {
    kind: [(name, name in parts, (kind, name) in _BODIES) for name in kind.__slots__]  # type: ignore[attr-defined]
    for kind, parts in PARTS.items()
}
"""Of each node the names of its fields, and whether they hold nodes, and a body."""


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
        return tuple(made)

    def parts(self, node: Any) -> Any:
        """The node with its parts rewritten."""
        if not PARTS[type(node)]:
            return node
        values = []
        changed = False
        for name, walked, is_body in _FIELDS[type(node)]:
            before = getattr(node, name)
            after = before
            if is_body:
                after = self.body(before)
                changed = changed or len(after) != len(before) or any(map(_differ, after, before))
            elif walked and isinstance(before, tuple):
                after = tuple([self.expr(x) for x in before])
                changed = changed or any(map(_differ, after, before))
            elif walked:
                after = self.expr(before)
                changed = changed or after is not before
            values.append(after)
        return type(node)(*values) if changed else node


def _differ(a: object, b: object) -> bool:
    return a is not b
