"""Functions in a subset of Python as the form.

Types are propagated from calls into functions, so each function is translated on its first call, with the
types of its parameters; functions that nothing calls are left out. Tuples of arrays are flattened: a
parameter that holds seven arrays becomes seven parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .. import form as f
from ..passes.state_versions import reduce_state_versions
from ..state_memoisation import VERSION_ROOM, add_state_version, begin_with_version, memoise_in_state
from ..traversal import node_index
from .expressions import CallResult, Expressions, common_type
from .units import ANNOTATED, BoundName, FunctionRef, Shape, SubsetError, Unit, annotation_text, flatten_shape


class Translator:
    """Translates functions on demand into one module, with functions that are in the form already.

    `reserved` are the names of the latter and of all that they call: no function of another unit gets them.
    """

    def __init__(self, reserved: Mapping[str, Unit] | None = None) -> None:
        self.module = f.Module()
        self._reserved = reserved or {}
        self._named: dict[tuple[int, str, Shape], str] = {}
        self._linked: dict[tuple[int, str, bool], str] = {}
        self._results: dict[str, tuple[f.Type, ...]] = {}

    def function(self, ref: FunctionRef, shapes: tuple[Shape, ...]) -> tuple[str, tuple[f.Type, ...]]:
        """The name of a function for parameters of given shapes, and the types of its results.

        A function that is already in the form begins with a new state version, because earlier changes are
        not known here.
        """
        source = ref.unit.functions[ref.name]
        if isinstance(source, f.Function):
            return self._with_form(ref.unit, source, outside=True), source.results
        key = id(ref.unit), ref.name, shapes
        if key not in self._named:
            name = self._named[key] = self._unused_name(ref.name, ref.unit)
            made = _FunctionTranslator(self, ref, source, name, shapes)
            self._results[name] = made.results
            self.module.functions[name] = made.translate()
        return self._named[key], self._results[self._named[key]]

    def _unused_name(self, name: str, unit: Unit) -> str:
        """A name that no function of the module has or is reserved for."""
        while name in self._results or self._reserved.get(name, unit) is not unit:
            name += "_"
        return name

    def _with_form(self, unit: Unit, function: f.Function, outside: bool = False) -> str:
        """The name of a function already in the form, after adding everything it needs; see `function`."""
        key = id(unit), function.name, outside
        if key in self._linked:
            return self._linked[key]
        name = self._linked[key] = self._unused_name(f"{function.name}_", unit) if outside else function.name
        self._results[name] = function.results
        if outside:
            add_state_version(self.module)
            self.module.functions[name] = begin_with_version(replace(function, name=name))
        elif function.once is not None:
            memoise_in_state(self.module, function, function.once)
        else:
            self.module.functions[name] = function
        for node in node_index(function).nodes:
            if isinstance(node, f.Call | f.Do | f.SetResults):
                self._add_called(unit, node.function)
            elif isinstance(node, f.Static) and node.name == VERSION_ROOM:
                add_state_version(self.module)
            elif isinstance(node, f.Static):
                self.table(node.name, unit.names[node.name])
        return name

    def _add_called(self, unit: Unit, name: str) -> None:
        """Add a function called by one in the form: from its unit, or translated by its declared types."""
        called = unit.functions.get(name)
        if isinstance(called, f.Function):
            self._with_form(unit, called)
            return
        ref = unit.names[name]
        shapes = (ANNOTATED[annotation_text(a.annotation)] for a in ref.unit.functions[name].args.args)
        self.function(ref, tuple(shapes))

    def finish(self, entries: Sequence[str]) -> f.Module:
        """The finished module; functions with these names may be called from outside."""
        return reduce_state_versions(replace(self.module, entries=tuple(entries)))

    def table(self, name: str, table: f.Table) -> f.Static:
        """The array of a table, which the module keeps under a unique name."""
        if name not in self.module.tables:
            self.module.tables[name] = table
        return f.Static(table.type, name)


class _FunctionTranslator(Expressions):
    """Translates one function."""

    def __init__(
        self, whole: Translator, ref: FunctionRef, node: ast.FunctionDef, name: str, shapes: tuple[Shape, ...]
    ) -> None:
        super().__init__(name, ref.unit)
        self.whole, self.node = whole, node
        self.parameters: list[tuple[str, f.Type]] = []
        self.variables: dict[str, f.Type] = {}
        self.changed = False
        """True if a variable changed its type after its first use."""
        arguments = [a.arg for a in self.node.args.args]
        if len(arguments) != len(shapes):
            raise SubsetError(f"{name} takes {len(arguments)} arguments, not {len(shapes)}")
        for argument, shape in zip(arguments, shapes, strict=True):
            types = flatten_shape(shape)
            names = (
                [argument] if isinstance(shape, f.Type) else [f"{argument}.{i}" for i in range(len(types))]
            )
            self.parameters += zip(names, types, strict=True)
            parts = tuple(f.Local(t, n) for n, t in zip(names, types, strict=True))
            self.env[argument] = BoundName(shape, parts)
        self.results = self._declared()

    def _declared(self) -> tuple[f.Type, ...]:
        """The result types in the annotation. Raises SubsetError."""
        declared = annotation_text(self.node.returns)
        if declared == "None":
            return ()
        try:
            return tuple(ANNOTATED[x] for x in declared.removeprefix("tuple[").removesuffix("]").split(", "))
        except KeyError:
            raise SubsetError(f"{self.name} declares no results that are known: {declared}") from None

    def translate(self) -> f.Function:
        """The function in the form; translated again while a variable turns out to have another type."""
        body = self.body(self.node.body)
        while self.changed:
            self.changed = False
            body = self.body(self.node.body)
        return f.Function(
            self.name,
            tuple(self.parameters),
            self.results,
            tuple(self.variables.items()),
            body,
            apart="apart" in map(annotation_text, self.node.decorator_list),
        )

    def table(self, table: f.Table) -> f.Static:
        """See `Expressions`."""
        return self.whole.table(table.name, table)

    def function(self, ref: FunctionRef, shapes: tuple[Shape, ...]) -> tuple[str, tuple[f.Type, ...]]:
        """See `Expressions`."""
        return self.whole.function(ref, shapes)

    # ---- statements

    def body(self, nodes: Sequence[ast.stmt]) -> f.Body:
        made: list[f.Statement] = []
        for node in nodes:
            made += self.statement(node)
        return tuple(made)

    def statement(self, node: ast.stmt) -> list[f.Statement]:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return []
            case ast.Expr(ast.Call(ast.Name(name), arguments)):
                made = self.call(node, name, arguments)
                if not isinstance(made, CallResult):
                    return []
                return [f.Do(made.function, made.arguments)]
            case ast.Assign([ast.Name(name)], value):
                return self.assign(node, name, value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                return self.assign_each(node, targets, values)
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
                return [self.store(target, self.value(value))]
            case ast.AugAssign(ast.Name(name), op, value):
                return self.assign(node, name, ast.BinOp(ast.Name(name), op, value, lineno=node.lineno))
            case ast.AugAssign(ast.Subscript() as target, op, value):
                held = ast.BinOp(target, op, value, lineno=node.lineno)
                return [self.store(target, self.value(held))]
            case ast.If(test, then, other):
                condition = self.truth(test)
                if isinstance(condition, f.Const):
                    return [*self.body(then if condition.value else other)]
                return [f.If(condition, self.body(then), self.body(other))]
            case ast.While(test, inner, []):
                return [f.While(self.truth(test), self.body(inner))]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), inner, []):
                return [self.loop(name, bounds, inner)]
            case ast.Break():
                return [f.Break()]
            case ast.Continue():
                return [f.Continue()]
            case ast.Return(value):
                return [self.result(value)]
        raise self.fail(node, "not in the subset")

    def assign(self, node: ast.stmt, name: str, value: ast.expr) -> list[f.Statement]:
        if self.is_tuple(value):
            self.env[name] = self.place(node, value)
            return []
        made = self.value(value)
        return [f.Set(name, self.as_type(node, made, self.variable(node, name, made.type)))]

    def assign_each(
        self, node: ast.stmt, targets: list[ast.expr], values: list[ast.expr]
    ) -> list[f.Statement]:
        """Assign several values to as many targets at once."""
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
        """Assign the results of a call to variables; `_` drops one."""
        made = self.call(node, name, arguments)
        assert isinstance(made, CallResult)
        names: list[str | None] = []
        for target, t in zip(targets, made.results, strict=True):
            if not isinstance(target, ast.Name):
                raise self.fail(node, "results go into variables")
            names.append(None if target.id == "_" else target.id)
            if target.id != "_":
                self.variable(node, target.id, t)
        return [f.SetResults(tuple(names), made.function, made.arguments)]

    def unpack(self, node: ast.stmt, target: ast.expr, place: BoundName) -> None:
        """Bind names to the parts of a tuple."""
        if isinstance(target, ast.Name):
            self.env[target.id] = place
            return
        if not isinstance(target, ast.Tuple) or isinstance(place.shape, f.Type):
            raise self.fail(node, "not in the subset")
        at = 0
        for part, shape in zip(target.elts, place.shape, strict=True):
            size = len(flatten_shape(shape))
            self.unpack(node, part, BoundName(shape, place.parts[at : at + size]))
            at += size

    def store(self, target: ast.Subscript, value: f.Expr) -> f.Statement:
        array = self.value(target.value)
        if not array.type.is_array:
            raise self.fail(target, "no array")
        index = self.as_type(target, self.value(target.slice), f.NUMBER)
        return f.Store(array, index, self.as_type(target, value, array.type.element))

    def loop(self, name: str, bounds: list[ast.expr], inner: list[ast.stmt]) -> f.Statement:
        """A loop over a range."""
        made = [self.as_type(bound, self.value(bound), f.NUMBER) for bound in bounds]
        step = 1
        if len(made) == 3:
            step = int(ast.literal_eval(bounds[2]))
        first, last = (f.Const(f.NUMBER, 0), made[0]) if len(made) == 1 else (made[0], made[1])
        self.variable(bounds[0], name, f.NUMBER)
        return f.For(name, first, last, step, self.body(inner))

    def result(self, value: ast.expr | None) -> f.Statement:
        if value is None:
            return f.Return(())
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        made = [self.value(part) for part in parts]
        return f.Return(tuple(self.as_type(value, x, t) for x, t in zip(made, self.results, strict=True)))

    def variable(self, node: ast.AST, name: str, t: f.Type) -> f.Type:
        """The type that a variable has after an assignment of a value of type `t`."""
        for parameter, held in self.parameters:
            if parameter == name:
                return held
        before = self.variables.get(name)
        after = t if before is None else common_type(before, t)
        if after is not before:
            self.changed |= before is not None
            self.variables[name] = after
            self.env[name] = BoundName(after, (f.Local(after, name),))
        return after
