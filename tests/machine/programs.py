"""Small random programs of the form: loops, calls, branches, and elements of arrays asked in every way."""

from __future__ import annotations

from hypothesis import strategies as st

from rulespec.machine import form as f

SIZE = 5
"""Every array has so many elements."""
ARRAYS = {"s": f.NUMBERS, "t": f.NUMBERS, "b": f.WORDS}
LEAST = (("s", 4), ("b", 3))
LOCALS = {"x": f.NUMBER, "y": f.NUMBER, "v": f.WORD, "w": f.WORD}
TABLES = {
    "shifts": f.Table("shifts", f.WORDS, [1 << i for i in range(8)]),
    "other": f.Table("other", f.NUMBERS, [2, 1, 0, -1, -2]),
    "odd": f.Table("odd", f.NUMBERS, [3, 1, 4, 1, 5]),
}
ROOMS = {"room": f.Room("room", f.NUMBERS, SIZE, first=7)}
PARAMETERS = (*ARRAYS.items(), ("n", f.NUMBER))
NUMBERS = st.integers(-3, 9) | st.sampled_from([1 << 40, -(1 << 63)])


def number(value: int) -> f.Const:
    return f.Const(f.NUMBER, value)


class Programs:
    """Draws the parts of a module."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.functions: dict[str, f.Function] = {}
        self.counters = 0
        self.variables: dict[str, f.Type] = {}
        self.results: tuple[f.Type, ...] = ()

    def module(self) -> f.Module:
        """A module with the entry `run` and functions that it may call."""
        for i in range(self.draw(st.sampled_from([1, 0, 2]))):
            name = f"part{i}"
            results = self.draw(st.sampled_from([(), (f.NUMBER,), (f.NUMBER, f.NUMBER)]))
            self.functions[name] = self.function(name, results, apart=self.draw(st.booleans()))
        self.functions["run"] = self.function("run", (f.NUMBER,), apart=False)
        return f.Module(dict(self.functions), dict(TABLES), dict(ROOMS), ("run",))

    def function(self, name: str, results: tuple[f.Type, ...], apart: bool) -> f.Function:
        self.variables, self.results = dict(LOCALS), results
        begun = tuple(f.Set(name, f.Const(t, 1)) for name, t in LOCALS.items())
        self.variables["turn"] = f.NUMBER
        around = f.For("turn", number(0), number(self.draw(st.integers(1, 3))), 1, self.body(2, 1))
        body = (*begun, *self.body(1, 0), around) if self.draw(st.booleans()) else (*begun, around)
        end = f.Return(tuple(self.value(f.NUMBER, 1) for _ in results))
        least = LEAST if name == "run" or self.draw(st.booleans()) else ()
        variables = tuple(self.variables.items())
        return f.Function(name, PARAMETERS, results, variables, (*body, end), apart, least=least)

    def body(self, depth: int, loops: int) -> f.Body:
        made: list[f.Statement] = []
        for _ in range(self.draw(st.integers(1, 4))):
            made += self.statement(depth, loops)
        return tuple(made)

    def statement(self, depth: int, loops: int) -> list[f.Statement]:
        kinds = ["store", "store", "store", "set", "swap"] + ["do", "results"] * bool(self.functions)
        kinds += (
            ["if", "for", "while", "for"] * (depth > 0) + ["break", "continue"] * (loops > 0) + ["return"]
        )
        kind = self.draw(st.sampled_from(kinds))
        if kind == "store":
            array = self.array()
            index, within = self.index(array)
            return [f.Store(array, index, self.value(array.type.element, 2), within)]
        if kind == "set":
            name = self.draw(st.sampled_from(sorted(LOCALS)))
            return [f.Set(name, self.value(LOCALS[name], 2))]
        if kind == "swap":
            return [f.SetMany(("x", "y"), (self.value(f.NUMBER, 1), self.value(f.NUMBER, 1)))]
        if kind in ("do", "results"):
            name = self.draw(st.sampled_from(sorted(self.functions)))
            results = self.functions[name].results
            if kind == "do" or not results:
                return [f.Do(name, self.arguments())]
            return [f.SetResults(("x", None)[: len(results)], name, self.arguments())]
        if kind == "if":
            return [f.If(self.truth(2), self.body(depth - 1, loops), self.body(depth - 1, loops))]
        if kind == "return":
            leaving = f.Return(tuple(self.value(f.NUMBER, 1) for _ in self.results))
            return [f.If(self.truth(1), (leaving,), ())]
        if kind in ("break", "continue"):
            jump: f.Statement = f.Break() if kind == "break" else f.Continue()
            return [f.If(self.truth(1), (jump,), ())]
        self.counters += 1
        counter = f"i{self.counters}"
        self.variables[counter] = f.NUMBER
        if kind == "for":
            some = f.Binary(f.NUMBER, "&", self.value(f.NUMBER, 1), number(3))
            first, last = number(self.draw(st.integers(0, 1))), self.draw(st.sampled_from([number(3), some]))
            step = self.draw(st.sampled_from([1, 1, 2]))
            return [f.For(counter, first, last, step, self.body(depth - 1, loops + 1))]
        more = f.Set(counter, f.Binary(f.NUMBER, "+", f.Local(f.NUMBER, counter), number(1)))
        condition: f.Expr = f.Compare("<", f.Local(f.NUMBER, counter), number(3))
        if self.draw(st.booleans()):
            condition = f.Both(condition, self.truth(1))
        return [f.Set(counter, number(0)), f.While(condition, (more, *self.body(depth - 1, loops + 1)))]

    def array(self) -> f.Expr:
        name = self.draw(st.sampled_from(["s", "s", "b", "b", "t", "room"]))
        return f.Static(f.NUMBERS, name) if name in ROOMS else f.Local(ARRAYS[name], name)

    def index(self, array: f.Expr) -> tuple[f.Expr, f.Span | None]:
        kind = self.draw(st.sampled_from(["known", "known", "within", "within", "any"]))
        if kind == "known":
            return number(self.draw(st.integers(0, 3))), None
        if kind == "any":
            return f.Binary(f.NUMBER, "&", self.value(f.NUMBER, 1), number(3)), None
        first = self.draw(st.integers(0, 2))
        bit = f.Binary(f.NUMBER, "&", self.value(f.NUMBER, 1), number(1))
        return f.Binary(f.NUMBER, "+", bit, number(first)), (first, 2)

    def arguments(self) -> tuple[f.Expr, ...]:
        pairs = ("s", "t"), ("t", "s"), ("s", "s"), ("room", "s"), ("t", "room")
        pair = self.draw(st.sampled_from(pairs))
        arrays = [f.Static(f.NUMBERS, x) if x in ROOMS else f.Local(f.NUMBERS, x) for x in pair]
        return (*arrays, f.Local(f.WORDS, "b"), self.value(f.NUMBER, 1))

    def truth(self, depth: int) -> f.Expr:
        kinds = ["compare", "compare", "both", "either", "not"]
        kind = self.draw(st.sampled_from(kinds)) if depth else "compare"
        if kind == "not":
            return f.Negate(self.truth(depth - 1))
        if kind in ("both", "either"):
            return (f.Both if kind == "both" else f.Either)(self.truth(depth - 1), self.truth(depth - 1))
        t = self.draw(st.sampled_from([f.NUMBER, f.WORD]))
        op = self.draw(st.sampled_from(["==", "!=", "<", "<="]))
        return f.Compare(op, self.value(t, depth), self.value(t, depth))

    def value(self, t: f.Type, depth: int) -> f.Expr:
        kinds = ["const", "local", "load"]
        if depth:
            kinds += ["load", "load", "binary", "choose", "convert", "table"]
            kinds += ["call"] * any(x.results == (f.NUMBER,) for x in self.functions.values())
        kind = self.draw(st.sampled_from(kinds))
        if kind == "const":
            value = self.draw(NUMBERS)
            return f.Const(t, value if t is f.NUMBER else value & ((1 << 64) - 1))
        if kind == "local":
            return f.Local(t, self.draw(st.sampled_from(["x", "y", "n"] if t is f.NUMBER else ["v", "w"])))
        if kind == "load":
            array = self.array()
            index, within = self.index(array)
            return self.converted(t, f.Load(array.type.element, array, index, within))
        if kind == "binary":
            op = self.draw(st.sampled_from("+ - * & | ^".split()))
            return f.Binary(t, op, self.value(t, depth - 1), self.value(t, depth - 1))
        if kind == "choose":
            return f.Choose(t, self.truth(depth - 1), self.value(t, depth - 1), self.value(t, depth - 1))
        if kind == "table":
            table = TABLES[self.draw(st.sampled_from(sorted(TABLES)))]
            at = f.Binary(f.NUMBER, "&", self.value(f.NUMBER, depth - 1), number(3))
            return self.converted(t, f.Load(table.type.element, f.Static(table.type, table.name), at))
        if kind == "call":
            names = sorted(name for name, x in self.functions.items() if x.results == (f.NUMBER,))
            return self.converted(t, f.Call(f.NUMBER, self.draw(st.sampled_from(names)), self.arguments()))
        return self.converted(t, self.truth(depth - 1))

    def converted(self, t: f.Type, value: f.Expr) -> f.Expr:
        return value if value.type is t else f.Convert(t, value)


@st.composite
def modules(draw: st.DrawFn) -> f.Module:
    """A module with the entry `run` of two arrays of numbers, one of words, and a number."""
    return Programs(draw).module()
