"""Sources of chance: a seed, or given outcomes.

Draw number n of a play depends on the seed and n alone, so the order in which the branches of a tree are
visited changes nothing. Every outcome has a notation; given back, it replays the play.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.notation import write
from ..core.plain_data import from_data
from ..core.types import List, Scalar, Value


class ChanceError(ValueError):
    """Raised for a draw without an outcome, or with an impossible one."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Takes the first outcomes from `given` (in notation), the others from `seed`; without a seed there
    are none."""

    seed: str | None = None
    given: tuple[str, ...] = ()

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        """Draw number `number` (from 0): one of the values, in proportion to its weight if there are any.

        Raises ChanceError.
        """
        if number < len(self.given):
            value = self._given_outcome(number, t)
            if value not in values or (weights is not None and not weights[values.index(value)]):
                raise ChanceError(f"draw {number + 1} cannot give {self.given[number]}")
            return value
        rng = self._random(number, f"one of {len(values)} values")
        if weights is None:
            return values[rng.randrange(len(values))]
        at = rng.randrange(sum(weights))
        for value, weight in zip(values, weights, strict=True):
            at -= weight
            if at < 0:
                return value
        raise AssertionError("weights add up to their sum")

    def order(self, number: int, t: List, values: Sequence[Value]) -> Value:
        """Draw number `number` (from 0): these values as a list in random order. Raises ChanceError."""
        if number < len(self.given):
            listed = self._given_outcome(number, t)
            if sorted(listed) != list(values):
                raise ChanceError(f"draw {number + 1} must order {write(t, tuple(values))}")
            return listed
        shuffled = list(values)
        self._random(number, f"an order of {len(values)} values").shuffle(shuffled)
        return tuple(shuffled)

    def _given_outcome(self, number: int, t: Scalar | List) -> Value:
        """The given outcome of a draw. Raises ChanceError if it does not fit the type."""
        try:
            return from_data(t, self.given[number])
        except ValueError as error:
            raise ChanceError(f"draw {number + 1}: {error}") from None

    def _random(self, number: int, what: str) -> random.Random:
        """The random source of a draw, from the seed and its number. Raises ChanceError without a seed."""
        if self.seed is None:
            raise ChanceError(f"draw {number + 1} has no outcome: give {what}, or a seed")
        return random.Random(f"{self.seed}/{number}")
