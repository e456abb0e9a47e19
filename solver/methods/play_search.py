"""Deciding claims by looking for plays: those that settle a claim, and the best value that plays reach.

The interpreter replays a play before it is accepted. If a hunt reports that no play is left unseen, every
state is visited once more, storing whole states and not their hashes: that is the evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from rulespec.budgets import Stopwatch
from rulespec.code import TooLarge
from rulespec.core import nodes as n
from rulespec.core.types import BOOL
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.core.verdicts.properties import Form, Over
from rulespec.play.face import State
from rulespec.play.plays import BadPlay, Play, perform, write_down
from rulespec.solver.analyses.goals import Goal
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.optimum import Scale, best, beyond
from rulespec.solver.evidence.problem import Answer, Case, Proof, with_history
from rulespec.solver.evidence.replay import answer_by_play, value
from rulespec.solver.explore.state_space import MOST_POSITIONS, Limits
from rulespec.solver.formulas.monotone import bounds_on_the_way
from rulespec.solver.search import CLOSED, FOUND, HillClimbing, PolicySearch

FORMS = (Form.REACHABLE, Form.OPTIMUM)
"""The forms of properties for which plays are looked for."""
ENGINE = "search"
ALONE = 2.0
"""Seconds of work on the best value that is not excluded, before any other is tried."""
TURN = 0.25
"""Seconds of a turn for the hunts for the best value and for any better one."""
FLOOR = 0.1
"""The share of the remaining time for proving rank by rank that hash-based exclusions are right."""

CLIMBING = 0.5
"""Seconds of a turn for improving a play and its deal."""

Stop = Callable[[], str]


class Pursuit:
    """Looks for plays that settle a case, continuing between calls; results are kept.

    For a best value, ranks below `floor` are out of reach, and that of `ceiling` was reached; there is
    evidence below `proved`, otherwise only hashes support it.
    """

    def __init__(self, case: Case) -> None:
        self.case, self.goal = case, goal_of(case)
        self.scale = Scale.of(case) if case.prop.form is Form.OPTIMUM else None
        self.floor, self.ceiling = 0, self.scale.size if self.scale else 0
        self.play: Play | None = None
        """The play that reaches the rank of `ceiling`, for a best value."""
        self.proved, self.proofs = 0, tuple[Proof, ...]()
        self._hunts: dict[str, PolicySearch] = {}
        """The hunts by their ranks: `floor`, or the rank before `ceiling`."""
        self._climb: HillClimbing | None = None
        for play in case.hints if self.scale is not None else ():
            if case.chance is None or play.chance[: len(case.chance)] == case.chance:
                with suppress(BadPlay):
                    self._note(play, perform(case.game, play))

    def _note(self, play: Play, end: State) -> None:
        """Record a play with its end if it reaches a better number than all before."""
        scale, reached = self.scale, value(self.case.game, self.case.claim, end)
        assert scale is not None
        if reached is not None and scale.low <= reached <= scale.high and scale.rank(reached) < self.ceiling:
            self.ceiling, self.play = scale.rank(reached), replace(play, end=end)

    def leave_out(self, ranks: int, proofs: Sequence[Proof]) -> None:
        """Leave out the first ranks of a best value, which proofs show to be out of reach."""
        if ranks > self.proved:
            self.floor, self.proved, self.proofs = max(self.floor, ranks), ranks, tuple(proofs)

    def run(self, stop: Stop) -> Answer | None:
        """Search until the case is settled or `stop` gives a reason. None also if the game has no code."""
        if self.case.prop.form is Form.OPTIMUM and self.scale is None:
            return None
        try:
            return self._best(self.scale, stop) if self.scale else self._reachable(stop)
        except TooLarge:
            return None

    def _hunt(self, bound: int) -> PolicySearch:
        """A hunt for a play within a bound."""
        most = bounds_on_the_way(self.case.game, self.goal.within(bound))
        return PolicySearch(self.case.game, self.goal, bound, most, chance=self.case.chance)

    # ---- a play

    def _reachable(self, stop: Stop) -> Answer | None:
        """The answer if a play to the goal is found, or if no position reaches it; else None."""
        case = self.case
        case.progress("looking for a play")
        if "floor" not in self._hunts:
            self._hunts["floor"] = self._hunt(0)
        hunt = self._hunts["floor"]
        stands = hunt.run(stop)
        if stands == CLOSED:
            return self._every_position(case)
        return answer_by_play(case, write_down(case.game, *hunt.play)[0], ENGINE) if stands == FOUND else None

    def _every_position(self, case: Case, seconds: float = math.inf) -> Answer | None:
        """The answer of an exploration of all positions, within limits."""
        if seconds == math.inf:
            case.progress("looking at every position that plays may pass")
        limits = Limits(min(seconds, case.budget.seconds_left), MOST_POSITIONS)
        return exploration.explore(case, limits)

    # ---- the best

    def _best(self, scale: Scale, stop: Stop) -> Answer | None:
        """Narrow the best value down from both sides.

        While no play has reached a value, all positions are explored now and then, for as long as all hunts
        have taken.
        """
        work, look = Stopwatch(work=True), ALONE
        while self.floor < self.ceiling and not stop():
            self._turn("floor", self.floor, scale, stop)
            if self.case.chance is None and self.case.game.has_chance and self.floor < self.ceiling:
                self._turn_climb(stop)
            self.case.keep(self.partly())
            if self.floor < self.ceiling - 1 and work.seconds >= ALONE:
                self._turn("ceiling", self.ceiling - 1, scale, stop)
            if self.play is None and self.floor < self.ceiling and work.seconds >= look:
                if self._prove(self.ceiling - 1, look):
                    self.floor = self.ceiling
                look = 2 * work.seconds
        return self._settle(scale) if self.floor >= self.ceiling else None

    def _turn(self, which: str, rank: int, scale: Scale, stop: Stop) -> None:
        """Continue a hunt for a rank or better, for a while."""
        hunt = self._hunts.pop(which, None)
        if hunt is None:
            self.case.progress(f"looking for {scale.words(rank)}")
            hunt = self._hunt(scale.value(rank))
        work = Stopwatch(work=True)
        stands = hunt.run(lambda: stop() or ("turn" if work.seconds > TURN else ""))
        if stands == FOUND:
            self._note(*write_down(self.case.game, *hunt.play))
        elif stands == CLOSED:
            self.floor = rank + 1
        elif self.floor <= rank < self.ceiling:  # else it is for what is ruled out or reached by now
            self._hunts[which] = hunt

    def _turn_climb(self, stop: Stop) -> None:
        """Continue to improve a play and its deal by small changes, for a while."""
        if self._climb is None:
            self.case.progress("making a play and its deal better")
            self._climb = HillClimbing(self.case.game, self.goal)
        work, better = Stopwatch(work=True), False
        while work.seconds < CLIMBING and not stop():
            better = self._climb.step() or better
        if better:
            self._note(*write_down(self.case.game, *self._climb.play))

    def prove_floor(self) -> None:
        """Prove the ranks below the floor one by one, for a while; a search by hashes only suggests them."""
        until = self.case.budget.part(FLOOR)
        while self.proved < self.floor and not until.exceeded_limit:
            if not self._prove(self.proved, until.seconds_left):
                break

    def _prove(self, rank: int, seconds: float) -> bool:
        """Prove with whole states that a rank and all before it are out of reach; True if that succeeds."""
        assert self.scale is not None
        bound = self.scale.value(rank)
        shown = self._every_position(beyond(self.case, {"bound": bound}), seconds)
        if shown is None or shown.outcome != PROVED:
            return False
        self.proved = rank + 1
        self.proofs = tuple(Proof(p.kind, {**p.data, "bound": bound}) for p in shown.proofs)
        return True

    def _settle(self, scale: Scale) -> Answer | None:
        """The answer once all ranks below the best play found are proved impossible; None if one is not."""
        if self.proved < self.floor and not self._prove(self.floor - 1, math.inf):
            self.floor = self.proved
            return None
        return best(self.case, scale, self.play, self.proofs, ENGINE)

    def join_bounds(self, told: Answer | None) -> Answer | None:
        """The answer with the bounds of a best value from plays and from an answer by formulas."""
        scale, partly = self.scale, self.partly()
        if told is None or scale is None or told.outcome in (PROVED, REFUTED):
            return told or partly
        ruled_out = [p for p in told.proofs if p.kind != "play"]
        found = best(self.case, scale, self.play, ruled_out, told.engine, told.stopped)
        return replace(found, remarks=told.remarks)

    def partly(self) -> Answer | None:
        """The bounds of an unsettled best value."""
        if self.scale is None:
            return None
        return best(self.case, self.scale, self.play, self.proofs, ENGINE, self.case.ran_out)


def goal_of(case: Case) -> Goal:
    """The goal of plays that settle a case."""
    if case.prop.form is not Form.OPTIMUM:
        return Goal(case.condition)
    return Goal(case.claim.when or n.Const(BOOL, True), case.condition, case.most)


def search_work(case: Case, value: int) -> int | None:
    """The number of plies that the policy search plays until it reaches a value, or the case's goal.

    Equal cases give equal numbers. None if it finds no play within the budget, or the game has no code.
    """
    goal = goal_of(case)
    most = bounds_on_the_way(case.game, goal.within(value))
    try:
        search = PolicySearch(case.game, goal, value, most, chance=case.chance)
    except TooLarge:
        return None
    return search.plies if search.run(lambda: case.budget.exceeded_limit) == FOUND else None


def find_violation(case: Case, seconds: float, until: Stop) -> Answer | None:
    """Find a play on which an invariant fails, or a number falls against its claim."""
    share = case.budget.part(1.0, seconds)
    asked = with_history(case) if case.prop.over is Over.REMEMBERED else case
    case.progress("looking for a play that breaks it")
    try:
        hunt = PolicySearch(asked.game, Goal(n.Not(BOOL, asked.claim.always)), chance=case.chance)
        if hunt.run(lambda: share.exceeded_limit or until()) != FOUND:
            return None
    except TooLarge:
        return None
    return answer_by_play(case, write_down(case.game, *hunt.play)[0], ENGINE)
