"""Leistiko's game by hand: squares as pairs of numbers, brute force, nothing of the library.

The rules are those of the ruleset under the settings of the vectors (`touch`, `cutup`,
`base_scoring`, `first_build_multiplier`, `end`) and three more: `frame`, `first` and `side`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

Square = tuple[int, int]
Place = tuple[Square, Square]
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
NEAR = range(-4, 6)
PLACES: list[Place] = [
    ((x, y), (x + dx, y + dy)) for x in NEAR for y in NEAR for dx, dy in SIDES[:2]
]  # fmt: skip


@cache
def can_be_tiled(free: frozenset[Square]) -> bool:
    """Whether dominoes cover these squares exactly."""
    if not free:
        return True
    x, y = min(free)
    return any(
        other in free and can_be_tiled(free - {(x, y), other}) for other in ((x + 1, y), (x, y + 1))
    )  # fmt: skip


@dataclass
class Table:
    """A play of the game; `shown` and `height` hold the squares that are covered."""

    rules: Mapping[str, Any]
    hands: list[set[tuple[int, int]]]
    shown: dict[Square, int] = field(default_factory=dict)
    height: dict[Square, int] = field(default_factory=dict)
    level: int = 1
    mover: int = 0
    over: str = ""

    def __post_init__(self) -> None:
        self.scores = [0] * len(self.hands)
        self.alone = False

    def places(self) -> list[Place]:
        """Where a domino may lie now."""
        if not self.shown:
            upright = [((0, 0), (0, 1))] if self.rules["first"] == "two-ways" else []
            return [((0, 0), (1, 0)), *upright]
        if self.level > 1:
            return [p for p in PLACES if all(self.height.get(c) == self.level - 1 for c in p)]
        return [p for p in PLACES if self._fits_base(p)]

    def _fits_base(self, place: Place) -> bool:
        if any(c in self.shown for c in place):
            return False
        ways = SIDES + (CORNERS if self.rules["touch"] == "corner" else ())
        if not any((x + dx, y + dy) in self.shown for x, y in place for dx, dy in ways):
            return False
        lying = {*self.shown, *place}
        side, fixed = self.rules["side"], self.rules["frame"] == "fixed"
        middle = 1 - side // 2
        corners = [(middle, middle)] if fixed else itertools.product(range(-side, 2), repeat=2)
        boxes = [{(x + i, y + j) for i in range(side) for j in range(side)} for x, y in corners]
        around = [box for box in boxes if lying <= box]
        return any(self.rules["cutup"] or can_be_tiled(frozenset(box - lying)) for box in around)

    def plays(self) -> Iterator[tuple[tuple[int, int], Place]]:
        """Every domino of the mover's at every place, the first square of the place for its low half."""
        for domino in self.hands[self.mover]:
            for a, b in self.places():
                yield domino, (a, b)
                if domino[0] != domino[1] and self.shown:
                    yield domino, (b, a)

    def worth(self, domino: tuple[int, int], place: Place) -> int:
        """The points of a play."""
        halves = dict(zip(place, domino, strict=True))
        if self.level > 1:
            factor = self.level + self.rules["first_build_multiplier"] - 2
            return factor * sum(self.shown[c] == value for c, value in halves.items())
        likes = [
            sum(self.shown.get((x + dx, y + dy)) == value for dx, dy in SIDES)
            for (x, y), value in halves.items()
        ]  # fmt: skip
        return sum(likes) if self.rules["base_scoring"] == "contact" else sum(map(bool, likes))

    def play(self, domino: tuple[int, int], place: Place) -> None:
        """Make a play, and begin the next level or end the game where it is time."""
        self.scores[self.mover] += self.worth(domino, place)
        self.hands[self.mover].remove(domino)
        for c, value in zip(place, domino, strict=True):
            self.shown[c], self.height[c] = value, self.level
        if not any(self.hands):
            self.over = "all-played"
        elif not self.places():
            self._next_level()
        if not self.over:
            self.mover = (self.mover + 1) % len(self.hands)

    def _next_level(self) -> None:
        if self.alone:
            self.over = "one-place"
            return
        self.level += 1
        self.alone = len(self.places()) == 1
        if self.alone and self.rules["end"] == "before":
            self.over = "one-place"

    def winners(self) -> list[int]:
        """Who has won, from 0."""
        judged = [(score, -len(hand)) for score, hand in zip(self.scores, self.hands, strict=True)]
        return [i for i, how in enumerate(judged) if how == max(judged)]


def dealt(rules: Mapping[str, Any], seed: int) -> Table:
    """A table with hands dealt at random."""
    pairs = itertools.combinations_with_replacement(range(rules["pips"] + 1), 2)
    pile = random.Random(seed).sample(known := [*pairs], len(known))
    each = len(pile) // rules["players"]
    return Table(rules, [set(pile[i * each : (i + 1) * each]) for i in range(rules["players"])])
