"""Functions whose bodies are put in the place of their calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from . import form as f
from .rewriting import Rewriter
from .walking import names_set, nodes_of

SMALL = 500
"""A function of at most so many nodes is put in the place of every call."""
LARGE = 1500
"""One of at most so many, in the place of its only call."""


def inlined(module: f.Module) -> f.Module:
    """The module with calls replaced by bodies, and without functions that nothing calls then."""
    calls = {
        name: Counter(n.function for n in nodes_of(x.body) if isinstance(n, f.Call | f.Do | f.SetResults))
        for name, x in module.functions.items()
    }
    chosen = _to_inline(module, calls)
    functions: dict[str, f.Function] = {}
    changed: dict[str, set[str]] = {}
    order = [name for name in _inside_out(calls) if name in module.functions]
    for name in [*order, *(name for name in module.functions if name not in order)]:
        made = functions[name] = _Inliner(module.functions[name], functions, changed, chosen).function()
        if name in chosen:
            changed[name] = names_set(nodes_of(made.body))
    held = {name: x for name, x in functions.items() if name not in chosen or name in module.entries}
    return replace(module, functions=held)


def _to_inline(module: f.Module, calls: Mapping[str, Counter[str]]) -> frozenset[str]:
    """The functions without several results and without loops of calls whose bodies replace their calls."""
    times: Counter[str] = Counter()
    for called in calls.values():
        times.update(called)
    chosen: set[str] = set()
    sizes: dict[str, int] = {}
    for name in _inside_out(calls):
        function = module.functions[name]
        sizes[name] = len(nodes_of(function.body))
        sizes[name] += sum(sizes[c] * k for c, k in calls[name].items() if c in chosen)
        most = LARGE if times[name] == 1 and name not in module.entries else SMALL
        if sizes[name] <= most and len(function.results) <= 1 and not function.apart:
            chosen.add(name)
    return frozenset(chosen)


def _inside_out(calls: Mapping[str, Counter[str]]) -> list[str]:
    """The functions that do not come to call themselves, each after those that it calls."""
    done: dict[str, bool] = {}
    order: list[str] = []

    def visit(name: str, above: frozenset[str]) -> bool:
        """True if no call comes round."""
        if name in above:
            return False
        if name not in done:
            done[name] = not [0 for other in calls[name] if not visit(other, above | {name})]
            if done[name]:
                order.append(name)
        return done[name]

    for name in calls:
        visit(name, frozenset())
    return order


class _Inliner(Rewriter):
    """Puts bodies in the place of calls within one function."""

    def __init__(
        self,
        of: f.Function,
        functions: Mapping[str, f.Function],
        changed: Mapping[str, set[str]],
        chosen: frozenset[str],
    ) -> None:
        self.of, self.functions, self.changed, self.chosen = of, functions, changed, chosen
        self.variables = dict(of.variables)
        self.calls = 0

    def function(self) -> f.Function:
        """The function with the bodies."""
        body = self.body(self.of.body)
        return replace(self.of, variables=tuple(self.variables.items()), body=body)

    def expr(self, node: f.Expr) -> f.Expr:
        if isinstance(node, f.Call) and node.function in self.chosen:
            body = self._placed(node.function, node.arguments)
            if len(body) == 1 and isinstance(body[0], f.Return):
                return body[0].values[0]
            return f.Block(node.type, body)
        return super().expr(node)

    def statement(self, node: f.Statement) -> f.Body:
        if isinstance(node, f.Do | f.SetResults) and node.function in self.chosen:
            body = self._placed(node.function, node.arguments)
            results = self.functions[node.function].results
            if not results:
                return (f.Run(body),)
            name = node.names[0] if isinstance(node, f.SetResults) else None
            return (f.Set(name or self._variable("left", results[0]), f.Block(results[0], body)),)
        return super().statement(node)

    def _variable(self, name: str, t: f.Type) -> str:
        """A variable of a type, with a name of its own."""
        name = f"{name}.{self.calls}"
        while name in self.variables:
            name += "_"
        self.variables[name] = t
        return name

    def _placed(self, name: str, arguments: Sequence[f.Expr]) -> f.Body:
        """The body of a function for some arguments."""
        function = self.functions[name]
        self.calls += 1
        changed = self.changed[name]
        given: dict[str, f.Expr] = {}
        before: list[f.Statement] = []
        for (parameter, t), argument in zip(function.parameters, map(self.expr, arguments), strict=True):
            if isinstance(argument, f.Local | f.Const | f.Static) and parameter not in changed:
                given[parameter] = argument
                continue
            held = self._variable(parameter, t)
            before.append(f.Set(held, argument))
            given[parameter] = f.Local(t, held)
        for variable, t in function.variables:
            given[variable] = f.Local(t, self._variable(variable, t))
        return (*before, *_Renaming(given).body(function.body))


class _Renaming(Rewriter):
    """Puts expressions in the place of parameters and variables."""

    def __init__(self, given: Mapping[str, f.Expr]) -> None:
        self.given = given

    def expr(self, node: f.Expr) -> f.Expr:
        return self.given[node.name] if isinstance(node, f.Local) else self.parts(node)

    def name(self, name: str) -> str:
        """The new name of a variable that is set."""
        held = self.given[name]
        assert isinstance(held, f.Local)
        return held.name

    def statement(self, node: f.Statement) -> f.Body:
        made = self.parts(node)
        if isinstance(made, f.Set | f.For):
            return (replace(made, name=self.name(made.name)),)
        if isinstance(made, f.SetMany):
            return (replace(made, names=tuple(map(self.name, made.names))),)
        if isinstance(made, f.SetResults):
            return (replace(made, names=tuple(x and self.name(x) for x in made.names)),)
        return (made,)
