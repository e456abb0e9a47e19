"""Declarations of the functions that a kernel calls and `search_code` writes for each game.

Only type checkers and readers use them; the generated text stands in their place.
"""

from __future__ import annotations

from typing import Any

WIDTH = 0
"""How many numbers a row takes, which is a legal action in a buffer."""
CELLS = 0
"""How many numbers of a state are kept."""
WORDS = 0
"""How many words are kept."""


def play(s: Any, b: Any, c: Any, m: Any, k: int) -> int:
    """Play the row at k in m and list the legal actions that follow: how many; negative after a fault."""
    raise NotImplementedError


def far(s: Any, b: Any, limits: Any) -> int:
    """How far a state is from the goal: 0 where it is reached."""
    raise NotImplementedError


def measure(s: Any, b: Any) -> int:
    """How good a state is for whoever wants the best of a number: less is better. States at which the number
    does not count yet come after all others, the nearest to that first."""
    raise NotImplementedError


def alive(s: Any, b: Any, limits: Any) -> bool:
    """Whether the goal may still be reached, as far as bounds tell that nothing can lower."""
    raise NotImplementedError


def exponential(x: float) -> float:
    """e to the power of x."""
    raise NotImplementedError
