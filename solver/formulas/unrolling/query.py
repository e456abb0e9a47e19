"""Queries: gates sent to an engine incrementally; each question is about all clauses so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

from rulespec.core.types import List, Map, Set, Truth, Type, Value

from ..aig import FALSE, TRUE, Gates, tseitin_clauses
from ..clauses import Clauses
from ..values import Symbol, SymbolicList


class Oracle(Protocol):
    """Answers questions like an engine."""

    @property
    def name(self) -> str:
        """The name of the answering engine, with its version."""

    def session(self) -> Any:
        """A fresh solver: `add(clauses)`, `solve(assumptions, seconds)`, `model()`."""


@runtime_checkable
class AnnotatedSession(Protocol):
    """A session that is notified of the meaning of each refutation."""

    def note_refutation(self, query: Query, demanded: Sequence[int], one_of: Sequence[int]) -> None:
        """Note that everything required, these literals, and one of `one_of` if given, are contradictory."""


class Query:
    """Questions about growing gates. `meanings` describes the variables for readers."""

    def __init__(self, gates: Gates, engine: Oracle, meanings: Callable[[], dict[int, str]] = dict) -> None:
        self.gates, self._engine, self.meanings = gates, engine, meanings
        self._session: Any = None
        self._sent = (2, 0)

    def clauses(self) -> Clauses:
        """The clauses made since the last call."""
        first, demanded = self._sent
        fresh = tseitin_clauses(self.gates, first) + Clauses.of(self.gates.clauses[demanded:])
        self._sent = (len(self.gates.inputs), len(self.gates.clauses))
        return Clauses.of([(TRUE,)]) + fresh if first == 2 else fresh

    def solve(
        self, demanded: Iterable[int], seconds: float | None, one_of: Iterable[int] | None = None
    ) -> bool | None:
        """True if the requirements, these literals and one of `one_of` can hold together; None if time ran
        out."""
        asked = [x for x in demanded if x != TRUE]
        choice = None if one_of is None else [x for x in one_of if x != FALSE]
        if FALSE in asked or choice == [] or () in self.gates.clauses:
            return False
        if self._session is None:
            self._session = self._engine.session()
        self._session.add(self.clauses())
        either = () if choice is None or TRUE in choice else choice
        answer: bool | None = self._session.solve(asked, seconds, either)
        if answer is False and isinstance(self._engine, AnnotatedSession):
            self._engine.note_refutation(self, asked, either)
        return answer

    @property
    def model(self) -> set[int]:
        """The true variables in the last model."""
        result: set[int] = self._session.model()
        return result


def is_true(literal: int, true: set[int]) -> bool:
    """True if a literal is true in a model."""
    return literal == TRUE or literal in true or (literal < 0 and literal != FALSE and -literal not in true)


def value_in(t: Type, symbol: Symbol, true: set[int]) -> Value:
    """The value of a symbolic value in a model."""
    if isinstance(t, Truth):
        return is_true(symbol, true)
    if isinstance(t, Set):
        return frozenset(v for v, lit in symbol.items() if is_true(lit, true))
    if isinstance(t, Map):
        return tuple(value_in(t.of, symbol[key], true) for key in t.keys.values)
    if isinstance(t, List):
        assert isinstance(symbol, SymbolicList)
        size = next(s for s, lit in symbol.size.items() if is_true(lit, true))
        return tuple(next(v for v, lit in item.items() if is_true(lit, true)) for item in symbol.items[:size])
    return next(v for v, lit in symbol.items() if is_true(lit, true))
