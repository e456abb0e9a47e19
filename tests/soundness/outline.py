"""The names that the parts of one random game may speak of."""

from __future__ import annotations

from dataclasses import dataclass, field

from .direction import ANY, Direction

HUES = ("red", "blue", "gold")


@dataclass(frozen=True)
class Place:
    """A state variable or a local name: `kind` is num, bool, hue or spot, or one of these in a collection.

    `lo` and `hi` bound a number; `optional` says that it may be none.
    """

    name: str
    kind: str
    lo: int = 0
    hi: int = 0
    optional: bool = False
    hidden: bool = False


@dataclass
class Outline:
    """The names that the parts of one game share."""

    players: int
    spots: tuple[int, ...]
    hues: tuple[str, ...]
    state: list[Place] = field(default_factory=list)
    functions: list[tuple[str, int, int]] = field(default_factory=list)
    """Definitions of one number each: name, and the range of their parameter."""
    actions: list[tuple[str, str]] = field(default_factory=list)
    """Actions made so far: name, and the kind of their first choice, empty if there is none."""
    choices: dict[str, list[Place]] = field(default_factory=dict)
    """The choices of each action."""
    effects: list[str] = field(default_factory=list)
    """Effects of a spot that are declared under names."""
    ruling: bool = False
    scale: int = 0
    """How wide ranges are and how much there is: 0 for games of a few positions, up to 3 for thousands."""
    direction: Direction = ANY
    """The features that are favoured."""
    wide: bool = False
    """True if a set of many numbers makes states take several words: it holds what a number has been."""
    clock: int = 0
    """So many plies a game has at most; 0 if nothing counts them."""
