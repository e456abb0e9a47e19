"""Search for measures of termination: numbers in lexicographic order that every ply lowers.

In: a case. Out: rows of numbers (`rulespec.solver.formulas.invariant_templates.measure_of`). Random plays
propose them: a number that no ply raises comes first, and the plies that leave it unchanged need further
numbers (Alias and others 2010). A ply from any position that does not lower the measure joins the plies that
the next one has to lower (counterexample-guided search). A sum with whole weights is tried before the numbers
in order: its bound on the length of plays is lower.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Int
from rulespec.play.face import Game as Played
from rulespec.play.face import State
from rulespec.solver.evidence.problem import Case
from rulespec.solver.evidence.ranking import falling
from rulespec.solver.explore.linear_programming import UnboundedObjective, maximise
from rulespec.solver.formulas.invariant_templates import Row, measure_of, measure_terms
from rulespec.solver.formulas.linear.linear_forms import linear_form
from rulespec.solver.formulas.linear.ranking_functions import falls as is_lowered

from .counterexamples_to_induction import states_of
from .invariant_search import SAMPLING, sampled_plays

GREATEST_WEIGHT = 40
"""Maximum weight in a sum."""
MEASURING = 0.2
"""The share of the time for the random plays."""
MOST_ROUNDS = 12
"""Maximum number of times that counterexamples are taken in."""
MOST_PLIES = 200
"""Maximum number of different plies among which a weighted sum is sought."""

Fall = tuple[int, ...]
"""The amount by which a ply lowers each term."""
Weights = list[int]


def find_measure(case: Case) -> list[Row]:
    """The rows of a measure that every ply lowers, as far as engines can tell; empty if none was found.

    Raises OutOfBudget and TooWide like any question.
    """
    terms = measure_terms(case.game)
    falls = _falls(case.game, terms, case.budget.part(MEASURING, SAMPLING))
    for _ in range(MOST_ROUNDS):
        numbers, fresh = _in_order(falls, len(terms)), set[Fall]()
        for candidate in _candidates(numbers, falls):
            rows = [_row(terms, number) for number in candidate]
            broken = _counterexample(case, rows)
            if broken is None:
                return rows
            if len(broken) == 2:
                before, after = (
                    _values(terms, state.game.machine.situation(state.position)) for state in broken
                )
                fresh.add(tuple(a - b for a, b in zip(before, after, strict=True)))
        if not fresh - {*falls}:
            return []
        falls += fresh
    return []


def _candidates(numbers: Sequence[Weights], falls: Sequence[Fall]) -> Iterator[Sequence[Weights]]:
    together = _one_sum(numbers, falls) if len(numbers) > 1 else None
    if together is not None:
        yield [together]
    if numbers:
        yield numbers


def _counterexample(case: Case, rows: Sequence[Row]) -> tuple[State, ...] | None:
    """A state and its successor by a ply that may not lower a measure; None without one, empty if unknown."""
    numbers = [e for row in rows if (e := measure_of(case.game, row)) is not None]
    totals = [*map(linear_form, numbers)]
    for action in case.game.actions:
        case.progress(f"whether a measure falls: `{action}`")
        one = falling(case, numbers, totals, action)
        if not is_lowered(one, totals):
            return states_of(Played(case.game), one)
    return None


def _values(terms: Mapping[str, n.Expr], at: Context) -> list[int]:
    return [int(evaluate(e, {}, at) or 0) for e in terms.values()]


def _falls(game: Game, terms: Mapping[str, n.Expr], budget: Budget) -> list[Fall]:
    """The distinct plies of random plays, each by how much it lowers the terms."""
    found = dict[Fall, None]()
    for play in sampled_plays(game, budget):
        for before, after in pairwise(_values(terms, at) for at in play):
            found[tuple(a - b for a, b in zip(before, after, strict=True))] = None
    return [*found]


def _in_order(falls: Sequence[Fall], size: int) -> list[Weights]:
    """Numbers in an order in which each ply lowers the first that it changes; empty if there is none."""
    numbers, left = list[Weights](), [*falls]
    while left:
        single = [[sign * (i == j) for j in range(size)] for i in range(size) for sign in (1, -1)]
        useful = [weights for weights in single if min(_lowered(weights, fall) for fall in left) >= 0]
        number = max(useful, key=lambda weights: _count(weights, left), default=None)
        if number is None or not _count(number, left):
            number = _combination(left, size)
        if number is None:
            return []
        numbers.append(number)
        left = [fall for fall in left if not _lowered(number, fall)]
    return numbers


def _lowered(weights: Weights, fall: Fall) -> int:
    return sum(w * x for w, x in zip(weights, fall, strict=True) if w)


def _count(weights: Weights, falls: Sequence[Fall]) -> int:
    """The number of plies that lower a sum."""
    return sum(_lowered(weights, fall) > 0 for fall in falls)


def _combination(falls: Sequence[Fall], size: int) -> Weights | None:
    """The weights of a sum that no ply raises and most plies lower, by linear programming; else None."""
    if len(falls) > MOST_PLIES:
        return None
    plies, signs = range(len(falls)), [*range(size), *range(size)]
    kept = [
        {j: Fraction(-fall[i] if j < size else fall[i]) for j, i in enumerate(signs)}
        | {2 * size + ply: Fraction(1)}
        for ply, fall in enumerate(falls)
    ]
    most = [{2 * size + ply: Fraction(1)} for ply in plies]
    limits = [Fraction(0)] * len(falls) + [Fraction(1)] * len(falls)
    try:
        found, _ = maximise(
            most[0] | dict.fromkeys((2 * size + ply for ply in plies), Fraction(1)),
            [*kept, *most],
            limits,
            2 * size + len(falls),
        )
    except UnboundedObjective:
        return None
    weights = [found[i] - found[size + i] for i in range(size)]
    whole = lcm(*(weight.denominator for weight in weights))
    scaled = [int(weight * whole) for weight in weights]
    return scaled if any(scaled) and max(map(abs, scaled)) <= GREATEST_WEIGHT else None


def _one_sum(numbers: Sequence[Weights], falls: Sequence[Fall]) -> Weights | None:
    """One sum, made of multiples of numbers in order, that all plies lower; None if weights get too great."""
    lowered = [tuple(_lowered(number, fall) for number in numbers) for fall in falls]
    times = [1] * len(numbers)
    while (bad := next((row for row in lowered if _lowered(times, row) < 1), None)) is not None:
        first = next(i for i, x in enumerate(bad) if x)
        times[first] += 1
        if times[first] > GREATEST_WEIGHT:
            return None
    for i, greatest in enumerate(times):  # raised in turn, some are greater than needed, or not needed
        fewer = ([*times[:i], least, *times[i + 1 :]] for least in range(greatest))
        times = next((less for less in fewer if min(_lowered(less, row) for row in lowered) > 0), times)
    return [
        sum(t * number[i] for t, number in zip(times, numbers, strict=True)) for i in range(len(numbers[0]))
    ]


def _row(terms: Mapping[str, n.Expr], weights: Weights) -> Row:
    """The row of a sum, with a constant that makes its least value 0."""
    constant, listed = 0, list[str]()
    for (name, term), weight in zip(terms.items(), weights, strict=True):
        t = term.type
        if weight and isinstance(t, Int):
            constant -= weight * (t.lo if weight > 0 else t.hi)
            listed += (str(weight), name)
    return (str(constant), *listed)
