"""One ply from any position: what a ply can change, for those who ask how far plies lead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rulespec.core import nodes as n
from rulespec.core.walk import assignments
from solver.formulas.dependencies import Dependencies

from .problem import Case
from .progress_facts import gauges
from .questions import Question


class Passing:
    """Questions about one ply within `restrict`, and about the `start`, on the way to a goal.

    `near` are the variables that the goal reads, `far` all others.
    """

    def __init__(self, case: Case, goal: n.Expr, restrict: Mapping[n.StateVar, int], start: Question) -> None:
        self._case, self._goal, self._restrict, self.start = case, goal, restrict, start
        read = Dependencies(case.game).reads(goal)
        self.near = [var for var in case.game.state.values() if var in read]
        self.far = [var for var in case.game.state.values() if var not in read]

    @cached_property
    def about_near(self) -> Question:
        """One ply, and what it does to the variables that the goal reads."""
        return self._ply(self.near)

    @cached_property
    def about_all(self) -> Question:
        """One ply, and what it does to anything."""
        return self._ply([*self.near, *self.far])

    def changing(self, group: list[n.StateVar]) -> Question:
        """One ply by an action that can change some of these variables, and what it does to them."""
        own = {v for v in group if gauges([v])}
        shared = [self._case.game.turn.begin, *(r.effect for r in self._case.game.reactions)]
        if own & _changed(shared):
            return self._ply(group)
        return self._ply(
            group, [a.id for a in self._case.game.actions.values() if own & _changed([a.effect])]
        )

    def position(self, group: list[n.StateVar]) -> Question:
        """Any position at all, and these variables in it."""
        return self._any(group, None)

    def _ply(self, group: list[n.StateVar], only: list[str] | None = None) -> Question:
        one = self._any(group, only)
        one.extend(1)
        return one

    def _any(self, group: list[n.StateVar], only: list[str] | None) -> Question:
        facts = [fact for gauge in gauges(group) for fact in gauge.facts]
        helpers = self._case.helpers
        about = [self._goal, *helpers, *facts]
        one = Question(self._case, "any", self._restrict, about, only, self.start)
        for helper in helpers:
            one.grant(helper, 0)
        return one


def _changed(effects: list[n.Effect]) -> set[n.StateVar]:
    return {assign.target for effect in effects for assign in assignments(effect)}
