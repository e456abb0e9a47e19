"""Termination by a measure that falls with every ply, proved by formulas."""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.types import Int
from rulespec.core.verdicts import PROVED
from rulespec.solver.formulas.aig import FALSE
from rulespec.solver.formulas.linear.linear_forms import Total, at_least, linear_form
from rulespec.solver.formulas.linear.ranking_functions import falls
from rulespec.solver.formulas.unrolling.question import Question

from .inequalities import at_start
from .problem import Answer, Case, helper_proofs, induction_proof


def terminates(case: Case) -> Answer | None:
    """Prove termination by the claim's measure: never negative, and lower after each ply from any
    position."""
    measure, t = case.claim.condition, case.condition.type
    if measure is None or not isinstance(t, Int):
        return None
    total, further = linear_form(measure), False
    for action in case.game.actions:
        case.progress(f"whether the measure falls: `{action}`")
        one = falling(case, measure, total, action)
        if total.least < 0 and one.possible([-one.holds(at_least(measure, 0), 0)]):
            return None
        if not falls(one, total):
            return None
        further = further or _may_be_last(one, measure, total)
    greatest, engine = _greatest_at_start(case, measure, t)
    most = greatest + further
    proofs = (induction_proof(case, depth=1), *helper_proofs(case))
    return Answer(PROVED, proofs, engine, {"plies": most})


def _may_be_last(one: Question, measure: n.Expr, total: Total) -> bool:
    """True if a ply can be taken when the measure is 0, which is then the last of its play.

    Such a ply faults, or makes the measure negative.
    """
    faults = one.watched_fault(1) != FALSE or bool(one.unwatched)
    if total.least >= 0 and not faults:
        return False
    return one.possible([-one.holds(at_least(measure, 1), 0)])


def falling(case: Case, measure: n.Expr, total: Total, action: str) -> Question:
    """One ply of an action from any state, with helping claims granted."""
    one = Question(case, "any", None, [measure, *case.helpers, *(f.fact for f in total.facts)], [action])
    one.extend(1)
    for helper in case.helpers:
        one.grant(helper, 0)
    return one


def _greatest_at_start(case: Case, measure: n.Expr, t: Int) -> tuple[int, str]:
    """The greatest value of a measure at the start, at least 0, and the engine that computed it."""
    start = Question(case, "initial", None, [measure])
    known = at_start(start, linear_form(measure))
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
