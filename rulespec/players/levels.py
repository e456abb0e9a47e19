"""Levels of the machine as a player, the same in the terminal and in a page.

`make levels` measures how each level fares against the one below.
"""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """The strength of a search."""

    plays: int
    """The plays that are tried for an action."""
    slips: float
    """The share of its actions that are drawn at random, without a search."""


LEVELS = {"beginner": Level(20, 0.4), "good": Level(150, 0.15), "thorough": Level(1500, 0.0)}
"""The levels by name; the weakest comes first."""
