"""Deciding by formulas whether every play ends: by a measure that falls, or a play that comes back."""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.types import Int
from rulespec.core.verdicts import PROVED, REFUTED
from solver.formulas.aig import FALSE

from .. import sampling
from ..asking import Question, at_least
from ..case import Answer, Case, Proof, helper_proofs, undecided
from ..facts.blind import Deals
from ..facts.measures import falls
from ..facts.sums import at_start
from ..facts.totals import Total, taken_apart


def terminates(case: Case) -> Answer | None:
    """By the claim's measure: not negative, and lower after every ply from any position."""
    measure, t = case.claim.condition, case.condition.type
    if measure is None or not isinstance(t, Int):
        return None
    total, further = taken_apart(measure), False
    for action in case.game.actions:
        case.progress(f"whether the measure falls: `{action}`")
        one = falling(case, measure, total, action)
        if total.least < 0 and one.possible([-one.holds(at_least(measure, 0), 0)]):
            return _measure_fails(case)
        if not falls(one, total):
            return _measure_fails(case)
        further = further or _may_be_last(one, measure, total)
    greatest, engine = _greatest_at_start(case, measure, t)
    most = greatest + further
    proofs = (Proof("induction", {"depth": 1}), *helper_proofs(case))
    return Answer(PROVED, proofs, engine, {"plies": most})


def _may_be_last(one: Question, measure: n.Expr, total: Total) -> bool:
    """True if a ply can be taken where the measure is 0, which is then the last of its play.

    Such a ply faults, or makes the measure negative.
    """
    faults = one.rules.fault_seen(1) != FALSE or bool(one.rules.unwatched)
    if total.least >= 0 and not faults:
        return False
    return one.possible([-one.holds(at_least(measure, 1), 0)])


def falling(case: Case, measure: n.Expr, total: Total, action: str) -> Question:
    """One ply of an action from any state, with what helps granted."""
    one = Question(case, "any", None, [measure, *case.helpers, *(f.fact for f in total.facts)], [action])
    one.extend(1)
    for helper in case.helpers:
        one.grant(helper, 0)
    return one


def _measure_fails(case: Case) -> Answer:
    """The measure proves nothing; perhaps a play comes back on itself, which settles it."""
    statement = "Whether every play ends was not decided: from some position the measure need not fall."
    return _coming_back(case, REFUTED) or undecided(statement)


def endless(case: Case) -> Answer:
    statement = "Whether some play goes on for ever was not decided: none was seen to come back."
    return _coming_back(case, PROVED) or undecided(statement)


def _coming_back(case: Case, outcome: str) -> Answer | None:
    """What follows from a play that comes back on itself, where one was noticed."""
    found = sampling.coming_back(case)
    if found is None:
        return None
    play, first = found
    return Answer(outcome, (Proof("play", {"repeats": first}, play),))


def _greatest_at_start(case: Case, measure: n.Expr, t: Int) -> tuple[int, str]:
    """The greatest value of a measure at the start, at least 0, and the engine that computed it."""
    start = Question(case, "initial", None, [measure])
    known = at_start(start, taken_apart(measure, Deals(case.game).value))
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
