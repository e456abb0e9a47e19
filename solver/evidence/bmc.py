"""Reachability of a goal: arguments proved by formulas, and unrolling with bounds on the length."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.verdicts import BOUNDED, UNDECIDED
from rulespec.core.verdicts.wording import plies
from rulespec.play.plays import Play
from rulespec.solver.formulas.monotone import bounds_on_the_way
from rulespec.solver.formulas.unrolling.one_ply import Passing
from rulespec.solver.formulas.unrolling.question import Question
from rulespec.solver.reductions.generalisation import LeftOpen, left_open

from .one_ply_arguments import TRAP, Length, length, trap
from .optimum import EXCLUDED, deal_data
from .problem import Answer, Case, Proof, helper_proofs, no_answer

PATIENCE = 400
"""Maximum number of plies that are ever unrolled."""


@dataclass(frozen=True)
class UnrollingResult:
    """The result of unrolling for a goal.

    `play` leads there; or it is `impossible`. Otherwise no play of at most `searched` plies leads there (-1:
    not even that was proved), and `stopped` is the limit that was reached. `data` is the evidence entry of
    the argument for impossibility.
    """

    play: Play | None = None
    impossible: bool = False
    searched: int = -1
    stopped: str = ""
    engine: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    answer: Answer | None = None
    """The answer to the claim, if an argument of another kind gave it."""


class Reachability:
    """A goal and proofs about it by formulas; all methods but `start` need a goal that is false there."""

    def __init__(self, case: Case, goal: n.Expr) -> None:
        self.case, self.goal = case, goal
        self.restrict = bounds_on_the_way(case.game, goal)
        self.question = Question(case, "initial", self.restrict, [goal])
        self.passing = Passing(case, goal, self.restrict, self.question, case.helpers)
        self.searched = -1

    def start(self) -> UnrollingResult | None:
        """The play without plies, if the goal holds at a start.

        This is tested before a ply is unrolled, because there may be none.
        """
        if self.question.possible([self.question.holds(self.goal, 0)]):
            return self.found_play()
        self.searched = 0
        return None

    def exclude_by_helpers(self, goal: n.Expr, seconds: float = math.inf) -> UnrollingResult | None:
        """Prove that the helping claims exclude the goal, or a goal like it, in every position."""
        if not self.case.helpers:
            return None
        self.case.progress("whether what always holds excludes it")
        return None if self._leaves(goal, seconds) is not False else self._impossible({"by": EXCLUDED})

    def _leaves(self, goal: n.Expr, seconds: float) -> bool | None:
        """True if the helping claims leave a position for a goal; None if that stayed open.

        Numbers with many cases are left open there, if the claims mention them.
        """
        if self._general is None:
            return self._position.possible_within(seconds, [self._position.holds(goal, 0)])
        change, position = self._general
        return position.possible_within(seconds, one_of=[position.holds(change(goal), 0)])

    @cached_property
    def _position(self) -> Question:
        """An arbitrary position in which the helping claims hold."""
        return self.passing.position([])

    @cached_property
    def _general(self) -> tuple[LeftOpen, Question] | None:
        """The game with numbers left open, and the question in it; None if goal and claims share none."""
        helpers = self.case.helpers
        change = left_open(self.case.game, self.goal, helpers)
        if change is None:
            return None
        case, asked = replace(self.case, game=change.game), [change(e) for e in helpers]
        goal = change(self.goal)
        return change, Question(case, "any", self.restrict, [goal], None, self.question, granted=asked)

    def prove_goal_free_region(self) -> UnrollingResult | None:
        """Prove that plays never leave the positions from which the goal is out of reach."""
        return self._impossible({"by": TRAP}) if trap(self.case, self.goal, self.passing) else None

    def trapped_after_a_ply(self) -> UnrollingResult | None:
        """The same for plays of the minimum length, which says more of their starts."""
        self.question.extend(1)
        self.question.extend(self.lengths().least)
        return self.prove_goal_free_region()

    def lengths(self) -> Length:
        """Bounds on the number of plies of a play to the goal."""
        self.case.progress("how long a play must and can be")
        bounds = length(self.goal, self.passing)
        self.searched = max(self.searched, bounds.least - 1)
        return bounds

    def deepen(self, bounds: Length) -> UnrollingResult:
        """Unroll ply by ply within bounds on the length of plays."""
        most = PATIENCE if self.case.most_plies is None else min(PATIENCE, self.case.most_plies)
        for k in range(self.searched + 1, most + 1):
            if bounds.most is not None and k > bounds.most:
                break
            self.case.progress(f"plays of {plies(k)}")
            self.question.extend(k)
            held = self.question.holds(self.goal, k)
            if self.question.possible([held]):
                return self.found_play()
            if k != bounds.most and not self.question.possible():
                return self._impossible({})
            self.searched = k
        if bounds.most is not None and self.searched >= bounds.most:
            return self._impossible({})
        return self.partial_result(plies(most))

    def found_play(self) -> UnrollingResult:
        """The result with the play of the last model."""
        return UnrollingResult(self.question.play(), False, self.searched, "", self.question.engine)

    def partial_result(self, why: str) -> UnrollingResult:
        """The result so far."""
        return UnrollingResult(None, False, self.searched, why, self.question.engine)

    def _impossible(self, data: Mapping[str, Any]) -> UnrollingResult:
        return UnrollingResult(None, True, self.searched, "", self.question.engine, data)


LENGTHS, PLIES = "lengths", "plies"

ARGUMENTS: Mapping[str, Callable[[Reachability], UnrollingResult | None]] = {
    EXCLUDED: lambda asked: asked.exclude_by_helpers(asked.goal),
    TRAP: lambda asked: asked.prove_goal_free_region() or asked.trapped_after_a_ply(),
    LENGTHS: lambda asked: asked.deepen(asked.lengths()),
    PLIES: lambda asked: asked.deepen(Length()),
}
"""Ways to decide whether a goal that does not hold at the start can be reached, by their names in evidence
(the last two have none there)."""


def by_argument(case: Case, goal: n.Expr, name: str) -> UnrollingResult | None:
    """The result of one of the `ARGUMENTS` alone for a goal; None if it proves nothing."""
    asked = Reachability(case, goal)
    try:
        return asked.start() or ARGUMENTS[name](asked)
    except OutOfBudget as out:
        return asked.partial_result(str(out))


# ---- answers


def by_reaching(case: Case, argument: str) -> Answer | None:
    """The answer of one of the `ARGUMENTS`; None if it proves nothing."""
    found = by_argument(case, case.condition, argument)
    return None if found is None else answer_to_reaching(case, found)


def by_bounded_reaching(case: Case) -> Answer | None:
    """The answer by unrolling to the depth of the case, which says nothing about longer plays.

    If no play is that long, unrolling proves more; to get that, leave out the depth.
    """
    found = by_argument(case, case.condition, PLIES)
    if found is not None and found.impossible and case.most_plies is not None:
        depth = min(PATIENCE, case.most_plies)
        found = replace(found, impossible=False, searched=depth, stopped=plies(depth))
    return None if found is None else answer_to_reaching(case, found)


def answer_to_reaching(case: Case, found: UnrollingResult) -> Answer:
    """The answer to a reachability claim that a result of unrolling gives."""
    if found.answer is not None:
        return found.answer
    yes, no = case.prop.by_play or UNDECIDED, case.prop.without_play or UNDECIDED
    if found.play is not None:
        proof = Proof("play", {}, found.play)
        return Answer(yes, (proof,), found.engine, {"plies": len(found.play.plays)})
    if found.impossible:
        proof = Proof("refutation", {**deal_data(case), **found.data})
        return Answer(no, (proof, *helper_proofs(case)), found.engine)
    return _not_found(case, found)


def _not_found(case: Case, found: UnrollingResult) -> Answer:
    """The answer after no play was found up to a depth."""
    if found.searched < 0:
        return no_answer(f"Nothing was decided within {found.stopped}.", engine=found.engine)
    numbers = {"plies": found.searched}
    proof = Proof("refutation", {**deal_data(case), **numbers})
    return Answer(BOUNDED, (proof,), found.engine, numbers, stopped=found.stopped)
