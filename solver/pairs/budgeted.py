"""Iteration within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from solver.explore import Limit

T = TypeVar("T")

EACH = 16
"""After so many things it is asked whether to go on."""


class BudgetExhausted(Exception):
    """A budget has run out; the text says which."""


def within_budget(items: Iterable[T], limit: Limit) -> Iterator[T]:
    """The items, until a limit says why there are no more; then BudgetExhausted."""
    for number, item in enumerate(items):
        if number % EACH == 0 and (why := limit()):
            raise BudgetExhausted(why)
        yield item
