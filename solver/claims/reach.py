"""Whether a goal can be reached, and in how many plies: unrolling with bounds on the length."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.core import nodes as n

from .asking import OutOfBudget, Question
from .case import Case, plies
from .monotone import bounds_on_the_way
from .plays import BadPlay, Play
from .rates import Length, length
from .traps import trap

PATIENCE = 400
"""The greatest number of plies that is ever unrolled."""


@dataclass(frozen=True)
class Reached:
    """What unrolling found out about a goal.

    `play` leads there; or `impossible` says why nothing does. Otherwise nothing of at most `searched`
    plies does (-1: not even that is known), and `stopped` says what ran out.
    """

    play: Play | None = None
    impossible: str = ""
    searched: int = -1
    stopped: str = ""
    engine: str = ""


def reach(case: Case, goal: n.Expr) -> Reached:
    """Look for a play to a goal, from its least possible length on."""
    search = _Search(case, goal)
    try:
        return search.run()
    except OutOfBudget as out:
        return Reached(None, "", search.searched, str(out), search.question.engine)
    except BadPlay as refused:
        raise AssertionError(f"formulas and interpreter disagree on {case.game.id}: {refused}") from refused


class _Search:
    def __init__(self, case: Case, goal: n.Expr) -> None:
        self.case, self.goal = case, goal
        self.restrict = bounds_on_the_way(case.game, goal)
        self.question = self._fresh()
        self.searched = -1

    def _fresh(self) -> Question:
        return Question(self.case, "initial", self.restrict, [self.goal])

    def run(self) -> Reached:
        bounds = Length()
        self.question.extend(1)
        if self.question.possible():
            out_of_reach = trap(self.case, self.goal, self.restrict, self.question)
            if out_of_reach:
                return self._impossible(out_of_reach)
            self.case.progress("how long a play must and can be")
            bounds = length(self.case, self.goal, self.restrict, self.question)
        self.searched = bounds.least - 1
        for k in range(bounds.least, PATIENCE + 1):
            if bounds.most is not None and k > bounds.most:
                return self._impossible(_why(bounds, self.searched))
            self.case.progress(f"plays of {plies(k)}")
            question = self._ask(k, k == bounds.most, alone=k == bounds.most or 0 < k == bounds.least)
            if question is not None:
                return Reached(question.play(), "", self.searched, "", question.engine)
            self.searched = k
            if k != bounds.most and not self.question.possible():
                return self._impossible(f"no play has more than {plies(self.question.rules.plies - 1)}")
        return Reached(None, "", self.searched, f"{PATIENCE} plies", self.question.engine)

    def _ask(self, k: int, last: bool, alone: bool) -> Question | None:
        """The question whose model is a play of `k` plies to the goal; None if there is none.

        One that is likely to settle it is asked afresh, `alone`: engines answer it sooner.
        """
        if alone:
            once = self._fresh()
            once.extend(k)
            once.demand(self.goal, k)
            if once.possible():
                return once
            if not last:
                self.question.extend(k)
            return None
        self.question.extend(k)
        held = self.question.holds(self.goal, k)
        return self.question if self.question.possible([held]) else None

    def _impossible(self, why: str) -> Reached:
        return Reached(None, _keeping(self.restrict) + why, self.searched, "", self.question.engine)


def _keeping(restrict: dict[n.StateVar, int]) -> str:
    kept = " and ".join(
        f"`{var.name}` never falls and so stays at most {bound}" for var, bound in restrict.items()
    )
    return f"{kept}; " if kept else ""


def _why(bounds: Length, searched: int) -> str:
    shortest = f"; {bounds.why_least}" if bounds.why_least else ""
    return f"{bounds.why_most}{shortest}; no play of {plies(searched)} leads there"
