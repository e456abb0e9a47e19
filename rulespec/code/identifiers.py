"""Names in the code of a game, which never come from the ruleset unchanged.

The name of a thing of the ruleset consists of a kind, a number, and the letters and digits of its name there
for readers: `f12_neighbours`, `V3_PIPS`. It cannot collide with a keyword, a builtin or another name.
"""

from __future__ import annotations

import re
from enum import StrEnum

MOST_LETTERS = 32
"""Maximum number of characters taken from a name of the ruleset."""


class Kind(StrEnum):
    """The kinds of names in the code."""

    DEFINITION = "f"
    DO = "do"
    """The effect of an action."""
    LIST = "list"
    """The legal ways to take an action."""
    CAN = "can"
    """The test that an action is legal."""
    AFTER = "after"
    """A condition after an action."""
    REACT = "react"
    ASK = "ask"
    """A question of a claim or of a search."""
    STORE = "store"
    """Storing a value in a map."""
    LAYER = "layer"
    """A layer of the drawing."""
    LOCAL = "x"
    VARIABLE = "V"
    """The index of a state variable."""
    PLANES = "W"
    """The index of the words of a map, which hold the keys of each value."""
    TABLE = "T"


def numbered_name(kind: Kind, number: int, name: str) -> str:
    """A name in the code for the item of a kind with this number; `name` is its name in the ruleset."""
    upper = kind.isupper()
    letters = re.sub("[^A-Z0-9]+" if upper else "[^a-z0-9]+", "_", name.upper() if upper else name.lower())
    letters = letters.strip("_")[:MOST_LETTERS].rstrip("_")
    return f"{kind}{number}_{letters}" if letters else f"{kind}{number}"
