"""Functions beside the rules of a game in the same code, such as those of a page that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from ..core import nodes as n
from .bindings import Val
from .body import Body, Functions
from .move_generation.action_rows import ActionRows


class Extension(Protocol):
    """A part of the code that follows from a game, but is not needed to play it."""

    @property
    def name(self) -> str:
        """A name that no other part has."""

    def roots(self) -> Iterable[n.Expr]:
        """The expressions whose types and definitions the code must know."""

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write the functions; TooLarge where that cannot be done."""


@runtime_checkable
class DrawExtension(Protocol):
    """A further part that does something with each outcome of chance."""

    def drawn(self, body: Body, val: Val) -> None:
        """Write what is done with an outcome."""
