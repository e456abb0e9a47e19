"""Whether a goal can be reached, and in how many plies: unrolling with bounds on the length."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.core import nodes as n

from .asking import OutOfBudget, Question
from .case import Case, plies
from .monotone import bounds_on_the_way
from .plays import BadPlay, Play
from .rates import Length, length

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
    restrict = bounds_on_the_way(case.game, goal)
    searched, engine, bounds = -1, "", Length()
    try:
        question = Question(case, "initial", restrict, [goal])
        engine = question.engine
        question.extend(1)
        if question.possible():
            case.progress("how long a play must and can be")
            bounds = length(case, goal, restrict, question)
        searched = bounds.least - 1
        for k in range(bounds.least, PATIENCE + 1):
            if bounds.most is not None and k > bounds.most:
                return Reached(None, _why(restrict, bounds, searched), searched, "", engine)
            case.progress(f"plays of {plies(k)}")
            question.extend(k)
            if question.possible([question.holds(goal, k)]):
                return Reached(question.play(), "", searched, "", engine)
            searched = k
            if not question.possible():
                return Reached(
                    None, f"{_keeping(restrict)}no play has more than {plies(k - 1)}", searched, "", engine
                )
        return Reached(None, "", searched, f"{PATIENCE} plies", engine)
    except OutOfBudget as out:
        return Reached(None, "", searched, str(out), engine)
    except BadPlay as refused:
        raise AssertionError(f"formulas and interpreter disagree on {case.game.id}: {refused}") from refused


def _keeping(restrict: dict[n.StateVar, int]) -> str:
    kept = " and ".join(
        f"`{var.name}` never falls and so stays at most {bound}" for var, bound in restrict.items()
    )
    return f"{kept}; " if kept else ""


def _why(restrict: dict[n.StateVar, int], bounds: Length, searched: int) -> str:
    shortest = f"; {bounds.why_least}" if bounds.why_least else ""
    return f"{_keeping(restrict)}{bounds.why_most}{shortest}; no play of {plies(searched)} leads there"
