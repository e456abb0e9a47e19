"""Walks over the form that give another form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_not
from typing import Any

from . import form as f


class Rewriter:
    """Rebuilds expressions and bodies; a subclass says what becomes of some nodes.

    What does not change stays the same object.
    """

    def expr(self, node: f.Expr) -> f.Expr:
        """The expression that takes the place of another."""
        rewrite = _REWRITE.get(type(node))
        return node if rewrite is None else rewrite(self, node)

    def statement(self, node: f.Statement) -> f.Body:
        """The statements that take the place of another."""
        return (self.parts(node),)

    def body(self, body: f.Body) -> f.Body:
        """The body that takes the place of another."""
        made: list[f.Statement] = []
        for node in body:
            made += self.statement(node)
        return tuple(made) if len(made) != len(body) or any(map(is_not, made, body)) else body

    def each(self, nodes: tuple[f.Expr, ...]) -> tuple[f.Expr, ...]:
        """The expressions that take the places of others."""
        made = tuple([self.expr(node) for node in nodes])
        return made if any(map(is_not, made, nodes)) else nodes

    def parts(self, node: Any) -> Any:
        """The node with its parts rewritten."""
        rewrite = _REWRITE.get(type(node))
        return node if rewrite is None else rewrite(self, node)


class LoadSubstitution(Rewriter):
    """Replaces loads of elements by other expressions, such as variables."""

    def __init__(self, held: Mapping[f.Load, f.Expr]) -> None:
        self.held = held

    def expr(self, node: f.Expr) -> f.Expr:
        held: f.Expr | None = self.held.get(node) if isinstance(node, f.Load) else None
        return self.parts(node) if held is None else held


# ---- of each kind of node with parts, one with its parts rewritten


def _load(to: Rewriter, node: f.Load) -> f.Load:
    array, index = to.expr(node.array), to.expr(node.index)
    same = array is node.array and index is node.index
    return node if same else f.Load(node.type, array, index, node.within)


def _length(to: Rewriter, node: f.Length) -> f.Length:
    array = to.expr(node.array)
    return node if array is node.array else f.Length(array)


def _unary(to: Rewriter, node: f.Unary) -> f.Unary:
    value = to.expr(node.value)
    return node if value is node.value else f.Unary(node.type, node.op, value)


def _binary(to: Rewriter, node: f.Binary) -> f.Binary:
    left, right = to.expr(node.left), to.expr(node.right)
    same = left is node.left and right is node.right
    return node if same else f.Binary(node.type, node.op, left, right)


def _compare(to: Rewriter, node: f.Compare) -> f.Compare:
    left, right = to.expr(node.left), to.expr(node.right)
    return node if left is node.left and right is node.right else f.Compare(node.op, left, right)


def _both(to: Rewriter, node: f.Both | f.Either) -> f.Both | f.Either:
    left, right = to.expr(node.left), to.expr(node.right)
    return node if left is node.left and right is node.right else type(node)(left, right)


def _negate(to: Rewriter, node: f.Negate) -> f.Negate:
    value = to.expr(node.value)
    return node if value is node.value else f.Negate(value)


def _choose(to: Rewriter, node: f.Choose) -> f.Choose:
    condition, then, other = to.expr(node.condition), to.expr(node.then), to.expr(node.other)
    same = condition is node.condition and then is node.then and other is node.other
    return node if same else f.Choose(node.type, condition, then, other)


def _convert(to: Rewriter, node: f.Convert) -> f.Convert:
    value = to.expr(node.value)
    return node if value is node.value else f.Convert(node.type, value)


def _call(to: Rewriter, node: f.Call) -> f.Call:
    arguments = to.each(node.arguments)
    return node if arguments is node.arguments else f.Call(node.type, node.function, arguments)


def _block(to: Rewriter, node: f.Block) -> f.Block:
    body = to.body(node.body)
    return node if body is node.body else f.Block(node.type, body)


def _set(to: Rewriter, node: f.Set) -> f.Set:
    value = to.expr(node.value)
    return node if value is node.value else f.Set(node.name, value)


def _set_many(to: Rewriter, node: f.SetMany) -> f.SetMany:
    values = to.each(node.values)
    return node if values is node.values else f.SetMany(node.names, values)


def _set_results(to: Rewriter, node: f.SetResults) -> f.SetResults:
    arguments = to.each(node.arguments)
    return node if arguments is node.arguments else f.SetResults(node.names, node.function, arguments)


def _store(to: Rewriter, node: f.Store) -> f.Store:
    array, index, value = to.expr(node.array), to.expr(node.index), to.expr(node.value)
    same = array is node.array and index is node.index and value is node.value
    return node if same else f.Store(array, index, value, node.within)


def _do(to: Rewriter, node: f.Do) -> f.Do:
    arguments = to.each(node.arguments)
    return node if arguments is node.arguments else f.Do(node.function, arguments)


def _run(to: Rewriter, node: f.Run) -> f.Run:
    body = to.body(node.body)
    return node if body is node.body else f.Run(body)


def _if(to: Rewriter, node: f.If) -> f.If:
    condition, then, other = to.expr(node.condition), to.body(node.then), to.body(node.other)
    same = condition is node.condition and then is node.then and other is node.other
    return node if same else f.If(condition, then, other)


def _while(to: Rewriter, node: f.While) -> f.While:
    condition, body = to.expr(node.condition), to.body(node.body)
    return node if condition is node.condition and body is node.body else f.While(condition, body)


def _for(to: Rewriter, node: f.For) -> f.For:
    first, last, body = to.expr(node.first), to.expr(node.last), to.body(node.body)
    same = first is node.first and last is node.last and body is node.body
    return node if same else f.For(node.name, first, last, node.step, body)


def _return(to: Rewriter, node: f.Return) -> f.Return:
    values = to.each(node.values)
    return node if values is node.values else f.Return(values)


_REWRITE: dict[type, Callable[[Rewriter, Any], Any]] = {
    f.Load: _load, f.Length: _length, f.Unary: _unary, f.Binary: _binary, f.Compare: _compare,
    f.Both: _both, f.Either: _both, f.Negate: _negate, f.Choose: _choose, f.Convert: _convert,
    f.Call: _call, f.Block: _block, f.Set: _set, f.SetMany: _set_many, f.SetResults: _set_results,
    f.Store: _store, f.Do: _do, f.Run: _run, f.If: _if, f.While: _while, f.For: _for, f.Return: _return,
}  # fmt: skip
