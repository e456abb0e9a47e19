"""Inlining: calls replaced by the bodies of functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from .. import form as f
from ..rewriting import Rewriter
from ..traversal import CALLS, LOOPS, PARTS, node_index

SMALL = {False: 500, True: 1500}
"""Maximum size in nodes of functions inlined at every call: at ordinary calls, and at calls in loops."""
LARGE = 1500
"""Maximum size in nodes of functions inlined at their only call."""
TINY = 80
"""Maximum size in nodes of functions with several results that are inlined."""


def inline_calls(module: f.Module) -> f.Module:
    """The module with calls inlined, and without functions that are no longer called."""
    return _InliningPlan(module).module_of_entries()


class _InliningPlan:
    """The decisions for all functions of a module, at calls inside and outside of loops."""

    def __init__(self, module: f.Module) -> None:
        self.module = module
        bodies = {name: x.body if node_index(x).calls else () for name, x in module.functions.items()}
        self.sites = {name: Counter(call_sites(body, False)) for name, body in bodies.items()}
        self.times: Counter[str] = Counter()
        for held in self.sites.values():
            for (called, _), number in held.items():
                self.times[called] += number
        self.chosen: dict[bool, set[str]] = {False: set(), True: set()}
        self._choose()

    def _choose(self) -> None:
        """Choose the functions to inline, which are not recursive."""
        sizes: dict[tuple[str, bool], int] = {}
        apart = {name for name, x in self.module.functions.items() if x.apart}  # where a way round ends
        sites = self.sites.items()
        calls = {x: dict.fromkeys(called for called, _ in held if called not in apart) for x, held in sites}
        for name in _callees_first(calls):
            function = self.module.functions[name]
            own = len(node_index(function).nodes)
            for hot in (False, True):
                size = own
                for (called, looped), number in self.sites[name].items():
                    if called in self.chosen[hot or looped]:
                        size += sizes[called, hot or looped] * number
                sizes[name, hot] = size
                only = self.times[name] == 1 and name not in self.module.entries
                most = max(SMALL[hot], LARGE) if only else SMALL[hot]
                if size <= (TINY if len(function.results) > 1 else most) and not function.apart:
                    self.chosen[hot].add(name)

    def module_of_entries(self) -> f.Module:
        """The module with only the functions that are still called."""
        held: dict[str, f.Function] = {}
        waiting = [*self.module.entries]
        while waiting:
            name = waiting.pop()
            if name not in held:
                inliner = _Inliner(self.module, self.chosen, self.module.functions[name])
                held[name] = inliner.function()
                waiting += inliner.called
        functions = {name: held[name] for name in self.module.functions if name in held}
        return replace(self.module, functions=functions)


def call_sites(body: f.Body, looped: bool) -> list[tuple[str, bool]]:
    """The functions that a body calls, each with True if a loop of the body repeats the call."""
    found: list[tuple[str, bool]] = []
    _find_sites(body, looped, found)
    return found


def _find_sites(nodes: Iterable[Any], looped: bool, found: list[tuple[str, bool]]) -> None:
    """Add the functions that nodes call to `found`, each with True if called in a loop."""
    for node in nodes:
        kind = type(node)
        if kind in CALLS:
            found.append((node.function, looped))
        get = PARTS.get(kind)
        if get is not None:
            _find_sites(get(node), looped or kind in LOOPS, found)


def _callees_first(calls: Mapping[str, Iterable[str]]) -> list[str]:
    """The non-recursive functions, each after those that it calls."""
    done: dict[str, bool] = {}
    order: list[str] = []

    def visit(name: str, above: frozenset[str]) -> bool:
        """True if no cycle of calls is found."""
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
    """Inlines calls within one function, also in inlined bodies."""

    def __init__(self, module: f.Module, chosen: Mapping[bool, Set[str]], of: f.Function) -> None:
        self.module, self.chosen, self.of = module, chosen, of
        self.hot = False
        """True inside a loop."""
        self.variables = dict(of.variables)
        self.given: Mapping[str, f.Expr] = {}
        """The replacements for names of the function being inlined; its other names stay."""
        self.called: set[str] = set()
        """The functions that the result still calls."""
        self.calls = 0

    def function(self) -> f.Function:
        """The function after inlining."""
        body = self.body(self.of.body)
        return replace(self.of, variables=tuple(self.variables.items()), body=body)

    def expr(self, node: f.Expr) -> f.Expr:
        if type(node) is f.Local:
            return self.given.get(node.name, node)
        body = self._inlined_body(node.function, node.arguments) if type(node) is f.Call else None
        if body is None:
            made: f.Expr = self.parts(node)
            return made
        if len(body) == 1 and isinstance(body[0], f.Return):
            return body[0].values[0]
        return f.Block(node.type, body)

    def statement(self, node: f.Statement) -> f.Body:
        match node:
            case f.Set(name, value):
                made = self.expr(value)
                given = self._name(name)
                return (node if made is value and given == name else f.Set(given, made),)
            case f.Do() | f.SetResults():
                return (self._inline_call(node),)
            case f.SetMany(names, values):
                return (f.SetMany(tuple(map(self._name, names)), self.each(values)),)
            case f.While() | f.For():
                hot, self.hot = self.hot, True
                loop = self.parts(node)
                self.hot = hot
                return (replace(loop, name=self._name(loop.name)) if isinstance(loop, f.For) else loop,)
        return (self.parts(node),)

    def _inline_call(self, node: f.Do | f.SetResults) -> f.Statement:
        """A call whose results are ignored or assigned to variables."""
        names = (
            tuple(name and self._name(name) for name in node.names) if isinstance(node, f.SetResults) else ()
        )
        body = self._inlined_body(node.function, node.arguments)
        if body is None:
            arguments = self.each(node.arguments)
            return f.SetResults(names, node.function, arguments) if names else f.Do(node.function, arguments)
        results = self.module.functions[node.function].results
        if not results:
            return f.Run(body)
        if len(results) > 1:
            given = names or (None,) * len(results)
            held = [name or self._variable("left", t) for name, t in zip(given, results, strict=True)]
            return f.Run(_assigning(body, tuple(held)))
        name = names[0] if names else None
        return f.Set(name or self._variable("left", results[0]), f.Block(results[0], body))

    def _name(self, name: str) -> str:
        """The new name of an assigned variable."""
        held = self.given.get(name)
        return held.name if isinstance(held, f.Local) else name

    def _variable(self, name: str, t: f.Type) -> str:
        """A new variable of a type."""
        name = f"{name}.{self.calls}"
        while name in self.variables:
            name += "_"
        self.variables[name] = t
        return name

    def _inlined_body(self, name: str, arguments: Sequence[f.Expr]) -> f.Body | None:
        """The body of a function for given arguments; None if the call stays."""
        if name not in self.chosen[self.hot]:
            self.called.add(name)
            return None
        function = self.module.functions[name]
        changed = node_index(function).names
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
        around, self.given = self.given, given
        body = self.body(function.body)
        self.given = around
        return (*before, *body)


def _assigning(body: f.Body, names: tuple[str, ...]) -> f.Body:
    """A body that assigns its results to variables before it is left."""
    made: list[f.Statement] = []
    for x in body:
        match x:
            case f.Return(values):
                made += f.SetMany(names, values), f.Return(())
            case f.If(condition, then, other):
                made.append(f.If(condition, _assigning(then, names), _assigning(other, names)))
            case f.While() | f.For():
                made.append(replace(x, body=_assigning(x.body, names)))
            case _:
                made.append(x)
    return tuple(made)
