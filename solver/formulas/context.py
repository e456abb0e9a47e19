"""The context of symbolic evaluation: local names, and one moment of a play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from rulespec.core import nodes as n

from .aig import Gates
from .dependencies import Dependencies
from .values import Symbol, Union

Env = dict[n.Var, Symbol]
Handler = Callable[..., Symbol]
Binder = n.All | n.Any | n.Sum | n.Best | n.First | n.Select | n.Image | n.Collect
"""An expression whose body is evaluated for each element of its source."""


class Lazy:
    """A value that is computed on demand."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Symbol]) -> None:
        self._make: Callable[[], Symbol] | None = make
        self._made: Symbol = None

    def get(self) -> Symbol:
        """The value."""
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made


class Moment:
    """A symbolic state, and the object that answers `can` in it."""

    __slots__ = ("can", "state")

    def __init__(self, state: dict[n.StateVar, Symbol], can: Callable[..., int] | None = None) -> None:
        self.state = state
        self.can = can


def force(env: Env, var: n.Var) -> Symbol:
    """The value of a local name, computed on first use."""
    value = env[var]
    return value.get() if type(value) is Lazy else value


class Evaluator(Protocol):
    """The evaluator that handlers of operators use; see `SymbolicEvaluator`."""

    gates: Gates
    facts: Dependencies
    loose: bool

    def __call__(self, e: n.Expr, env: Env, at: Moment) -> Symbol: ...
    def up_to(self, most: int, e: n.Expr, env: Env, at: Moment) -> Union: ...
    def left_open(self, call: n.Call, args: Sequence[Symbol], at: Moment) -> int: ...
    def elements(self, e: n.Expr, env: Env, at: Moment) -> Iterator[tuple[Symbol, int]]: ...
    def bodies(self, e: Binder, env: Env, at: Moment) -> Iterator[tuple[Symbol, int, Symbol]]: ...
