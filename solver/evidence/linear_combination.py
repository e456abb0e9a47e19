"""Deciding claims from named invariants: by adding them up, without any play.

Invariants that compare sums are linear in facts, and none of these sums is negative. So adding multiples of
them to a number does not lower it; and the result is at most its base plus its positive weights: a proof that
anybody can check with a pencil. Alternatives are split into cases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.types import BOOL
from rulespec.core.verdicts import UNDECIDED
from rulespec.core.verdicts.properties import Form
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.linear.linear_cases import Case as Sums
from rulespec.solver.formulas.linear.linear_cases import Key, Row, cases_of

from .optimum import Scale
from .problem import Answer, Case, Proof

KIND = "combination"
"""The kind of evidence: the multiplier of each invariant."""


def sums_of(case: Case) -> list[Sums] | None:
    """The cases that a claim's named invariants leave for its question; None if they exclude nothing."""
    claims = [case.game.claims[name] for name in case.helper_names]
    best = case.prop.form is Form.OPTIMUM
    asked = case.claim.when if best else case.condition
    if not claims or (best and Scale.of(case) is None):
        return None
    number = case.condition if best else None
    try:
        conditions = [asked or n.Const(BOOL, True), *(c.always for c in claims)]
        return cases_of(case.game, number, case.most, conditions)
    except TooWide:
        return None


def added_up(cases: Sequence[Sums], times: Sequence[Sequence[Fraction]]) -> Fraction | None:
    """The bound from adding the rows of each case with these multipliers; None without cases.

    Raises ValueError if these are not multipliers for the rows of each case.
    """
    bounds = (_bound_of(one.goal, one.rows, of) for one, of in zip(cases, times, strict=True))
    return max(bounds, default=None)


def _bound_of(goal: Row, rows: Sequence[Row], times: Sequence[Fraction]) -> Fraction:
    """The bound on the goal after rows with these multipliers are added to it. Raises ValueError."""
    if len(times) != len(rows) or any(t < 0 for t in times):
        raise ValueError("not a number of times for each sum")
    base, facts = Fraction(goal.base), defaultdict[Key, Fraction](Fraction)
    for key, weight in goal.facts.items():
        facts[key] += weight
    for row, t in zip(rows, times, strict=True):
        base += t * row.base
        for key, weight in row.facts.items():
            facts[key] += t * weight
    return base + sum(max(Fraction(0), weight) for weight in facts.values())


def contradicting(case: Case, proofs: Sequence[Proof]) -> Answer:
    """The answer that the goal contradicts the named claims of a case."""
    return Answer(case.prop.without_play or UNDECIDED, tuple(proofs), "sums")


def objection(case: Case, data: Mapping[str, Any]) -> str:
    """The reason why a stored combination does not prove its claim; empty if it does."""
    cases = sums_of(case)
    if cases is None:
        return "the claims that it is made of say nothing of it"
    try:
        most = added_up(cases, [[Fraction(str(x)) for x in one] for one in data["times"]])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return "how often its claims are added is damaged"
    if most is None:
        return ""
    if "bound" not in data:
        return "" if most < 0 else "its claims do not contradict it"
    bound = Fraction(data["bound"])
    return "" if most < (bound if case.most else -bound) else f"its claims leave {bound}"
