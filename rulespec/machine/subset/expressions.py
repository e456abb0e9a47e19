"""Expressions of the subset as expressions of the form."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import NamedTuple

from .. import form as f
from .units import ANNOTATED, BoundName, FunctionRef, Shape, SubsetError, Unit, annotation_text, flatten_shape

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.FloorDiv: "//", ast.Mod: "%", ast.Div: "/",
}  # fmt: skip
TRUE = f.Const(f.TRUTH, 1)
CONVERSIONS = {(f.TRUTH, f.NUMBER), (f.NUMBER, f.TRUTH), (f.NUMBER, f.REAL), (f.TRUTH, f.REAL)}
_ORDER = {f.TRUTH: 0, f.NUMBER: 1, f.REAL: 2}


class CallResult(NamedTuple):
    """A call of a function of the module."""

    function: str
    arguments: tuple[f.Expr, ...]
    results: tuple[f.Type, ...]


class Expressions:
    """The expressions of one function, with its names."""

    def __init__(self, name: str, unit: Unit) -> None:
        self.name, self.unit = name, unit
        self.env: dict[str, BoundName] = {}

    @abstractmethod
    def table(self, table: f.Table) -> f.Static:
        """The array of a table of a unit."""

    @abstractmethod
    def function(self, ref: FunctionRef, shapes: tuple[Shape, ...]) -> tuple[str, tuple[f.Type, ...]]:
        """The name and the result types of a called function."""

    def fail(self, node: ast.AST, why: str) -> SubsetError:
        return SubsetError(f"{self.name}, line {getattr(node, 'lineno', '?')}: {why}: {ast.unparse(node)}")

    # ---- names

    def is_function(self, name: str) -> bool:
        return name in self.unit.functions or isinstance(self.unit.names.get(name), FunctionRef)

    def is_tuple(self, node: ast.expr) -> bool:
        """True if an expression denotes a tuple of arrays, or an array by name."""
        if isinstance(node, ast.Tuple):
            return True
        if isinstance(node, ast.Name) and node.id in self.env:
            shape = self.env[node.id].shape
            return not isinstance(shape, f.Type) or shape.is_array
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self.env:
            return not isinstance(self.env[node.value.id].shape, f.Type)
        return False

    def place(self, node: ast.AST, value: ast.expr) -> BoundName:
        """The tuple of arrays, or the array, that an expression denotes."""
        match value:
            case ast.Name(name) if name in self.env:
                return self.env[name]
            case ast.Tuple(parts):
                places = [self.place(node, part) for part in parts]
                return BoundName(tuple(p.shape for p in places), tuple(x for p in places for x in p.parts))
            case ast.Subscript(ast.Name(name), ast.Constant(int(number))) if name in self.env:
                whole = self.env[name]
                assert not isinstance(whole.shape, f.Type)
                at = sum(len(flatten_shape(shape)) for shape in whole.shape[:number])
                shape = whole.shape[number]
                return BoundName(shape, whole.parts[at : at + len(flatten_shape(shape))])
        raise self.fail(value, "no tuple of arrays")

    # ---- expressions

    def truth(self, node: ast.expr) -> f.Expr:
        """An expression as a condition."""
        match node:
            case ast.BoolOp(op, values):
                made = self.truth(values[-1])
                for value in reversed(values[:-1]):
                    held = self.truth(value)
                    made = f.Both(held, made) if isinstance(op, ast.And) else f.Either(held, made)
                return made
            case ast.UnaryOp(ast.Not(), value):
                return f.Negate(self.truth(value))
            case ast.Constant(value):
                return f.Const(f.TRUTH, int(bool(value)))
        made = self.value(node)
        if made.type is f.TRUTH:
            return made
        return f.Compare("!=", made, f.Const(made.type, 0))

    def value(self, node: ast.expr) -> f.Expr:
        """Translate an expression. Raises SubsetError."""
        match node:
            case ast.Constant(bool(value)):
                return f.Const(f.TRUTH, int(value))
            case ast.Constant(int(value)):
                return f.Const(f.NUMBER, value)
            case ast.Constant(float(value)):
                return f.Const(f.REAL, value)
            case ast.Name(name):
                return self.look_up(node, name)
            case ast.Subscript(array, index) if not self.is_tuple(node):
                held = self.value(array)
                if not held.type.is_array:
                    raise self.fail(node, "no array")
                at = self.as_type(node, self.value(index), f.NUMBER)
                return f.Load(held.type.element, held, at)
            case ast.Subscript():
                (part,) = self.place(node, node).parts
                return part
            case ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return self.truth(node)
            case ast.UnaryOp(op, value):
                return self.unary(node, op, value)
            case ast.BinOp(left, op, right):
                return self.binary(node, self.value(left), OPERATORS[type(op)], self.value(right))
            case ast.Compare(left, [op], [right]):
                return f.Compare(COMPARISONS[type(op)], *self.same(node, self.value(left), self.value(right)))
            case ast.IfExp(test, then, other):
                return self.choice(node, self.truth(test), then, other)
            case ast.Call(ast.Name(name), arguments):
                made = self.call(node, name, arguments)
                if not isinstance(made, CallResult):
                    return made
                if len(made.results) != 1:
                    raise self.fail(node, f"has {len(made.results)} results")
                return f.Call(made.results[0], made.function, made.arguments)
        raise self.fail(node, "not in the subset")

    def choice(self, node: ast.expr, condition: f.Expr, then: ast.expr, other: ast.expr) -> f.Expr:
        """One of two values."""
        a, b = self.same(node, self.value(then), self.value(other))
        return f.Choose(a.type, condition, a, b)

    def look_up(self, node: ast.expr, name: str) -> f.Expr:
        """The value of a local, a constant or a table by name. Raises SubsetError."""
        if name in self.env:
            place = self.env[name]
            if len(place.parts) != 1:
                raise self.fail(node, "a tuple is no value")
            return place.parts[0]
        held = self.unit.names.get(name)
        if isinstance(held, f.Const):
            return held
        if isinstance(held, f.Table):
            return self.table(held)
        raise self.fail(node, "nothing has this name")

    def unary(self, node: ast.expr, op: ast.unaryop, value: ast.expr) -> f.Expr:
        made = self.value(value)
        if isinstance(op, ast.USub):
            if isinstance(made, f.Const):
                return f.Const(made.type, -made.value)
            return f.Unary(made.type, "neg", self.as_type(node, made, common_type(made.type, f.NUMBER)))
        if isinstance(op, ast.Invert):
            return f.Unary(made.type, "not", made)
        raise self.fail(node, "not in the subset")

    def binary(self, node: ast.AST, left: f.Expr, op: str, right: f.Expr) -> f.Expr:
        if op in ("<<", ">>"):
            left = f.Convert(f.NUMBER, left) if left.type is f.TRUTH else left
            return f.Binary(left.type, op, left, right)
        if op == "/":
            left, right = self.as_type(node, left, f.REAL), self.as_type(node, right, f.REAL)
        else:
            left, right = self.same(node, left, right)
            if left.type is f.TRUTH:
                left, right = f.Convert(f.NUMBER, left), f.Convert(f.NUMBER, right)
        return f.Binary(left.type, op, left, right)

    def call(self, node: ast.AST, name: str, arguments: list[ast.expr]) -> f.Expr | CallResult:
        """Translate a call of a function or a built-in one. Raises SubsetError."""
        if name in self.env:
            raise self.fail(node, "no function")
        ref = FunctionRef(self.unit, name) if name in self.unit.functions else self.unit.names.get(name)
        if isinstance(ref, FunctionRef):
            return self.call_function(ref, arguments)
        if name == "len":
            return f.Length(self.value(arguments[0]))
        made = [self.value(argument) for argument in arguments]
        match name, made:
            case (("low" | "high" | "count"), [x]):
                return f.Unary(f.NUMBER, name, self.as_type(node, x, f.WORD))
            case "as_word", [x]:
                return f.Convert(f.WORD, x)
            case (("as_number" | "int"), [x]):
                return x if x.type is f.NUMBER else f.Convert(f.NUMBER, x)
            case (("min" | "max"), [first, *others]):
                found = first
                for other in others:
                    pair = self.same(node, found, other)
                    found = f.Binary(pair[0].type, name, *pair)
                return found
        raise self.fail(node, "nothing has this name")

    def call_function(self, ref: FunctionRef, arguments: list[ast.expr]) -> CallResult:
        """A call of a function in the subset, which is translated for the types of its arguments."""
        shapes: list[Shape] = []
        parts: list[f.Expr] = []
        source = ref.unit.functions[ref.name]
        if isinstance(source, f.Function):
            declared: list[f.Type | None] = [t for _, t in source.parameters]
        else:
            declared = [ANNOTATED.get(annotation_text(a.annotation)) for a in source.args.args]
        for argument, annotated in zip(arguments, declared, strict=True):
            if self.is_tuple(argument):
                place = self.place(argument, argument)
                shapes.append(place.shape)
                parts += place.parts
                continue
            made = self.value(argument)
            if annotated is not None and not annotated.is_array:
                made = self.as_type(argument, made, annotated)
            elif made.type is f.TRUTH:
                made = f.Convert(f.NUMBER, made)
            shapes.append(made.type)
            parts.append(made)
        name, results = self.function(ref, tuple(shapes))
        return CallResult(name, tuple(parts), results)

    # ---- types

    def same(self, node: ast.AST, a: f.Expr, b: f.Expr) -> tuple[f.Expr, f.Expr]:
        """Two values converted to the same type."""
        if isinstance(a, f.Const) and a.type is f.NUMBER and b.type is f.WORD:
            return f.Const(f.WORD, a.value), b
        if isinstance(b, f.Const) and b.type is f.NUMBER and a.type is f.WORD:
            return a, f.Const(f.WORD, b.value)
        t = common_type(a.type, b.type)
        return self.as_type(node, a, t), self.as_type(node, b, t)

    def as_type(self, node: ast.AST, value: f.Expr, t: f.Type) -> f.Expr:
        """The value converted to a type. Raises SubsetError if that could lose something."""
        if value.type is t:
            return value
        if isinstance(value, f.Const) and (value.type, t) in CONVERSIONS | {(f.NUMBER, f.WORD)}:
            return f.Const(t, float(value.value) if t is f.REAL else value.value)
        if (value.type, t) in CONVERSIONS:
            return f.Convert(t, value)
        raise self.fail(node, f"a {value.type.value} where a {t.value} belongs")


def common_type(a: f.Type, b: f.Type) -> f.Type:
    """The type to which two expressions can be converted. Raises SubsetError."""
    if a is b:
        return a
    if a in _ORDER and b in _ORDER:
        return max(a, b, key=_ORDER.__getitem__)
    raise SubsetError(f"a {a.value} and a {b.value}")
