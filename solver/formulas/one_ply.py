"""One ply from any position: what a ply can change, for those who ask how far plies lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from rulespec.core import nodes as n
from rulespec.core.walk import assignments

from .dependencies import Dependencies
from .progress_facts import gauges
from .question import Asker, Question


class Passing:
    """Questions about one ply within `restrict`, and about the `start`, on the way to a goal.

    What is `granted` holds in every position. `near` are the variables that the goal reads, `far` all others.
    """

    def __init__(
        self,
        case: Asker,
        goal: n.Expr,
        restrict: Mapping[n.StateVar, int],
        start: Question,
        granted: Sequence[n.Expr],
    ) -> None:
        self._case, self._goal, self._restrict, self.start = case, goal, restrict, start
        self._granted = granted
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
        about = [self._goal, *self._granted, *facts]
        one = Question(self._case, "any", self._restrict, about, only, self.start)
        for condition in self._granted:
            one.grant(condition, 0)
        return one


def _changed(effects: list[n.Effect]) -> set[n.StateVar]:
    return {assign.target for effect in effects for assign in assignments(effect)}
