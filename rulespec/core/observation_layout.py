"""The layout of observations as whole numbers, the same for each player and state of a setting.

First come the variables that all players see, in the order of the rules, then the sights, each by its text. A
scalar is the position of its value in its type from 0, or -1 for none; a set has 0 or 1 for each value of its
type; a list has its size, then its elements, then -1 up to its greatest size; a map has a value for each key.
A sight has, for each combination of its binders, 1 and the value, or 0 and the numbers of nothing.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from . import nodes as n
from .game import Game, Sight
from .types import List, Map, Scalar, Set, Type, scalar_of


class Field(NamedTuple):
    """A part of an observation: a variable or a sight, its first position and its number of values."""

    name: str
    first: int
    size: int


class ObservationLayout:
    """The layout of the observations of a setting."""

    def __init__(self, game: Game) -> None:
        self.open: tuple[n.StateVar, ...] = tuple(var for var in game.state.values() if not var.hidden)
        """The variables that all players see."""
        self.sights: tuple[Sight, ...] = game.sights
        sizes = [(var.name, width(var.type)) for var in self.open]
        cells = ((sight, prod(len(of.values) for of in binder_types(sight))) for sight in self.sights)
        sizes += [(sight.text, times * (1 + width(sight.value.type))) for sight, times in cells]
        fields: list[Field] = []
        for name, size in sizes:
            fields.append(Field(name, fields[-1].first + fields[-1].size if fields else 0, size))
        self.fields = tuple(fields)
        """The parts, in order."""
        self.size = sum(field.size for field in fields)
        """The length of an observation."""


def binder_types(sight: Sight) -> list[Scalar]:
    """The types of the binders of a sight."""
    found = [scalar_of(var.type) for var, _ in sight.binders]
    assert None not in found, "a binder takes scalars"
    return found  # type: ignore[return-value]


def width(t: Type) -> int:
    """The number of positions that a value of a type takes."""
    if isinstance(t, Map):
        return len(t.keys.values) * width(t.of)
    if isinstance(t, List):
        return 1 + t.cap
    return len(t.of.values) if isinstance(t, Set) and t.of is not None else 1
