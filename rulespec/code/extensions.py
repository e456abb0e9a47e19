"""Functions compiled with the rules of a game, such as those of a page that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from ..core import nodes as n
from .bindings import Val
from .body import Body, Functions
from .move_generation.action_rows import ActionRows


class Extension(Protocol):
    """A part of the code that comes from a game but is not needed to play it."""

    @property
    def name(self) -> str:
        """A name unique among the parts."""

    def roots(self) -> Iterable[n.Expr]:
        """The expressions whose types and definitions the code must include."""

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write the functions. Raises TooLarge if that is not possible."""


@runtime_checkable
class DrawExtension(Protocol):
    """An extension with additional code for each outcome of chance."""

    def drawn(self, body: Body, val: Val) -> None:
        """Write the additional code for an outcome."""
