"""Whether a goal can be reached, and in how many plies: unrolling with bounds on the length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.wording import plies
from solver.formulas.monotone import bounds_on_the_way
from solver.reductions.generalisation import LeftOpen, left_open

from .dealt_arrangements import KEPT, kept
from .inductive_unreachability import TRAP, trap
from .length_bounds import Length, length
from .one_ply import Passing
from .optimum import EXCLUDED, deal_data
from .plays import BadPlay, Play
from .problem import Answer, Case, Proof, helper_proofs, undecided
from .questions import Question

PATIENCE = 400
"""The greatest number of plies that is ever unrolled."""

EXCLUDING = 4.0
"""Seconds for an engine to find that they leave none."""

KEEPING, MOST_KEEPING = 0.5, 120.0
"""The share of what is left, and the most seconds, for what can become of what was dealt."""

SHARE_OF_NAMED = 0.5
"""The share of what is left of a budget for the same, if that is more and the claims are named as helping."""

SOON = 2.0
"""Seconds for a play of the least possible length to turn up before reasons are sought why there is none."""


@dataclass(frozen=True)
class Reached:
    """What unrolling found out about a goal.

    `play` leads there; or it is `impossible`. Otherwise nothing of at most `searched` plies leads there (-1:
    not even that was shown), and `stopped` is the limit that was met. `by` is the name of the argument for
    impossibility, if it has one.
    """

    play: Play | None = None
    impossible: bool = False
    searched: int = -1
    stopped: str = ""
    engine: str = ""
    by: str = ""


def reach(case: Case, goal: n.Expr) -> Reached:
    """Look for a play to a goal, from its least possible length on."""
    search = _Search(case, goal)
    try:
        return search.run()
    except OutOfBudget as out:
        return Reached(None, False, search.searched, str(out), search.question.engine)
    except BadPlay as refused:
        raise AssertionError(f"formulas and interpreter disagree on {case.game.id}: {refused}") from refused


def by_argument(case: Case, goal: n.Expr, name: str) -> Reached | None:
    """The result of one of the `ARGUMENTS` alone for a goal; None if it shows nothing."""
    search = _Search(case, goal)
    try:
        return search.by(name)
    except OutOfBudget as out:
        return Reached(None, False, search.searched, str(out), search.question.engine)


class Exclusion:
    """Whether what always holds leaves a position for goals, which differ in numbers only."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._searches: dict[frozenset[tuple[n.StateVar, int]], _Search] = {}
        """What was made of the rules, for each way to bound variables on the way to a goal."""

    def of(self, goal: n.Expr) -> Reached | None:
        """That a goal is impossible because no position is left for it; none if there is one, or no time."""
        bounds = bounds_on_the_way(self._case.game, goal)
        key = frozenset(bounds.items())
        try:
            if key not in self._searches:
                self._searches[key] = _Search(self._case, goal)
            return self._searches[key].excluded(goal)
        except OutOfBudget:
            return None


class _Search:
    def __init__(self, case: Case, goal: n.Expr) -> None:
        self.case, self.goal = case, goal
        self.restrict = bounds_on_the_way(case.game, goal)
        self.question = Question(case, "initial", self.restrict, [goal])
        self.passing = Passing(case, goal, self.restrict, self.question)
        self.searched = -1

    def run(self) -> Reached:
        """Whatever is cheap comes first; what was said to settle it comes before that.

        The start is asked about before a ply is unrolled, for there need not be one.
        """
        if self.question.possible([self.question.holds(self.goal, 0)]):
            return self._reached()
        self.searched = 0
        if self.case.argument in ("", EXCLUDED) and (found := self.excluded(self.goal)):
            return found
        if self.case.argument == TRAP and (found := self.trapped()):
            return found
        if self.case.argument == KEPT and (found := self.beyond_the_deal()):
            return found
        bounds = Length()
        self.question.extend(1)
        if self.question.possible():
            bounds = self.lengths()
            found = self._looked_for(bounds)
            if found is not None:
                return found
            if found := self.trapped():
                return found
        if self.case.argument != KEPT and (found := self.beyond_the_deal()):
            return found
        return self.deepen(bounds)

    def lengths(self) -> Length:
        """Bounds on the length of a play to the goal, in plies."""
        self.case.progress("how long a play must and can be")
        bounds = length(self.goal, self.passing)
        self.searched = max(self.searched, bounds.least - 1)
        return bounds

    def by(self, argument: str) -> Reached | None:
        """The result of the start, then of one of the `ARGUMENTS`."""
        if self.question.possible([self.question.holds(self.goal, 0)]):
            return self._reached()
        return ARGUMENTS[argument](self)

    def beyond_the_deal(self) -> Reached | None:
        """That the goal holds nowhere where what was dealt can come to lie."""
        seconds = self.case.budget.part(KEEPING if not self.case.argument else 1.0, MOST_KEEPING).left
        shown = kept(self.case, self.goal, self.restrict, self.question, seconds)
        return self._impossible(KEPT) if shown else None

    def excluded(self, goal: n.Expr) -> Reached | None:
        """That a goal like this one's holds in no position in which those claims hold that help.

        There is more time for it where the author named them, and all there is where this is the argument.
        """
        if not self.case.helpers:
            return None
        self.case.progress("whether what always holds excludes it")
        share = 1.0 if self.case.argument == EXCLUDED else SHARE_OF_NAMED if self.case.named else 0.0
        seconds = max(EXCLUDING, self.case.budget.left * share)
        if self._leaves(goal, seconds) is not False:
            return None
        return self._impossible(EXCLUDED)

    def _leaves(self, goal: n.Expr, seconds: float) -> bool | None:
        """Whether those claims leave a position for a goal; None if that was not found out.

        Numbers are left open there that may take many cases to work out, if those claims speak of them.
        """
        if self.opened is None:
            return self.position.possible_within(seconds, [self.position.holds(goal, 0)])
        change, position = self.opened
        return position.possible_within(seconds, one_of=[position.holds(change(goal), 0)])

    @cached_property
    def position(self) -> Question:
        """Any position at all in which those claims hold that help."""
        return self.passing.position([])

    @cached_property
    def opened(self) -> tuple[LeftOpen, Question] | None:
        """The same with the numbers left open that the goal and those claims speak of, if there are any."""
        helpers = self.case.helpers
        change = left_open(self.case.game, self.goal, helpers)
        if change is None:
            return None
        case, asked = replace(self.case, game=change.game), [change(e) for e in helpers]
        position = Question(case, "any", self.restrict, [change(self.goal), *asked], None, self.question)
        for e in asked:
            position.grant(e, 0)
        return change, position

    def trapped(self) -> Reached | None:
        """That once it can be reached no more, play never leaves the positions of which that is so."""
        return self._impossible(TRAP) if trap(self.case, self.goal, self.passing) else None

    def trapped_after_a_ply(self) -> Reached | None:
        """The same, where a ply has told more of the start."""
        self.question.extend(1)
        bounds = self.lengths()
        return self._looked_for(bounds) or self.trapped()

    def _looked_for(self, bounds: Length) -> Reached | None:
        """A play of the least length, where that is known and one turns up soon."""
        k = bounds.least
        if k <= self.searched or (bounds.most is not None and k > bounds.most):
            return None
        self.case.progress(f"plays of {plies(k)}")
        self.question.extend(k)
        answer = self.question.possible_within(SOON, [self.question.holds(self.goal, k)])
        if answer is False:
            self.searched = k
        return self._reached() if answer else None

    def deepen(self, bounds: Length) -> Reached:
        most = PATIENCE if self.case.most_plies is None else min(PATIENCE, self.case.most_plies)
        for k in range(self.searched + 1, most + 1):
            if bounds.most is not None and k > bounds.most:
                break
            self.case.progress(f"plays of {plies(k)}")
            self.question.extend(k)
            held = self.question.holds(self.goal, k)
            if self.question.possible([held]):
                return self._reached()
            self.searched = k
            if k != bounds.most and not self.question.possible():
                return self._impossible()
        if bounds.most is not None and self.searched >= bounds.most:
            return self._impossible()
        return Reached(None, False, self.searched, plies(most), self.question.engine)

    def _reached(self) -> Reached:
        return Reached(self.question.play(), False, self.searched, "", self.question.engine)

    def _impossible(self, by: str = "") -> Reached:
        return Reached(None, True, self.searched, "", self.question.engine, by)


LENGTHS, PLIES = "lengths", "plies"

ARGUMENTS: Mapping[str, Callable[[_Search], Reached | None]] = {
    EXCLUDED: lambda search: search.excluded(search.goal),
    TRAP: lambda search: search.trapped() or search.trapped_after_a_ply(),
    KEPT: _Search.beyond_the_deal,
    LENGTHS: lambda search: search.deepen(search.lengths()),
    PLIES: lambda search: search.deepen(Length()),
}
"""Ways to decide whether a goal that does not hold at the start can be reached, each by itself."""


# ---- answers


def by_reaching(case: Case, argument: str) -> Answer | None:
    """The answer of one of the `ARGUMENTS`; None if that shows nothing."""
    found = by_argument(case, case.condition, argument)
    return None if found is None else told(case, found)


def told(case: Case, found: Reached) -> Answer:
    """The answer that a result of unrolling gives to whether something can be reached."""
    yes, no = (PROVED, REFUTED) if case.claim.kind == "reachable" else (REFUTED, PROVED)
    if found.play is not None:
        proof = Proof("play", {}, found.play)
        return Answer(yes, (proof,), found.engine, {"plies": len(found.play.plays)})
    if found.impossible:
        proof = Proof("refutation", {**deal_data(case), **({"by": found.by} if found.by else {})})
        return Answer(no, (proof, *helper_proofs(case)), found.engine)
    return _not_found(case, found)


def _not_found(case: Case, found: Reached) -> Answer:
    if found.searched < 0:
        return undecided(f"Nothing was decided within {found.stopped}.", engine=found.engine)
    numbers = {"plies": found.searched}
    proof = Proof("refutation", {**deal_data(case), **numbers})
    return Answer(BOUNDED, (proof,), found.engine, numbers, stopped=found.stopped)
