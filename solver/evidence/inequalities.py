"""Invariants that compare sums: they hold if no ply moves the sums past one another.

`a <= b` always holds if it does at the start and no ply lowers `b - a`. That is a stronger condition on plies
than induction uses, but no engine has to count what a ply leaves alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.types import BOOL, Int
from rulespec.solver.analyses.shuffles import Deals
from rulespec.solver.formulas.aig import FALSE
from rulespec.solver.formulas.linear.equivalences import alternatives
from rulespec.solver.formulas.linear.linear_forms import Known, Total, linear_form, nonnegative_total, unfold
from rulespec.solver.formulas.linear.ranking_functions import never_rises
from rulespec.solver.formulas.unrolling.question import Question

from .problem import Case

FEWEST_FACTS = 12
"""Sums of fewer facts are left to induction."""
AT_START = 1.0
"""Seconds for a question about the start, before one deal is asked in place of all."""


@dataclass(frozen=True)
class Sum:
    """A number that must never be negative unless it is excused."""

    total: Total
    excuse: n.Expr


def sums_of(condition: n.Expr, known: Known = lambda e: None) -> list[Sum]:
    """The sums whose signs decide a comparison of many facts (two for an equation); otherwise empty.

    Parts with `known` values are no facts. An equation without a sum over elements has no sums either,
    because an engine compares a few numbers sooner.
    """
    condition = unfold(condition)
    items = condition.items if isinstance(condition, n.Or) else (condition,)
    compared = [item for item in items if isinstance(unfold(item), n.AtMost | n.Less)]
    compared = compared or [item for item in items if _is_equation(unfold(item))]
    if len(compared) != 1:
        return []
    excuse, e = n.Or(BOOL, tuple(item for item in items if item is not compared[0])), unfold(compared[0])
    sides = [n.AtMost(BOOL, e.a, e.b), n.AtMost(BOOL, e.b, e.a)] if isinstance(e, n.Equal) else [e]
    whole = [total for side in sides if (total := nonnegative_total(side)) is not None]
    if len(whole) < len(sides) or any(len(total.facts) < FEWEST_FACTS for total in whole):
        return []
    if len(sides) > 1 and not any(f.about for f in whole[0].facts):
        return []
    totals = [nonnegative_total(side, known) for side in sides]
    return [Sum(total, excuse) for total in totals if total is not None]


def _is_equation(e: n.Expr) -> bool:
    return isinstance(e, n.Equal) and isinstance(e.a.type, Int) and isinstance(e.b.type, Int)


def is_steady(one: Question, condition: n.Expr) -> bool:
    """True if the changes of the only ply of a question cannot break a comparison of many facts.

    Neither side of an equation gains on the other, nor the smaller side of an inequality, except if excused
    after the ply. A comparison that was excused before must be excused afterwards.
    """
    sums, granted = sums_of(condition), [*one.granted]
    if not sums:
        return False
    excused = one.holds(sums[0].excuse, 1)
    one.granted.append(-excused)
    kept = not one.possible([one.holds(sums[0].excuse, 0)])
    kept = kept and all(never_rises(one, s.total.negative) for s in sums)
    if excused != FALSE:
        one.granted = granted
    return kept


def open_at_start(case: Case, conditions: Iterable[n.Expr]) -> list[n.Expr]:
    """The conditions that one deal does not show to hold at the start of every play (`analyses.shuffles`)."""
    deals = Deals(case.game)
    return [e for e in conditions if not any(deals.value(part) is True for part in alternatives(e))]


def begins_with(case: Case, begin: Question, conditions: Sequence[n.Expr]) -> bool:
    """True if conditions hold at the start of every play, shown by one deal if possible, or by an engine."""
    open_ = open_at_start(case, conditions)
    return not open_ or not begin.possible(one_of=[-begin.holds(e, 0) for e in open_])


def begins_nonnegative(case: Case, start: Question, condition: n.Expr) -> bool:
    """True if the sums of a comparison are at least 0 at the start, however open facts turn out."""
    sums = sums_of(condition, Deals(case.game).value)
    return bool(sums) and all(_at_start(start, s.total)[0] >= 0 for s in sums)


def number_at_start(case: Case, start: Question, number: n.Expr) -> tuple[int, int]:
    """Bounds of a number at the start: its value if all deals agree, else from an engine or one deal."""
    common = Deals(case.game).value(number)
    if common is not None:
        return common, common
    start.patience = AT_START
    try:
        return _at_start(start, linear_form(number))
    except OutOfBudget:
        return _at_start(start, linear_form(number, Deals(case.game).value))
    finally:
        start.patience = inf


def _at_start(start: Question, total: Total) -> tuple[int, int]:
    """Bounds of a number at the start, from separate bounds of each fact in it."""
    low = high = total.base
    for f in total.facts:
        holds = start.holds(f.fact, 0)
        least, most = not start.possible([-holds]), start.possible([holds])
        low += min(f.weight * x for x in {least, most})
        high += max(f.weight * x for x in {least, most})
    return low, high
