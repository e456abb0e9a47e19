"""Functions beside the rules of a game in the same code, such as those of a page that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..core import nodes as n
from .body import Functions
from .rows import Rows


class Further(Protocol):
    """A part of the code that follows from a game, but is not needed to play it."""

    @property
    def name(self) -> str:
        """A name that no other part has."""

    def roots(self) -> Iterable[n.Expr]:
        """The expressions whose types and definitions the code must know."""

    def write(self, functions: Functions, rows: Rows) -> None:
        """Write the functions; TooLarge where that cannot be done."""
