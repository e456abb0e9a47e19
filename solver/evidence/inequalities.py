"""Invariants that compare sums: they hold if no ply moves the sums past one another.

`a <= b` always holds if it does at the start and no ply lowers `b - a`. That is a stronger condition on plies
than induction uses, but no engine has to count what a ply leaves alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, Int
from rulespec.solver.analyses.shuffles import Deals
from rulespec.solver.formulas.linear.linear_forms import Total, nonnegative_total, unfold
from rulespec.solver.formulas.linear.ranking_functions import never_rises
from rulespec.solver.formulas.unrolling.question import Question

from .problem import Case

FEWEST_FACTS = 12
"""Sums of fewer facts are left to induction."""
MOST_SUMS = 8
"""Maximum number of sums in a claim."""


@dataclass(frozen=True)
class Sum:
    """A number that must never be negative unless it is excused: in general, and at the start."""

    total: Total
    begun: Total
    excuse: n.Expr


def sums_of(case: Case, conditions: Sequence[n.Expr]) -> list[Sum]:
    """The sums that conditions compare; none unless all of them compare a few sums of many facts."""
    if not 0 < len(conditions) <= MOST_SUMS:
        return []
    deals, found = Deals(case.game), []
    for condition in conditions:
        one = _comparison_with_excuses(condition)
        total = nonnegative_total(one[0]) if one is not None else None
        if one is None or total is None or len(total.facts) < FEWEST_FACTS:
            return []
        begun = nonnegative_total(one[0], deals.value)
        assert begun is not None
        found.append(Sum(total, begun, one[1]))
    return found


def is_steady(one: Question, condition: n.Expr) -> bool:
    """True if the only ply of a question preserves a comparison of many facts by what it changes.

    No side of an equation gains on the other, nor does the smaller side of an inequality.
    """
    condition = unfold(condition)
    sides = [condition]
    if (
        isinstance(condition, n.Equal)
        and isinstance(condition.a.type, Int)
        and isinstance(condition.b.type, Int)
    ):
        a, b = condition.a, condition.b
        sides = [n.AtMost(BOOL, a, b), n.AtMost(BOOL, b, a)]
    totals = [*map(nonnegative_total, sides)]
    return all(
        total is not None and len(total.facts) >= FEWEST_FACTS and never_rises(one, total.negative)
        for total in totals
    )


def _comparison_with_excuses(condition: n.Expr) -> tuple[n.Expr, n.Expr] | None:
    """A comparison, and the alternative that excuses it; None for a condition of another form."""
    condition = unfold(condition)
    items = condition.items if isinstance(condition, n.Or) else (condition,)
    compares = [item for item in items if isinstance(unfold(item), n.AtMost | n.Less)]
    if len(compares) != 1:
        return None
    excuses = tuple(item for item in items if item is not compares[0])
    return compares[0], n.Or(BOOL, excuses) if excuses else n.Const(BOOL, False)


def open_at_start(case: Case, conditions: Iterable[n.Expr]) -> list[n.Expr]:
    """The conditions that one deal does not show to hold at the start of every play (`analyses.shuffles`)."""
    deals = Deals(case.game)
    return [e for e in conditions if deals.value(e) is not True]


def never_negative_at_start(start: Question, sums: Sequence[Sum]) -> bool:
    """True if each sum is at least 0 at the start, even if each open fact about it is unfavourable."""
    return all(at_start(start, s.begun)[0] >= 0 for s in sums)


def at_start(start: Question, total: Total) -> tuple[int, int]:
    """Bounds of a number at the start, with each of its facts evaluated separately."""
    low = high = total.base
    for f in total.facts:
        holds = start.holds(f.fact, 0)
        least, most = not start.possible([-holds]), start.possible([holds])
        low += min(f.weight * x for x in {least, most})
        high += max(f.weight * x for x in {least, most})
    return low, high


def never_fall(case: Case, sums: Sequence[Sum], begin: Question) -> bool:
    """True if no ply from any position lowers one of the sums, judged by the facts that it changes.

    A sum that is excused afterwards may fall; one that was excused before must be so afterwards.
    """
    for action in case.game.actions:
        case.progress(f"whether the sides come nearer: `{action}`")
        for loose in (True, False):
            one = _ply(case, sums, action, begin, loose)
            if kept := _lowers_none(one, sums):
                break
            if not one.is_relaxed:
                break
        if not kept:
            return False
    return True


def _ply(case: Case, sums: Sequence[Sum], action: str, begin: Question, loose: bool) -> Question:
    """One ply by an action from any position in which the helping claims hold."""
    facts = [f.fact for s in sums for f in s.total.facts]
    about = [*facts, *(s.excuse for s in sums), *case.helpers]
    one = Question(case, "any", None, about, [action], begin, loose)
    one.extend(1)
    for helper in case.helpers:
        one.grant(helper, 0)
    return one


def _lowers_none(one: Question, sums: Sequence[Sum]) -> bool:
    """True if a ply lowers none of the sums."""
    granted = list(one.granted)
    for s in sums:
        one.granted = [*granted, -one.holds(s.excuse, 1)]
        if one.possible([one.holds(s.excuse, 0)]) or not never_rises(one, s.total.negative):
            return False
    return True
