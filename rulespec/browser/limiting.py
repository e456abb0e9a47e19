"""Limits of the work that a page gives the rules of strangers."""

from __future__ import annotations

from collections.abc import Iterable

from ..code.body import Functions
from ..code.rows import Rows
from ..core import nodes as n


class Limiting:
    """Writes nothing: the whole code counts its work, and stops where the page gave no more."""

    name = "limiting"
    limits_work = True

    def roots(self) -> Iterable[n.Expr]:
        """None: nothing of the rules is asked for."""
        return ()

    def write(self, functions: Functions, rows: Rows) -> None:
        """Nothing is left to write."""
