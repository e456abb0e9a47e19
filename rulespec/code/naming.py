"""Names in generated code: no text of a ruleset is one.

What is ours has a name of ours, a `Word` or one of the kit. What stands for something of the ruleset has
a kind, a number, and letters and digits of its name there for readers: `f12_neighbours`, `V3_PIPS`. Such a
name is no keyword, no builtin and no name of ours, whatever the ruleset calls things.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Literal

MOST_LETTERS = 32
"""A longer name of the ruleset is cut."""


class Kind(StrEnum):
    """The things of a ruleset that have names in generated code."""

    DEFINITION = "f"
    DO = "do"
    """The effect of an action."""
    LIST = "list"
    """The legal ways to take an action."""
    CAN = "can"
    """Whether an action is legal."""
    REACT = "react"
    ASK = "ask"
    """A question of a claim or of a search."""
    STORE = "store"
    """Storing a value in a map."""
    LOCAL = "x"
    VARIABLE = "V"
    """Where a variable of the state lies."""
    PLANES = "W"
    """Where the words of a map lie, those of each value."""
    TABLE = "T"


NUMBERED = re.compile(rf"({'|'.join(Kind)})[0-9]+(_[A-Za-z0-9]+)*")
"""The form of every name that stands for something of a ruleset."""

Word = Literal[
    "alike", "allowed", "among", "at", "at_move", "at_sight", "best", "bit", "count_", "either", "first",
    "found", "held", "holds", "i", "j", "kept", "left", "length", "listed", "mine", "new", "number",
    "place", "reached", "ready", "row", "size_", "steps", "t", "taken", "those", "total", "viewer",
    "waiting", "weight", "won", "x",
]  # fmt: skip
"""The local names that stand for nothing of the ruleset, also with a number: `left_2`."""


def numbered(kind: Kind, number: int, name: str) -> str:
    """The name of the so manieth thing of a kind; `name` is that of the ruleset."""
    upper = kind.isupper()
    letters = re.sub("[^A-Z0-9]+" if upper else "[^a-z0-9]+", "_", name.upper() if upper else name.lower())
    letters = letters.strip("_")[:MOST_LETTERS].rstrip("_")
    return f"{kind}{number}_{letters}" if letters else f"{kind}{number}"
