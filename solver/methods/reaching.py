"""The order of arguments about whether a goal can be reached, and the time for each."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.verdicts.wording import plies
from rulespec.play.plays import BadPlay
from rulespec.solver.evidence.bmc import ARGUMENTS, Reachability, UnrollingResult
from rulespec.solver.evidence.one_ply_arguments import TRAP, Length
from rulespec.solver.evidence.optimum import EXCLUDED
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.monotone import bounds_on_the_way

EXCLUDING = 4.0
"""Seconds for an engine to prove that claims leave no position for a goal."""
SHARE_OF_NAMED = 0.5
"""The share of the remaining budget for the same, if that is more and the claims are named as helping."""
SOON = 2.0
"""Seconds to find a play of the minimum length before arguments against any play are tried."""


def reach(
    case: Case, goal: n.Expr, before_unrolling: Callable[[], UnrollingResult | None] = lambda: None
) -> UnrollingResult:
    """Look for a play to a goal, from its least possible length on, or for an argument that none exists.

    `before_unrolling` gives a further argument, which is asked for before longer plays are unrolled.
    """
    asked = Reachability(case, goal)
    try:
        return _in_order(asked, before_unrolling)
    except OutOfBudget as out:
        return asked.partial_result(str(out))
    except BadPlay as refused:
        raise AssertionError(f"formulas and interpreter disagree on {case.game.id}: {refused}") from refused


def _in_order(asked: Reachability, before_unrolling: Callable[[], UnrollingResult | None]) -> UnrollingResult:
    """Try the start first, then a proposed argument, then other arguments, cheap ones first."""
    case, goal = asked.case, asked.goal
    if found := asked.start():
        return found
    proposed = case.argument if case.argument in (EXCLUDED, TRAP) else ""
    if not proposed and (found := asked.exclude_by_helpers(goal, time_to_exclude(case))):
        return found
    if proposed and (found := ARGUMENTS[proposed](asked)):
        return found
    bounds = Length()
    asked.question.extend(1)
    if asked.question.possible():
        bounds = asked.lengths()
        if found := _looked_for(asked, bounds) or asked.prove_goal_free_region():
            return found
        if found := before_unrolling():
            return found
    return asked.deepen(bounds)


def time_to_exclude(case: Case) -> float:
    """The seconds for claims to exclude a goal: more if the author named them."""
    return max(EXCLUDING, case.budget.seconds_left * (SHARE_OF_NAMED if case.helper_names else 0.0))


def _looked_for(asked: Reachability, bounds: Length) -> UnrollingResult | None:
    """Search briefly for a play of the least possible length; None if none is found in time.

    A definite no is recorded in `asked.searched`.
    """
    k, question = bounds.least, asked.question
    if k <= asked.searched or (bounds.most is not None and k > bounds.most):
        return None
    asked.case.progress(f"plays of {plies(k)}")
    question.extend(k)
    answer = question.possible_within(SOON, [question.holds(asked.goal, k)])
    if answer is False:
        asked.searched = k
    return asked.found_play() if answer else None


class Exclusion:
    """The exclusion of goals, which differ in numbers only, by invariants."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._asked: dict[frozenset[tuple[n.StateVar, int]], Reachability] = {}
        """Questions about the rules, for each way to bound variables on the way to a goal."""

    def of(self, goal: n.Expr) -> UnrollingResult | None:
        """Prove that claims leave no position for a goal; None if they do, or time ran out."""
        bounds = bounds_on_the_way(self._case.game, goal)
        key = frozenset(bounds.items())
        try:
            if key not in self._asked:
                self._asked[key] = Reachability(self._case, goal)
            return self._asked[key].exclude_by_helpers(goal, time_to_exclude(self._case))
        except OutOfBudget:
            return None
