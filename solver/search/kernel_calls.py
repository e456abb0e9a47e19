"""Declarations of the functions that a kernel calls and `search_code` writes for each game.

Only type checkers and readers use them; the generated text stands in their place.
"""

from __future__ import annotations

from typing import Any

WIDTH = 0
"""The number of numbers that a row takes, which is a legal action in a buffer."""
CELLS = 0
"""The number of numbers of a state kept."""
WORDS = 0
"""The number of words kept."""


def play(s: Any, b: Any, c: Any, m: Any, k: int) -> int:
    """Play the row at k in m and list the legal actions that follow: how many; negative after a fault."""
    raise NotImplementedError


def far(s: Any, b: Any, limits: Any) -> int:
    """The distance of a state from the goal: 0 where it is reached."""
    raise NotImplementedError


def measure(s: Any, b: Any) -> int:
    """The measure of a state in the search for a best number: less is better. States at which the number
    does not count yet come after all others, the nearest to that first."""
    raise NotImplementedError


def alive(s: Any, b: Any, limits: Any) -> bool:
    """True if the goal may still be reached, as far as bounds tell that nothing can lower."""
    raise NotImplementedError


def exponential(x: float) -> float:
    """e to the power of x."""
    raise NotImplementedError
