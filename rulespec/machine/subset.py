"""Functions in a subset of Python as the form.

Types go from where a function is called into it, so each function is translated when it is first called,
with the types of its parameters; functions that nothing calls are left out. Tuples of arrays are taken
apart: a parameter that holds seven arrays becomes seven parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import form as f
from .remembering import beginning, marks_of, new_state, remembering

Shape = f.Type | tuple["Shape", ...]
"""The type of a value, or of each part of a tuple."""


class Place(NamedTuple):
    """A name in a function: one value (a local), or a tuple."""

    shape: Shape
    parts: tuple[f.Local, ...]


class Unit(NamedTuple):
    """A source of functions and of the names that they use."""

    functions: Mapping[str, ast.FunctionDef]
    names: Mapping[str, Any]
    """Of each further name a constant, a table, or a `Ref` to a function of another unit."""
    state: Mapping[str, int]
    """Of arrays, by the name of the parameter, how many elements belong to the state; see
    `Function.steady`."""
    changers: frozenset[str] = frozenset()
    """The functions of other units that change the state."""


class Ref(NamedTuple):
    """A function of a unit."""

    unit: Unit
    name: str


class SubsetError(ValueError):
    """Something that the subset does not have; the text says where and what."""


class _Recursion(SubsetError):
    """A call of a function whose results are not known yet."""


COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.FloorDiv: "//", ast.Mod: "%", ast.Div: "/",
}  # fmt: skip
TRUE = f.Const(f.TRUTH, 1)


def flat(shape: Shape) -> tuple[f.Type, ...]:
    """The types of all parts of a shape, in order."""
    if isinstance(shape, f.Type):
        return (shape,)
    return tuple(t for part in shape for t in flat(part))


class Translator:
    """Translates functions on demand into one module."""

    def __init__(self) -> None:
        self.module = f.Module()
        self._named: dict[tuple[int, str, Shape, bool], str] = {}
        self._results: dict[str, tuple[f.Type, ...] | None] = {}
        self._given: dict[str, tuple[f.Type, ...]] = {}
        """The results of functions as calls in their own bodies were told them."""

    def function(
        self, ref: Ref, shapes: tuple[Shape, ...], steady: bool = False
    ) -> tuple[str, tuple[f.Type, ...]]:
        """The name of a function for parameters of given shapes, and the types of its results.

        `steady`: nothing changes the state while it runs, as what calls it says. See `remembering`.
        """
        marks = marks_of(ref.unit.functions[ref.name])
        steady = steady or marks.steady
        key = id(ref.unit), ref.name, shapes, steady
        if key not in self._named:
            name = ref.name
            while name in self._results:
                name += "_"
            self._named[key] = name
            made = _Function(self, ref, name, shapes, steady)
            self._results[name] = made.results
            try:
                function = made.translated()
                if marks.begins:
                    function = beginning(self.module, function)
                self.module.functions[name] = function
                if steady and marks.once is not None:
                    remembering(self.module, function, marks.once)
            except _Recursion:  # it waits for a function around it, and is translated again then
                del self._named[key], self._results[name]
                raise
            if self._given.get(name, made.results) != made.results:
                raise SubsetError(f"{name}: its results change with the calls of itself")
            self._results[name] = made.results
        name = self._named[key]
        results = self._results[name]
        if results is None:
            raise _Recursion(f"{name} calls itself, and no other way gives its results")
        if name not in self.module.functions:
            self._given[name] = results
        return name, results

    def table(self, name: str, table: f.Table) -> f.Static:
        """The array of a table, which the module keeps under a name of its own."""
        if name not in self.module.tables:
            self.module.tables[name] = table
        return f.Static(table.type, name)


class _Function:
    """One function on its way into the form."""

    def __init__(
        self, whole: Translator, ref: Ref, name: str, shapes: tuple[Shape, ...], steady: bool
    ) -> None:
        self.whole, self.unit, self.name, self.steady = whole, ref.unit, name, steady
        self.node = ref.unit.functions[ref.name]
        self.env: dict[str, Place] = {}
        self.parameters: list[tuple[str, f.Type]] = []
        self.variables: dict[str, f.Type] = {}
        self.results: tuple[f.Type, ...] | None = None
        self.waiting = 0
        """Statements that wait for the results of the function itself."""
        arguments = [a.arg for a in self.node.args.args]
        if len(arguments) != len(shapes):
            raise SubsetError(f"{name} takes {len(arguments)} arguments, not {len(shapes)}")
        for argument, shape in zip(arguments, shapes, strict=True):
            types = flat(shape)
            names = (
                [argument] if isinstance(shape, f.Type) else [f"{argument}.{i}" for i in range(len(types))]
            )
            self.parameters += zip(names, types, strict=True)
            parts = tuple(f.Local(t, n) for n, t in zip(names, types, strict=True))
            self.env[argument] = Place(shape, parts)
        self.results = self._declared()

    def _declared(self) -> tuple[f.Type, ...] | None:
        """The types of the results by the annotation; None where there is none."""
        told = self.node.returns
        if told is None:
            returns = [x for x in ast.walk(self.node) if isinstance(x, ast.Return) and x.value is not None]
            return None if returns else ()
        text = ast.unparse(told)
        if text == "None":
            return ()
        return tuple(ANNOTATED[part] for part in text.removeprefix("tuple[").removesuffix("]").split(", "))

    def translated(self) -> f.Function:
        """The function in the form. Types of variables settle first, so that their uses agree."""
        body: f.Body = ()
        settled = False
        while not settled:
            before, self.waiting = (dict(self.variables), self.results), 0
            body = self.body(self.node.body)
            settled = before == (self.variables, self.results)
        if self.waiting:
            raise _Recursion(f"{self.name} calls itself, and no other way gives its results")
        variables = tuple(self.variables.items())
        state = tuple(self.unit.state.items()) if self.steady else ()
        return f.Function(
            self.name, tuple(self.parameters), self.results or (), variables, body, steady=state
        )

    def fail(self, node: ast.AST, why: str) -> SubsetError:
        return SubsetError(f"{self.name}, line {getattr(node, 'lineno', '?')}: {why}: {ast.unparse(node)}")

    # ---- statements

    def body(self, nodes: Sequence[ast.stmt]) -> f.Body:
        made: list[f.Statement] = []
        for node in nodes:
            try:
                made += self.statement(node)
            except _Recursion:
                self.waiting += 1
        return tuple(made)

    def statement(self, node: ast.stmt) -> list[f.Statement]:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return []
            case ast.Expr(ast.Call(ast.Name(name), arguments)):
                made = self.call(node, name, arguments)
                if not isinstance(made, _Called):
                    return []
                return self.changing([f.Do(made.function, made.arguments)], name in self.unit.changers)
            case ast.Assign([ast.Name(name)], value):
                return self.assign(node, name, value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                return self.changed(self.assign_each(node, targets, values))
            case ast.Assign([ast.Tuple(targets)], ast.IfExp(test, ast.Tuple(then), ast.Tuple(other))):
                each = [ast.IfExp(test, a, b) for a, b in zip(then, other, strict=True)]
                return self.assign_each(node, targets, list(each))
            case ast.Assign([ast.Tuple(targets)], ast.Call(ast.Name(name), arguments)) if self.is_function(
                name
            ):
                return self.assign_results(node, targets, name, arguments)
            case ast.Assign([ast.Tuple() as target], value):
                self.unpack(node, target, self.place(node, value))
                return []
            case ast.Assign([ast.Subscript() as target], value):
                return self.changed([self.store(target, self.value(value))])
            case ast.AugAssign(ast.Name(name), op, value):
                return self.assign(node, name, ast.BinOp(ast.Name(name), op, value, lineno=node.lineno))
            case ast.AugAssign(ast.Subscript() as target, op, value):
                held = ast.BinOp(target, op, value, lineno=node.lineno)
                return self.changed([self.store(target, self.value(held))])
            case ast.If(test, then, other):
                return [f.If(self.truth(test), self.body(then), self.body(other))]
            case ast.While(test, inner, []):
                return [f.While(self.truth(test), self.body(inner))]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), inner, []):
                return [self.loop(name, bounds, inner)]
            case ast.For(ast.Name(name), ast.Name() as array, inner, []):
                return [self.loop_over(name, array, inner)]
            case ast.Break():
                return [f.Break()]
            case ast.Continue():
                return [f.Continue()]
            case ast.Return(value):
                return [self.result(value)]
        raise self.fail(node, "not in the subset")

    def changed(self, made: list[f.Statement]) -> list[f.Statement]:
        """Statements, after which a new state begins if they store into its arrays."""
        stored = (x.array for x in made if isinstance(x, f.Store))
        return self.changing(made, any(isinstance(x, f.Local) and x.name in self.unit.state for x in stored))

    def changing(self, made: list[f.Statement], changes: bool) -> list[f.Statement]:
        """Statements, after which a new state begins if they change it."""
        return [*made, new_state(self.whole.module)] if changes and not self.steady else made

    def assign(self, node: ast.stmt, name: str, value: ast.expr) -> list[f.Statement]:
        if self.is_tuple(value):
            self.env[name] = self.place(node, value)
            return []
        made = self.value(value)
        return [f.Set(name, self.as_type(node, made, self.variable(node, name, made.type)))]

    def assign_each(
        self, node: ast.stmt, targets: list[ast.expr], values: list[ast.expr]
    ) -> list[f.Statement]:
        made: list[f.Statement] = []
        if len(targets) == len(values) and all(isinstance(t, ast.Name | ast.Subscript) for t in targets):
            held: list[tuple[ast.expr, f.Expr]] = []
            for target, value in zip(targets, values, strict=True):
                if isinstance(target, ast.Name) and self.is_tuple(value):
                    self.env[target.id] = self.place(node, value)
                else:
                    held.append((target, self.value(value)))
            if len(held) == 1:
                return [self.give(node, *held[0])]
            names: list[str] = []
            kept: list[f.Expr] = []
            for number, (target, given) in enumerate(held):
                name = target.id if isinstance(target, ast.Name) else f"{number}.held.{given.type.name}"
                kept.append(self.as_type(node, given, self.variable(node, name, given.type)))
                names.append(name)
            made.append(f.SetMany(tuple(names), tuple(kept)))
            for name, (target, _) in zip(names, held, strict=True):
                if isinstance(target, ast.Subscript):
                    made.append(self.store(target, f.Local(self.variables[name], name)))
            return made
        for target, value in zip(targets, values, strict=True):  # tuples of tuples are places only
            if not isinstance(target, ast.Tuple | ast.Name) or not self.is_tuple(value):
                raise self.fail(node, "not in the subset")
            self.unpack(node, target, self.place(node, value))
        return made

    def give(self, node: ast.stmt, target: ast.expr, value: f.Expr) -> f.Statement:
        if isinstance(target, ast.Subscript):
            return self.store(target, value)
        assert isinstance(target, ast.Name)
        return f.Set(target.id, self.as_type(node, value, self.variable(node, target.id, value.type)))

    def assign_results(
        self, node: ast.stmt, targets: list[ast.expr], name: str, arguments: list[ast.expr]
    ) -> list[f.Statement]:
        made = self.call(node, name, arguments)
        assert isinstance(made, _Called)
        names: list[str | None] = []
        for target, t in zip(targets, made.results, strict=True):
            if not isinstance(target, ast.Name):
                raise self.fail(node, "results go into variables")
            names.append(None if target.id == "_" else target.id)
            if target.id != "_":
                self.variable(node, target.id, t)
        return [f.SetResults(tuple(names), made.function, made.arguments)]

    def unpack(self, node: ast.stmt, target: ast.expr, place: Place) -> None:
        """Give the parts of a tuple names."""
        if isinstance(target, ast.Name):
            self.env[target.id] = place
            return
        if not isinstance(target, ast.Tuple) or isinstance(place.shape, f.Type):
            raise self.fail(node, "not in the subset")
        at = 0
        for part, shape in zip(target.elts, place.shape, strict=True):
            size = len(flat(shape))
            self.unpack(node, part, Place(shape, place.parts[at : at + size]))
            at += size

    def store(self, target: ast.Subscript, value: f.Expr) -> f.Statement:
        array = self.value(target.value)
        if not array.type.is_array:
            raise self.fail(target, "no array")
        index = self.as_type(target, self.value(target.slice), f.NUMBER)
        return f.Store(array, index, self.as_type(target, value, array.type.element))

    def loop(self, name: str, bounds: list[ast.expr], inner: list[ast.stmt]) -> f.Statement:
        made = [self.as_type(bound, self.value(bound), f.NUMBER) for bound in bounds]
        step = 1
        if len(made) == 3:
            step = int(ast.literal_eval(bounds[2]))
        first, last = (f.Const(f.NUMBER, 0), made[0]) if len(made) == 1 else (made[0], made[1])
        self.variable(bounds[0], name, f.NUMBER)
        return f.For(name, first, last, step, self.body(inner))

    def loop_over(self, name: str, array: ast.Name, inner: list[ast.stmt]) -> f.Statement:
        held = self.value(array)
        if not held.type.is_array:
            raise self.fail(array, "no array")
        index = f"{name}.index"
        self.variable(array, index, f.NUMBER)
        self.variable(array, name, held.type.element)
        item = f.Set(name, f.Load(held.type.element, held, f.Local(f.NUMBER, index)))
        return f.For(index, f.Const(f.NUMBER, 0), f.Length(held), 1, (item, *self.body(inner)))

    def result(self, value: ast.expr | None) -> f.Statement:
        if value is None:
            return f.Return(())
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        made = [self.value(part) for part in parts]
        types = tuple(x.type for x in made)
        if self.node.returns is None:
            self.results = types if self.results is None else tuple(map(_joined, self.results, types))
            self.whole._results[self.name] = self.results
        assert self.results is not None
        return f.Return(tuple(self.as_type(value, x, t) for x, t in zip(made, self.results, strict=True)))

    # ---- names

    def variable(self, node: ast.AST, name: str, t: f.Type) -> f.Type:
        """The type of a variable, to which something of a type is given."""
        for parameter, held in self.parameters:
            if parameter == name:
                return held
        before = self.variables.get(name)
        after = t if before is None else _joined(before, t)
        self.variables[name] = after
        self.env[name] = Place(after, (f.Local(after, name),))
        return after

    def is_function(self, name: str) -> bool:
        return name in self.unit.functions or isinstance(self.unit.names.get(name), Ref)

    def is_tuple(self, node: ast.expr) -> bool:
        """True if an expression stands for a tuple of arrays, or an array by name."""
        if isinstance(node, ast.Tuple):
            return True
        if isinstance(node, ast.Name) and node.id in self.env:
            shape = self.env[node.id].shape
            return not isinstance(shape, f.Type) or shape.is_array
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self.env:
            return not isinstance(self.env[node.value.id].shape, f.Type)
        return False

    def place(self, node: ast.AST, value: ast.expr) -> Place:
        """The tuple or the array that an expression stands for."""
        match value:
            case ast.Name(name) if name in self.env:
                return self.env[name]
            case ast.Tuple(parts):
                places = [self.place(node, part) for part in parts]
                return Place(tuple(p.shape for p in places), tuple(x for p in places for x in p.parts))
            case ast.Subscript(ast.Name(name), ast.Constant(int(number))) if name in self.env:
                whole = self.env[name]
                assert not isinstance(whole.shape, f.Type)
                at = sum(len(flat(shape)) for shape in whole.shape[:number])
                shape = whole.shape[number]
                return Place(shape, whole.parts[at : at + len(flat(shape))])
        raise self.fail(value, "no tuple of arrays")

    # ---- expressions

    def truth(self, node: ast.expr) -> f.Expr:
        """A condition."""
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
        match node:
            case ast.Constant(bool(value)):
                return f.Const(f.TRUTH, int(value))
            case ast.Constant(int(value)):
                return f.Const(f.NUMBER, value)
            case ast.Constant(float(value)):
                return f.Const(f.REAL, value)
            case ast.Name(name):
                return self.named(node, name)
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
            case ast.Compare(left, ops, rights):
                return self.compare(node, left, ops, rights)
            case ast.IfExp(test, then, other):
                return self.choice(node, self.truth(test), then, other)
            case ast.Call(ast.Name(name), arguments):
                made = self.call(node, name, arguments)
                if not isinstance(made, _Called):
                    return made
                if len(made.results) != 1:
                    raise self.fail(node, f"has {len(made.results)} results")
                return f.Call(made.results[0], made.function, made.arguments)
        raise self.fail(node, "not in the subset")

    def choice(self, node: ast.expr, condition: f.Expr, then: ast.expr, other: ast.expr) -> f.Expr:
        """One of two values; where one waits for the results of the function itself, the other gives the
        type.
        """
        made: list[f.Expr] = []
        for part in (then, other):
            try:
                made.append(self.value(part))
            except _Recursion:
                self.waiting += 1
        if not made:
            raise _Recursion(f"{self.name} calls itself, and no other way gives its results")
        a, b = self.same(node, made[0], made[-1])
        return f.Choose(a.type, condition, a, b)

    def named(self, node: ast.expr, name: str) -> f.Expr:
        if name in self.env:
            place = self.env[name]
            if len(place.parts) != 1:
                raise self.fail(node, "a tuple is no value")
            return place.parts[0]
        held = self.unit.names.get(name)
        if isinstance(held, f.Const):
            return held
        if isinstance(held, f.Table):
            return self.whole.table(held.name, held)
        if self.waiting:
            raise _Recursion(f"{self.name}: {name} waits for a call of the function itself")
        raise self.fail(node, "nothing has this name")

    def unary(self, node: ast.expr, op: ast.unaryop, value: ast.expr) -> f.Expr:
        made = self.value(value)
        if isinstance(op, ast.USub):
            if isinstance(made, f.Const):
                return f.Const(made.type, -made.value)
            return f.Unary(made.type, "neg", self.as_type(node, made, _joined(made.type, f.NUMBER)))
        if isinstance(op, ast.Invert):
            return f.Unary(made.type, "not", made)
        raise self.fail(node, "not in the subset")

    def binary(self, node: ast.AST, left: f.Expr, op: str, right: f.Expr) -> f.Expr:
        if op in ("<<", ">>"):
            if left.type is f.TRUTH:
                left = f.Convert(f.NUMBER, left)
            if isinstance(left, f.Const) and isinstance(right, f.Const):
                return f.Const(left.type, _folded(op, int(left.value), int(right.value)))
            return f.Binary(left.type, op, left, right)
        if op == "/":
            left, right = self.as_type(node, left, f.REAL), self.as_type(node, right, f.REAL)
        else:
            left, right = self.same(node, left, right)
            if left.type is f.TRUTH:
                left, right = f.Convert(f.NUMBER, left), f.Convert(f.NUMBER, right)
        known = isinstance(left, f.Const) and isinstance(right, f.Const) and left.type is f.NUMBER
        if known and op in FOLDED:
            assert isinstance(left, f.Const)
            assert isinstance(right, f.Const)
            return f.Const(f.NUMBER, _folded(op, int(left.value), int(right.value)))
        return f.Binary(left.type, op, left, right)

    def compare(self, node: ast.expr, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr]) -> f.Expr:
        made: f.Expr | None = None
        for op, right in zip(ops, rights, strict=True):
            if isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple):
                one = self.compare_each(node, COMPARISONS[type(op)], left.elts, right.elts)
            else:
                one = f.Compare(COMPARISONS[type(op)], *self.same(node, self.value(left), self.value(right)))
            made = one if made is None else f.Both(made, one)
            left = right
        assert made is not None
        return made

    def compare_each(
        self, node: ast.expr, op: str, lefts: Sequence[ast.expr], rights: Sequence[ast.expr]
    ) -> f.Expr:
        """A comparison of tuples: the first parts that differ decide."""
        pairs = [self.same(node, self.value(a), self.value(b)) for a, b in zip(lefts, rights, strict=True)]
        if op in ("==", "!="):
            made: f.Expr = TRUE
            for a, b in reversed(pairs):
                one = f.Compare("==", a, b)
                made = one if made is TRUE else f.Both(one, made)
            return made if op == "==" else f.Negate(made)
        made = f.Compare(op, *pairs[-1])
        for a, b in reversed(pairs[:-1]):
            made = f.Choose(f.TRUTH, f.Compare("==", a, b), made, f.Compare(op[0], a, b))
        return made

    def call(self, node: ast.AST, name: str, arguments: list[ast.expr]) -> f.Expr | _Called:
        if name in self.env:
            raise self.fail(node, "no function")
        ref = Ref(self.unit, name) if name in self.unit.functions else self.unit.names.get(name)
        if isinstance(ref, Ref):
            return self.call_function(ref, arguments)
        if name == "len":
            return f.Length(self.value(arguments[0]))
        made = [self.value(argument) for argument in arguments]
        match name, made:
            case (("low" | "count"), [x]):
                return f.Unary(f.NUMBER, name, self.as_type(node, x, f.WORD))
            case "as_word", [x]:
                return f.Convert(f.WORD, x)
            case (("as_number" | "int"), [x]):
                return x if x.type is f.NUMBER else f.Convert(f.NUMBER, x)
            case "word", [f.Const(_, value)]:
                return f.Const(f.WORD, value)
            case "abs", [x]:
                return f.Unary(x.type, "abs", x)
            case (("min" | "max"), [first, *others]):
                found = first
                for other in others:
                    pair = self.same(node, found, other)
                    found = f.Binary(pair[0].type, name, *pair)
                return found
        raise self.fail(node, "nothing has this name")

    def call_function(self, ref: Ref, arguments: list[ast.expr]) -> _Called:
        shapes: list[Shape] = []
        parts: list[f.Expr] = []
        declared = [ANNOTATED.get(ast.unparse(a.annotation)) if a.annotation else None
                    for a in ref.unit.functions[ref.name].args.args]  # fmt: skip
        for argument, told in zip(arguments, declared, strict=True):
            if self.is_tuple(argument):
                place = self.place(argument, argument)
                shapes.append(place.shape)
                parts += place.parts
                continue
            made = self.value(argument)
            if told is not None and not told.is_array:
                made = self.as_type(argument, made, told)
            elif made.type is f.TRUTH:
                made = f.Convert(f.NUMBER, made)
            shapes.append(made.type)
            parts.append(made)
        name, results = self.whole.function(ref, tuple(shapes), self.steady)
        return _Called(name, tuple(parts), results)

    # ---- types

    def same(self, node: ast.AST, a: f.Expr, b: f.Expr) -> tuple[f.Expr, f.Expr]:
        """Two values as ones of the same type."""
        if isinstance(a, f.Const) and a.type is f.NUMBER and b.type is f.WORD:
            return f.Const(f.WORD, a.value), b
        if isinstance(b, f.Const) and b.type is f.NUMBER and a.type is f.WORD:
            return a, f.Const(f.WORD, b.value)
        t = _joined(a.type, b.type)
        return self.as_type(node, a, t), self.as_type(node, b, t)

    def as_type(self, node: ast.AST, value: f.Expr, t: f.Type) -> f.Expr:
        if value.type is t:
            return value
        if isinstance(value, f.Const) and (value.type, t) in CONVERSIONS | {(f.NUMBER, f.WORD)}:
            return f.Const(t, float(value.value) if t is f.REAL else value.value)
        if (value.type, t) in CONVERSIONS:
            return f.Convert(t, value)
        raise self.fail(node, f"a {value.type.value} where a {t.value} belongs")


class _Called(NamedTuple):
    """A call of a function of the module."""

    function: str
    arguments: tuple[f.Expr, ...]
    results: tuple[f.Type, ...]


CONVERSIONS = {(f.TRUTH, f.NUMBER), (f.NUMBER, f.TRUTH), (f.NUMBER, f.REAL), (f.TRUTH, f.REAL)}
ANNOTATED = {
    "int": f.NUMBER, "Word": f.WORD, "bool": f.TRUTH, "float": f.REAL, "Numbers": f.NUMBERS, "Words": f.WORDS,
    "Small": f.SMALL, "Reals": f.REALS,
}  # fmt: skip
FOLDED = {"+", "-", "*", "&", "|", "^"}
_ORDER = {f.TRUTH: 0, f.NUMBER: 1, f.REAL: 2}


def _joined(a: f.Type, b: f.Type) -> f.Type:
    """The type of what may be of either."""
    if a is b:
        return a
    if a in _ORDER and b in _ORDER:
        return max(a, b, key=_ORDER.__getitem__)
    raise SubsetError(f"a {a.value} and a {b.value}")


def _folded(op: str, a: int, b: int) -> int:
    results = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}
    if op in results:
        return results[op]
    return a << b if op == "<<" else a >> b
