"""Functions whose bodies are put in the place of their calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import form as f
from .rewriting import Rewriter
from .walking import CALLS, LOOPS, names_set, nodes_of, parts_of

SMALL = {False: 500, True: 1500}
"""A function of at most so many nodes is put in the place of every call: of every other, and of one that
loops repeat."""
LARGE = 1500
"""One of at most so many, in the place of its only call."""


def inlined(module: f.Module) -> f.Module:
    """The module with calls replaced by bodies, and without functions that nothing calls then."""
    return _Inlining(module).module_of_entries()


class _Inlining:
    """The decisions for all functions of a module, and their bodies, where loops repeat the call and where
    none does.
    """

    def __init__(self, module: f.Module) -> None:
        self.module = module
        self.sites = {name: Counter(sites(x.body, False)) for name, x in module.functions.items()}
        self.times: Counter[str] = Counter()
        for held in self.sites.values():
            for (called, _), number in held.items():
                self.times[called] += number
        self.chosen: dict[bool, set[str]] = {False: set(), True: set()}
        self._choose()
        self.bodies: dict[tuple[str, bool], tuple[f.Function, set[str]]] = {}

    def _choose(self) -> None:
        """Choose functions without several results, and without loops of calls."""
        sizes: dict[tuple[str, bool], int] = {}
        apart = {name for name, x in self.module.functions.items() if x.apart}  # where a way round ends
        calls = {
            name: dict.fromkeys(called for called, _ in held if called not in apart)
            for name, held in self.sites.items()
        }
        for name in _inside_out(calls):
            function = self.module.functions[name]
            own = len(nodes_of(function.body))
            for hot in (False, True):
                size = own
                for (called, looped), number in self.sites[name].items():
                    if called in self.chosen[hot or looped]:
                        size += sizes[called, hot or looped] * number
                sizes[name, hot] = size
                only = self.times[name] == 1 and name not in self.module.entries
                most = max(SMALL[hot], LARGE) if only else SMALL[hot]
                if size <= most and len(function.results) <= 1 and not function.apart:
                    self.chosen[hot].add(name)

    def body(self, name: str, hot: bool) -> tuple[f.Function, set[str]]:
        """A function with bodies in the place of calls, and the names that it sets; `hot`: in a loop."""
        if (name, hot) not in self.bodies:
            made = _Inliner(self, self.module.functions[name], hot).function()
            self.bodies[name, hot] = made, names_set(nodes_of(made.body))
        return self.bodies[name, hot]

    def module_of_entries(self) -> f.Module:
        """The module with the functions that calls still reach."""
        held: dict[str, f.Function] = {}
        waiting = [*self.module.entries]
        while waiting:
            name = waiting.pop()
            if name not in held:
                held[name] = self.body(name, False)[0]
                waiting += [called for called, _ in sites(held[name].body, False)]
        functions = {name: held[name] for name in self.module.functions if name in held}
        return replace(self.module, functions=functions)


def sites(body: f.Body, looped: bool) -> Iterator[tuple[str, bool]]:
    """The functions that a body calls, and of each call whether a loop of the body repeats it."""
    waiting: list[tuple[Any, bool]] = [(node, looped) for node in reversed(body)]
    while waiting:
        node, looped = waiting.pop()
        kind = type(node)
        looped = looped or kind in LOOPS
        if kind in CALLS:
            yield node.function, looped
        waiting += [(part, looped) for part in reversed(parts_of(node))]


def _inside_out(calls: Mapping[str, Iterable[str]]) -> list[str]:
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

    def __init__(self, whole: _Inlining, of: f.Function, hot: bool) -> None:
        self.whole, self.of, self.hot = whole, of, hot
        self.variables = dict(of.variables)
        self.calls = 0

    def function(self) -> f.Function:
        """The function with the bodies."""
        body = self.body(self.of.body)
        return replace(self.of, variables=tuple(self.variables.items()), body=body)

    def expr(self, node: f.Expr) -> f.Expr:
        if isinstance(node, f.Call) and node.function in self.whole.chosen[self.hot]:
            body = self._placed(node.function, node.arguments)
            if len(body) == 1 and isinstance(body[0], f.Return):
                return body[0].values[0]
            return f.Block(node.type, body)
        return super().expr(node)

    def statement(self, node: f.Statement) -> f.Body:
        if isinstance(node, f.Do | f.SetResults) and node.function in self.whole.chosen[self.hot]:
            body = self._placed(node.function, node.arguments)
            results = self.whole.module.functions[node.function].results
            if not results:
                return (f.Run(body),)
            name = node.names[0] if isinstance(node, f.SetResults) else None
            return (f.Set(name or self._variable("left", results[0]), f.Block(results[0], body)),)
        if isinstance(node, f.While | f.For):
            hot, self.hot = self.hot, True
            made = super().statement(node)
            self.hot = hot
            return made
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
        function, changed = self.whole.body(name, self.hot)
        self.calls += 1
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
        if type(node) is f.Set:
            return (f.Set(self.name(node.name), self.expr(node.value)),)
        made = self.parts(node)
        if isinstance(made, f.For):
            return (replace(made, name=self.name(made.name)),)
        if isinstance(made, f.SetMany):
            return (replace(made, names=tuple(map(self.name, made.names))),)
        if isinstance(made, f.SetResults):
            return (replace(made, names=tuple(x and self.name(x) for x in made.names)),)
        return (made,)
