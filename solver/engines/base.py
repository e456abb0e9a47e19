"""The interface of an engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class NoEngine(RuntimeError):
    """No engine of that name is installed; the text says what to install."""


class Session(Protocol):
    """One growing set of clauses."""

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """True if the clauses can hold with these literals true, and one of `one_of` if there are any.

        None if the time ran out.
        """

    def model(self) -> set[int]:
        """The variables that are true in the last model."""
