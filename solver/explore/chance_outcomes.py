"""All outcomes of chance in a ply of the interpreter, with their probabilities.

Outcomes are given one at a time: a ply that asks for a further one branches over everything that can come up
there. So a shuffle of n things costs n! branches, and budgets matter.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rulespec.core.notation import write
from rulespec.core.types import List, Scalar, Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Ply

MOST_ORDERS = 5040
"""The greatest number of orders of one shuffle that is enumerated."""


class TooManyOutcomes(Exception):
    """Raised for a draw with too many outcomes to enumerate."""


class Branching(Chance):
    """Chance that gives prescribed outcomes and then asks for another."""

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        """The given outcome of a draw. Raises OutcomeRequested with all of them if none is given."""
        if number < len(self.given):
            return Chance.pick(self, number, t, values, weights)
        each = weights or [1] * len(values)
        raise OutcomeRequested([(write(t, v), sum(each), w) for v, w in zip(values, each, strict=True) if w])

    def order(self, number: int, t: List, values: Sequence[Value]) -> Value:
        """The given outcome of a shuffle. Raises OutcomeRequested, or TooManyOutcomes for a large one."""
        if number < len(self.given):
            return Chance.order(self, number, t, values)
        orders = math.factorial(len(values))
        if orders > MOST_ORDERS:
            raise TooManyOutcomes(f"a shuffle of {len(values)}")
        raise OutcomeRequested([(write(t, order), orders, 1) for order in itertools.permutations(values)])


@dataclass(frozen=True)
class WeightedChance(Chance):
    """Chance that records the probability of each outcome."""

    shares: list[Fraction] = field(default_factory=list)

    @property
    def share(self) -> Fraction:
        """The probability of all outcomes together."""
        return math.prod(self.shares, start=Fraction(1))

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        """Draw a value, and record its probability."""
        value = Chance.pick(self, number, t, values, weights)
        each = weights or [1] * len(values)
        self.shares.append(Fraction(each[values.index(value)], sum(each)))
        return value

    def order(self, number: int, t: List, values: Sequence[Value]) -> Value:
        self.shares.append(Fraction(1, math.factorial(len(values))))
        return Chance.order(self, number, t, values)


class OutcomeRequested(Exception):
    """Raised when a ply draws beyond the given outcomes.

    Its argument lists the possible outcomes in notation, each with its odds and share of them.
    """


def outcomes(run: Callable[[Chance], Ply], chance: tuple[str, ...]) -> Iterator[Ply]:
    """Every result of a ply after the given outcomes of the play so far.

    Outcomes are numbered over the whole play, so earlier ones are padded by the caller's position.
    """
    return (ply for ply, _, _ in weighted_outcomes(run, chance))


def weighted_outcomes(
    run: Callable[[Chance], Ply], chance: tuple[str, ...] = (), odds: int = 1, share: int = 1
) -> Iterator[tuple[Ply, int, int]]:
    """Like `outcomes`, with the probability of each: `share` in `odds`."""
    try:
        yield run(Branching(None, chance)), odds, share
    except OutcomeRequested as asked:
        for outcome, among, part in asked.args[0]:
            yield from weighted_outcomes(run, (*chance, outcome), odds * among, share * part)
