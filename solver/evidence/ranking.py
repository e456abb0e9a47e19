"""Termination by a measure that falls with every ply, proved by formulas.

A measure is a number, or several of which each ply lowers the first one that it changes (lexicographic
order). The case gives those that were found, otherwise the claim its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.core import nodes as n
from rulespec.core.types import Int
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.solver.formulas.aig import FALSE
from rulespec.solver.formulas.linear.linear_forms import Total, at_least, linear_form
from rulespec.solver.formulas.linear.ranking_functions import falls
from rulespec.solver.formulas.unrolling.question import Question

from .inequalities import number_at_start
from .problem import Answer, Case, helper_proofs, induction_proof


def terminates(case: Case) -> Answer | None:
    """Prove termination by a measure that is never negative and falls with each ply from any position."""
    measures = case.measures
    if not measures or not all(isinstance(measure.type, Int) for measure in measures):
        return None
    totals, further = [*map(linear_form, measures)], False
    for action in case.game.actions:
        case.progress(f"whether the measure falls: `{action}`")
        one = falling(case, measures, totals, action)
        for measure, total in zip(measures, totals, strict=True):
            if total.least < 0 and one.possible([-one.holds(at_least(measure, 0), 0)]):
                return None
        granted = [*one.granted]
        if not falls(one, totals):
            return None
        one.granted = granted  # no more that the first numbers stay
        further = further or _may_be_last(one, measures, totals)
    most, engine = 0, ""
    for measure in measures:
        assert isinstance(measure.type, Int)
        greatest, engine = _greatest_at_start(case, measure, measure.type)
        most = most * (max(measure.type.hi, 0) + 1) + greatest
    proofs = (induction_proof(case, depth=1), *helper_proofs(case))
    return Answer(REFUTED if case.prop.negated else PROVED, proofs, engine, {"plies": most + further})


def _may_be_last(one: Question, measures: Sequence[n.Expr], totals: Sequence[Total]) -> bool:
    """True if a ply can be taken when the measure is 0, so that it is the last of its play.

    Such a ply faults, or makes the measure negative.
    """
    faults = one.watched_fault(1) != FALSE or bool(one.unwatched)
    if all(total.least >= 0 for total in totals) and not faults:
        return False
    return one.possible([-one.holds(at_least(measure, 1), 0) for measure in measures])


def falling(case: Case, measures: Sequence[n.Expr], totals: Sequence[Total], action: str) -> Question:
    """One ply of an action from any state, with helping claims granted."""
    facts = [f.fact for total in totals for f in total.facts]
    one = Question(case, "any", None, [*measures, *case.helpers, *facts], [action])
    one.extend(1)
    for helper in case.helpers:
        one.grant(helper, 0)
    return one


def _greatest_at_start(case: Case, measure: n.Expr, t: Int) -> tuple[int, str]:
    """The greatest value of a measure at the start, at least 0, and the engine that computed it."""
    start = Question(case, "initial", None, [measure])
    known = number_at_start(case, start, measure)
    if known[0] == known[1]:
        return max(known[0], 0), start.engine
    low, high = max(t.lo, 0), t.hi
    while low < high:
        middle = (low + high + 1) // 2
        if start.possible([start.holds(at_least(measure, middle), 0)]):
            low = middle
        else:
            high = middle - 1
    return low, start.engine
