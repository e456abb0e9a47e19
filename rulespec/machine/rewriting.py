"""Walks over the form that give another form."""

from __future__ import annotations

from typing import Any

from . import form as f
from .walking import SLOTS

_EXPRS = {
    f.Const: "", f.Local: "", f.Static: "", f.Load: "array index", f.Length: "array", f.Unary: "value",
    f.Binary: "left right", f.Compare: "left right", f.Both: "left right", f.Either: "left right",
    f.Negate: "value", f.Choose: "condition then other", f.Convert: "value", f.Call: "arguments",
    f.Block: "body",
}  # fmt: skip
_STATEMENTS = {
    f.Set: "value", f.SetMany: "values", f.SetResults: "arguments", f.Store: "array index value",
    f.Do: "arguments", f.Run: "body", f.If: "condition then other", f.While: "condition body",
    f.For: "first last body", f.Break: "", f.Continue: "", f.Return: "values",
}  # fmt: skip
_BODIES = {(f.Block, "body"), (f.Run, "body"), (f.While, "body"), (f.For, "body")} | {
    (f.If, "then"), (f.If, "other")
}  # fmt: skip
_PARTS: dict[type, list[tuple[str, bool, bool]]] = {
    kind: [(name, name in names.split(), (kind, name) in _BODIES) for name in SLOTS[kind]]
    for kind, names in (_EXPRS | _STATEMENTS).items()
}
"""Of each node the names of its parts, and whether they are expressions or statements, and a body."""


class Rewriter:
    """Rebuilds expressions and bodies; a subclass says what becomes of some nodes.

    What does not change stays the same object.
    """

    def expr(self, node: f.Expr) -> f.Expr:
        """What becomes of an expression."""
        made: f.Expr = self.parts(node)
        return made

    def statement(self, node: f.Statement) -> f.Body:
        """What becomes of a statement."""
        return (self.parts(node),)

    def body(self, body: f.Body) -> f.Body:
        """What becomes of a body."""
        made: list[f.Statement] = []
        for node in body:
            made += self.statement(node)
        return tuple(made)

    def parts(self, node: Any) -> Any:
        """The node with its parts rewritten."""
        values = []
        changed = False
        for name, walked, is_body in _PARTS[type(node)]:
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
