"""Deciding claims about expectations: exactly, as fractions, or by a sample with its interval."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulespec.code import TooLarge
from rulespec.code.codes import NONE
from rulespec.core.types import Truth
from rulespec.core.verdicts import ESTIMATED, PROVED, REFUTED, UNDECIDED
from rulespec.simulation import intervals
from solver.explore import BuiltinQuestion
from solver.explore.graph import Graph
from solver.explore.markov_decision_process import ExpectedValues, NonTerminating, expectation_at_start
from solver.explore.monte_carlo import NoSample, sample

from ..case import Answer, Case, Proof
from ..looking import Limits, Look, tools_for
from .by_search import answer, exploration
from .by_solving import MANY, faulty, not_seen, secret
from .by_strategies import equilibrium

MOST_DIGITS = 40
"""A fraction of more digits is told as a decimal number; the evidence holds it in full."""

MOST_OFF = 40
"""An interval is rounded by at most its width divided by this number."""


class OutOfTime(Exception):
    """The budget ran out; says which."""


def _expected(case: Case, limits: Limits) -> Answer:
    options = case.claim.options
    best = options.get("policy", "best") == "best"
    if best and secret(case.game) and options.get("seeing") != "everything":
        return equilibrium(case, limits)
    look = Look(case, limits, ways=True)
    if not look.all():
        return not_seen(look)
    graph = Graph(look.states)
    if best and case.game.players > 2:
        return Answer(UNDECIDED, MANY)
    if excused := faulty(look):
        return excused

    def pause() -> None:
        if spent := look.limit():
            raise OutOfTime(spent)

    try:
        found = _worth(case, look, graph, best, pause)
    except NonTerminating as endless:
        return Answer(UNDECIDED, f"There is no expectation: {endless}.")
    except OutOfTime as out:
        return Answer(UNDECIDED, f"Nothing was decided: the equations were not solved ({out}).")
    return told(case, look, found)


def _worth(case: Case, look: Look, graph: Graph, best: bool, pause: Callable[[], None]) -> Fraction:
    values = [0 if x == NONE else int(x) for x in look.states.scan(case.claim.id)]
    movers = [int(x) for x in look.states.scan(BuiltinQuestion.MOVER)]
    most = case.claim.options.get("wants", "most") == "most"
    summed = "summed-over" in case.claim.options
    worth = ExpectedValues(
        graph,
        final=lambda i: 0 if summed else values[i],
        gain=lambda i: values[i] if summed else 0,
        wants=lambda i: (movers[i] == 1) == most if best else None,
        pause=pause,
    )
    return expectation_at_start(graph, worth.worth)


def told(case: Case, look: Look, found: Fraction, *proofs: Proof) -> Answer:
    """The answer that an exact expectation gives."""
    wanted = case.claim.options.get("is")
    shown = Proof("fraction", f"Exactly {shortened(found)}.", {"is": str(found)})
    statement = f"The expectation is {shortened(found)}."
    evidence = (*proofs, shown, exploration(case, look))
    numbers = {"states": look.seen}
    if wanted is None or Fraction(str(wanted)) == found:
        return answer(look, PROVED, statement, evidence, numbers)
    return answer(look, REFUTED, f"{statement} So it is not {wanted}.", evidence, numbers)


def shortened(x: Fraction) -> str:
    """A fraction in words that fit a line."""
    if x.denominator == 1:
        return str(x.numerator)
    near = f"{float(x):.6g}"
    return f"{x} (about {near})" if len(str(x)) <= MOST_DIGITS else f"about {near}"


def _estimate(case: Case, limits: Limits) -> Answer:
    games = int(case.claim.options.get("games", 10_000))
    seed = int(case.claim.options.get("seed", 1))
    asked, budget = case.claim.condition, case.budget.part(1.0, limits.seconds)
    assert asked is not None
    summed = "summed-over" in case.claim.options
    try:
        found = sample(
            case.game, asked, games, seed, lambda: budget.exhausted, summed=summed, tools=tools_for(limits)
        )
    except (NoSample, TooLarge) as none:
        return Answer(UNDECIDED, f"No sample was taken: {none}.")
    of = "1 random play" if games == 1 else f"{games} random plays"
    if isinstance(asked.type, Truth) and not summed:
        part = intervals.share(found.total, games)
        share = spanned(intervals.Estimate(part.value, part.low, part.high))
        statement = f"Of {of} it holds in {found.total}, a share of {share}."
    else:
        statement = f"The mean of {of} is {spanned(intervals.mean(found.total, found.squares, games))}."
    data = {"games": games, "seed": seed, "total": found.total, "squares": found.squares}
    proof = Proof("sample", f"{games} plays from seed {seed}, every legal action equally likely.", data)
    return Answer(ESTIMATED, statement, (proof,), "generated code", {"total": found.total})


def spanned(found: intervals.Estimate) -> str:
    """A value with its interval in words, with as many digits as the width of the interval justifies."""
    value, low, high = found.value, found.low, found.high
    if low is None or high is None:
        return f"{exact(value)} (one play says nothing of the spread)"
    if low == high:
        return f"{exact(value)} (the same in each)"
    off = (high - low) / MOST_OFF
    digits = next(
        d
        for d in range(4, 18)
        if d == 17 or all(abs(float(f"{x:.{d}g}") - x) <= off for x in (value, low, high))
    )
    return f"{value:.{digits}g} (95% between {low:.{digits}g} and {high:.{digits}g})"


def exact(x: float) -> str:
    """A number without an interval as text: a whole number in full, any other with four digits."""
    return str(int(x)) if x == int(x) else f"{x:.4g}"


DECIDERS: dict[str, Callable[[Case, Limits], Answer]] = {"expected": _expected, "estimate": _estimate}
