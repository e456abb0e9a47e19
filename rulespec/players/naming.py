"""Players by name, as the command line and other people's programs ask for them."""

from __future__ import annotations

import math

from ..core.diagnostics import nearest
from .levels import LEVELS
from .search import SearchPlayer
from .simple import GreedyPlayer, RandomPlayer
from .table import Player

PERSON = "person"
"""The name for a person at the terminal, who is no machine player."""

SECONDS = 2.0
"""The default time of `search` for an action."""

NAMES = ("random", "greedy", *LEVELS, "search")


def player_of(name: str, seed: int | str) -> Player:
    """The player called `random`, `greedy`, a level, `search` or `search:SECONDS`. ValueError says what is
    wrong."""
    word, colon, rest = name.partition(":")
    if word not in NAMES or (colon and word != "search"):
        advice = nearest(word, [*NAMES, PERSON]) or "there are " + ", ".join((*NAMES, PERSON))
        raise ValueError(f"no player is called `{name}`; {advice}")
    if word == "random":
        return RandomPlayer(seed)
    if word == "greedy":
        return GreedyPlayer(seed)
    if word in LEVELS:
        return SearchPlayer.of_level(word, seed)
    return SearchPlayer(seed, seconds=_seconds(rest) if colon else SECONDS)


def _seconds(text: str) -> float:
    """A positive number of seconds. Raises ValueError."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < math.inf:
        raise ValueError(f"`{text}` is not a number of seconds above 0")
    return found
