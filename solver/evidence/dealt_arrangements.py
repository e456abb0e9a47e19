"""Goals that are out of reach of what was dealt, wherever everything else may lie.

Of a position only what was dealt is kept: which cards are in a hand and in a pile, say. From such an
arrangement another can come about if one ply leads from any position with the one to some position with the
other, no matter whether plays reach it; claims that hold in every position are granted. Where that leads to
few arrangements, and the goal holds in no position with one of them, no play leads to the goal.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.types import BOOL, Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from solver.formulas.dependencies import actions_changing
from solver.formulas.question import Question

from .problem import Case

KEPT = "kept"
"""The name of this argument in evidence."""
MOST = 2_000
"""So many arrangements are gone through."""

Arrangement = tuple[Value, ...]


class Arrangements:
    """The arrangements that what a deal puts into some variables can come to."""

    def __init__(
        self,
        case: Case,
        goal: n.Expr,
        restrict: Mapping[n.StateVar, int],
        start: Question,
        variables: list[n.StateVar],
        seconds: float,
    ) -> None:
        self.goal, self.variables, self.budget = goal, variables, Budget(seconds)
        asked = [goal, *case.helpers, *(n.Get(var.type, var) for var in variables)]
        self.one = Question(case, "any", restrict, asked, actions_changing(case.game, variables), start)
        self.one.extend(1)
        # The goal is asked of positions from which no ply need be possible.
        self.there = Question(case, "any", restrict, asked, None, start)
        for helper in case.helpers:
            self.one.grant(helper, 0)
            self.there.grant(helper, 0)
        values = Machine(case.game).start(Chance(None, case.chance or ())).position.values
        held = dict(zip(case.game.state.values(), values, strict=True))
        self.first: Arrangement = tuple(held[var] for var in variables)

    def exclude_it(self) -> bool:
        """True if the goal holds in none of them; False also if they are too many."""
        seen, waiting = {self.first}, [self.first]
        while waiting:
            here = waiting.pop()
            reached = [_is(self.there, self.variables, here, 0), self.there.holds(self.goal, 0)]
            if len(seen) > MOST or self._possible(self.there, reached) is not False:
                return False
            before, others = self._at(here, 0), [-self._at(here, 1)]
            while True:
                found = self._possible(self.one, [before, *others])
                if found is None:
                    return False
                if not found:
                    break
                after = self.one.found(1)
                other = tuple(after[var] for var in self.variables)
                others.append(-self._at(other, 1))
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return True

    def _possible(self, question: Question, literals: list[int]) -> bool | None:
        left = self.budget.left
        return question.possible_within(left, literals) if left > 0 else None

    def _at(self, arrangement: Arrangement, k: int) -> int:
        return _is(self.one, self.variables, arrangement, k)


def _is(question: Question, variables: list[n.StateVar], arrangement: Arrangement, k: int) -> int:
    """The literal that after so many plies everything dealt lies as in an arrangement."""
    pairs = zip(variables, arrangement, strict=True)
    equal = (n.Equal(BOOL, n.Get(v.type, v), n.Const(v.type, value)) for v, value in pairs)
    return question.gates.all(question.holds(e, k) for e in equal)
