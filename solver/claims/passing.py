"""One ply from any position: what a ply can change, for those who ask how far plies lead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rulespec.core import nodes as n

from .asking import Question
from .case import Case
from .gauges import gauges
from .structure import variables


class Passing:
    """Questions about one ply within `restrict`, and about the `start`, on the way to a goal.

    `near` are the variables that the goal reads, `far` all others.
    """

    def __init__(self, case: Case, goal: n.Expr, restrict: Mapping[n.StateVar, int], start: Question) -> None:
        self._case, self._goal, self._restrict, self.start = case, goal, restrict, start
        read = variables(goal)
        self.near = [var for var in case.game.state.values() if var in read]
        self.far = [var for var in case.game.state.values() if var not in read]

    @cached_property
    def about_near(self) -> Question:
        """One ply, and what it does to the variables that the goal reads."""
        return self._about(self.near)

    @cached_property
    def about_all(self) -> Question:
        """One ply, and what it does to anything."""
        return self._about([*self.near, *self.far])

    def _about(self, group: list[n.StateVar]) -> Question:
        facts = [fact for gauge in gauges(group) for fact in gauge.facts]
        helpers = self._case.helpers
        one = Question(self._case, "any", self._restrict, [self._goal, *helpers, *facts], like=self.start)
        for helper in helpers:
            one.grant(helper, 0)
        one.extend(1)
        return one
