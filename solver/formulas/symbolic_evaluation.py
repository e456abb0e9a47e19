"""Symbolic evaluation of expressions, by the handlers of `operators`.

Costly nodes are memoised by their free locals and the state that they read, so an expression that is the same
in two cases is built once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from rulespec.core import nodes as n
from rulespec.core.types import Type

from .aig import FALSE, TRUE, Gates, TooWide
from .context import Binder, Env, Moment, force
from .dependencies import Dependencies
from .layout import flatten
from .operators import HANDLERS
from .operators.finite import adds_up, up_to
from .values import Symbol, SymbolicList, Union, element, single

REMEMBERED = frozenset(
    (
        n.All, n.Any, n.Sum, n.Best, n.First, n.Select, n.Image, n.Collect, n.Fold, n.Follow, n.Reach,
        n.Call, n.Can, n.After, n.Union, n.Difference, n.Intersection, n.Size, n.Top, n.Rest, n.Slice,
        n.Concat, n.Tabulate, n.Add, n.Sub, n.SetOf, n.Item,
    )
)  # fmt: skip


MOST_REMEMBERED = 400_000
"""Maximum number of memoised values, without items of lists."""


OpenCall = tuple[n.Function, tuple[tuple[Type, tuple[int, ...]], ...]]
"""A definition, and the types and literals of its arguments and of the variables that it reads."""


class SymbolicEvaluator:
    """Evaluates expressions of one game into one set of gates. Raises TooWide if that leads to too many.

    A `loose` one leaves recursive definitions open, with the same literal for the same arguments: if
    something is impossible then, it is impossible anyway.
    """

    def __init__(self, gates: Gates, facts: Dependencies, loose: bool = False) -> None:
        self.gates, self.facts, self.loose = gates, facts, loose
        self.loosened = False
        """True if anything was left open."""
        self._items = 0
        self._memory: dict[Any, tuple[Symbol, Any]] = {}
        self.opened: dict[OpenCall, int] = {}
        """The calls that were left open, each with its literal."""
        self._names: dict[n.Expr, tuple[tuple[n.Var, ...], tuple[n.StateVar, ...]]] = {}
        """The local names and the variables that an expression reads."""

    def __call__(self, e: n.Expr, env: Env, at: Moment) -> Symbol:
        """The symbolic value of an expression."""
        kind = type(e)
        if kind not in REMEMBERED:
            return HANDLERS[kind](self, e, env, at)
        key, read = self._key(e, None, env, at)
        known = self._memory.get(key)
        return self._remember(e, key, read, HANDLERS[kind](self, e, env, at)) if known is None else known[0]

    def up_to(self, most: int, e: n.Expr, env: Env, at: Moment) -> Union:
        """The symbolic value of a number; a value beyond `most` may become `most + 1`."""
        if not adds_up(e):
            return cast(Union, self(e, env, at))
        key, read = self._key(e, most, env, at)
        known = self._memory.get(key)
        result = self._remember(e, key, read, up_to(self, most, e, env, at)) if known is None else known[0]
        return cast(Union, result)

    def _key(self, e: n.Expr, most: int | None, env: Env, at: Moment) -> tuple[Any, list[Symbol]]:
        """A key of an expression with the values that it reads, and these, which must stay alive with it."""
        names = self._names.get(e)
        if names is None:
            names = self._names[e] = self.facts.free(e), (*self.facts.reads(e),)
        state = at.state
        read = [force(env, name) for name in names[0]]
        read += [state[variable] for variable in names[1]]
        return (e, most, *[x if type(x) is int else id(x) for x in read]), read

    def _remember(self, e: n.Expr, key: Any, read: list[Symbol], result: Symbol) -> Symbol:
        """Memoise a result with the symbols that it read. Raises TooWide after too many."""
        self._items += type(e) is n.Item
        if len(self._memory) - self._items > MOST_REMEMBERED:
            raise TooWide(f"more than {MOST_REMEMBERED:,} values to work out")
        self._memory[key] = result, read
        return result

    def left_open(self, call: n.Call, args: Sequence[Symbol], at: Moment) -> int:
        """A free literal for the value of a definition with some arguments."""
        self.loosened = True
        given = [(e.type, x) for e, x in zip(call.args, args, strict=True)]
        read = sorted(self.facts.reads(call.function), key=lambda var: var.name)
        given += [(var.type, at.state[var]) for var in read]
        key = (call.function, tuple((t, tuple(flatten(t, x))) for t, x in given))
        if key not in self.opened:
            self.opened[key] = self.gates.free()
        return self.opened[key]

    def elements(self, e: n.Expr, env: Env, at: Moment) -> Iterator[tuple[Symbol, int]]:
        """The elements of a set or list, each with the condition of its membership."""
        for item in self._elements(e, env, at):
            self.gates.tick()
            yield item

    def _elements(self, e: n.Expr, env: Env, at: Moment) -> Iterator[tuple[Symbol, int]]:
        """Yield the possible elements of a collection, each with the condition that it is one."""
        if type(e) is n.Domain:
            for value in e.of.values:
                yield element(e.of, value), TRUE
            return
        source, of = self(e, env, at), cast(Any, e.type).of
        if isinstance(source, SymbolicList) and source.apart is not None:
            for item, there in source.apart:
                yield single(of, item), there
        elif isinstance(source, SymbolicList):
            for item, there in zip(source.items, source.longer(self.gates), strict=True):
                yield single(of, item), there
        else:
            for value in sorted(source):
                yield element(of, value), source[value]

    def bodies(self, e: Binder, env: Env, at: Moment) -> Iterator[tuple[Symbol, int, Symbol]]:
        """Yield each possible element, the condition that it is one, and the body's value for it."""
        inner = dict(env)
        for item, guard in self.elements(e.source, env, at):
            if guard != FALSE:
                inner[e.var] = item
                yield item, guard, self(e.body, inner, at)
