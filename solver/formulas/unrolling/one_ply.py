"""One ply from any position: the changes that a ply can make, for bounds on the length of plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, List, Map, Optional, Set, integers

from ..dependencies import Dependencies, actions_changing
from .question import Asker, Question


class Passing:
    """Questions about one ply within `restrict`, and about the `start`, on the way to a goal.

    Conditions that are `granted` hold in every position. `near` are the variables that the goal reads, `far`
    the others.
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
        """One ply, and its effect on the variables that the goal reads."""
        return self._ply(self.near)

    @cached_property
    def about_all(self) -> Question:
        """One ply, and its effect on all variables."""
        return self._ply([*self.near, *self.far])

    def changing(self, group: list[n.StateVar]) -> Question:
        """One ply by an action that can change some of these variables, and its effect on them."""
        own = {v for v in group if gauges([v])}
        return self._ply(group, actions_changing(self._case.game, own))

    def position(self, group: list[n.StateVar], only: list[str] | None = None) -> Question:
        """An arbitrary position, with these variables, from which only some actions are taken."""
        about = [self._goal, *(fact for gauge in gauges(group) for fact in gauge)]
        return Question(self._case, "any", self._restrict, about, only, self.start, granted=self._granted)

    def _ply(self, group: list[n.StateVar], only: list[str] | None = None) -> Question:
        one = self.position(group, only)
        one.extend(1)
        return one


# ---- gauges: rows of yes-or-no facts by which it is seen how far a play has come


Gauge = tuple[n.Expr, ...]
"""Facts about one variable, some of which a ply may make true: non-empty places of a map, elements of a
set, lengths of a list."""


def gauges(of: Iterable[n.StateVar]) -> list[Gauge]:
    """The gauges of some variables, for filling and for emptying them."""
    filling = filter(None, map(_facts, of))
    return [gauge for facts in filling for gauge in (facts, tuple(n.Not(BOOL, fact) for fact in facts))]


def _facts(var: n.StateVar) -> Gauge:
    """The conditions whose number measures a variable: entries that are some, members, positions in use."""
    t, whole = var.type, n.Get(var.type, var)
    if isinstance(t, Map) and isinstance(t.of, Optional):
        reads = [n.Read(t.of, whole, n.Const(t.keys, key)) for key in t.keys.values]
        return tuple(n.Not(BOOL, n.IsNone(BOOL, read)) for read in reads)
    if isinstance(t, Set) and t.of is not None:
        return tuple(n.Member(BOOL, n.Const(t.of, value), whole) for value in t.of.values)
    if isinstance(t, List):
        size = n.Size(integers(0, t.cap), whole)
        return tuple(n.Less(BOOL, n.Const(integers(i, i), i), size) for i in range(t.cap))
    return ()
