"""Formulas of the table of marks: small expressions of Python, compiled here and sent to pages as trees.

A formula has numbers, texts, names, attributes, `+ - * /`, comparisons, `in`, `and`, `or`, `not`, `if else`,
calls of named functions, lists, subscripts, slices, `[... for ... in ... if ...]`, and f-strings, in which
numbers are rounded to a tenth. A condition is never a bare list: an empty list is true in a page.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

Tree: TypeAlias = Any
"""A formula as plain JSON: a number, True, None, a name, or a list of an operation and its operands."""

SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<",
    ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "==", ast.IsNot: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.And: "and", ast.Or: "or", ast.Not: "not", ast.USub: "negative",
}  # fmt: skip


def parse(formula: str) -> ast.expr:
    """The syntax tree of a formula.

    Raises:
        SyntaxError: the text is no expression of Python.
    """
    return ast.parse(f"({formula}\n)", mode="eval").body


def tree(node: ast.expr | None) -> Tree:
    """A formula as plain JSON, which the script of the page evaluates.

    Raises:
        ValueError: the formula has an expression of another kind.

    Example:
        >>> tree(parse('f"h{width / 2}" if "wide" in looks else ""'))
        ['if', ['in', ['text', 'wide'], 'looks'], ['join', ['text', 'h'], ['/', 'width', 2]], ['text', '']]
    """
    match node:
        case None:
            return None
        case ast.Constant(str(value)):
            return ["text", value]
        case ast.Constant(int() | float() | None as value):
            return value
        case ast.Name(name):
            return name
        case ast.Attribute(value, name):
            return ["attribute", tree(value), name]
        case ast.BinOp(left, operator, right) | ast.Compare(left, [operator], [right]):
            return [SIGNS[type(operator)], tree(left), tree(right)]
        case ast.BoolOp(operator, values):
            return [SIGNS[type(operator)], *map(tree, values)]
        case ast.UnaryOp(operator, operand):
            return [SIGNS[type(operator)], tree(operand)]
        case ast.IfExp(test, body, orelse):
            return ["if", tree(test), tree(body), tree(orelse)]
        case ast.Call(ast.Name(name), args, []):
            return ["call", name, *map(tree, args)]
        case ast.Subscript(value, ast.Slice(lower, upper, None)):
            return ["slice", tree(value), tree(lower), tree(upper)]
        case ast.Subscript(value, index):
            return ["item", tree(value), tree(index)]
        case ast.List(elements):
            return ["list", *map(tree, elements)]
        case ast.Starred(value):
            return ["spread", tree(value)]
        case ast.ListComp(element, [ast.comprehension(ast.Name(name), source, conditions)]) if (
            len(conditions) < 2
        ):
            return ["for", name, tree(source), tree(conditions[0]) if conditions else True, tree(element)]
        case ast.JoinedStr(values):
            return ["join", *map(tree, values)]
        case ast.FormattedValue(value, -1, None):
            return tree(value)
    raise ValueError(f"no formula has {ast.unparse(node)}")


class _Rounded(ast.NodeTransformer):
    """Rounds the numbers in f-strings."""

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.FormattedValue:
        self.generic_visit(node)
        node.value = ast.Call(ast.Name("text_of", ast.Load()), [node.value], [])
        return node


def names(node: ast.AST) -> set[str]:
    """The names that a formula reads, those of functions excepted."""
    called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and id(part) not in called}


def define(
    name: str, parameters: str, steps: Mapping[str, ast.expr], result: ast.expr, globals_: dict[str, Any]
) -> Callable[..., Any]:
    """Compile a function that computes `steps` in order and returns `result`; it can use `globals_`."""
    lines = [f"    {step} = {ast.unparse(node)}" for step, node in steps.items()]
    source = "\n".join([f"def {name}({parameters}):", *lines, f"    return {ast.unparse(result)}"])
    module = ast.fix_missing_locations(_Rounded().visit(ast.parse(source)))
    defined: dict[str, Any] = {}
    exec(compile(module, f"<{name}>", "exec"), globals_, defined)  # noqa: S102, the table is ours
    function: Callable[..., Any] = defined[name]
    return function


def required_steps(wanted: Iterable[str], steps: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The steps on which some names depend, each after its own dependencies."""
    found: dict[str, ast.expr] = {}
    for name in wanted:
        if name in steps and name not in found:
            found |= required_steps(names(steps[name]), steps)
            found[name] = steps[name]
    return found
