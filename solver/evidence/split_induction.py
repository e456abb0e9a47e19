"""Invariants proved by the parts of a ply: an action, and its consequences.

In a ply as a whole, the consequences are evaluated in a state merged from all ways to act, which has lost the
requirements of each. Taken apart, each way to act is a question of its own; the consequences start from any
state within a ply in which the claims hold that no way to act breaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.traversal import conjuncts
from rulespec.core.types import BOOL
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.linear.equivalences import instances
from rulespec.solver.formulas.unrolling.question import Question

from .problem import Answer, Case, by_induction

PARTS = "parts"
"""The name of this argument in evidence."""


def by_parts(case: Case) -> Answer | None:
    """Prove an invariant part by part; None if that fails.

    Whether the game has ended is known only after a ply, so claims about that are excluded.
    """
    case = case if case.helper_names else replace(case, lemmas={})
    if _asks_whether_over(case, case.claim.always):
        return None
    case.progress("induction: part by part")
    parts = _Parts(case)
    if not parts.begins() or not parts.is_preserved():
        return None
    return by_induction(case, parts.begin.engine, 1, case.helper_names, by=PARTS)


def _asks_whether_over(case: Case, e: n.Expr) -> bool:
    return case.game.state["over"] in Dependencies(case.game).reads(e)


class _Parts:
    def __init__(self, case: Case) -> None:
        self.case, self.claim = case, _conjuncts(case.claim.always)
        self.begin = Question(case, "initial", None, self.claim)

    def begins(self) -> bool:
        """True if the claim holds at the start."""
        return not self.begin.possible(one_of=[-self.begin.holds(one, 0) for one in self.claim])

    def is_preserved(self) -> bool:
        """True if the claim holds after every ply.

        Either the consequences of actions restore it in any case, or no action breaks it.
        """
        helpers = [_conjuncts(e) for e in self.case.helpers if not _asks_whether_over(self.case, e)]
        midst = [one for claim in helpers if self._acts_keep(claim, True) for one in claim]
        if self._brought_about(midst):
            return True
        kept = any(self._acts_keep(self.claim, loose) for loose in (True, False))
        return kept and self._brought_about([*midst, *self.claim])

    def _acts_keep(self, claim: Sequence[n.Expr], loose: bool) -> bool:
        """True if no action breaks one of the claims before its consequences."""
        for action in filter(self.begin.may_take, self.case.game.actions.values()):
            question = self._anywhere([*self.claim, *self.case.helpers], claim, loose)
            ends = (e for one in claim for e in question.condition_after_acting(action, n.Not(BOOL, one)))
            if question.possible(one_of=list(ends)):
                return False
        return True

    def _brought_about(self, granted: Sequence[n.Expr]) -> bool:
        """True if the consequences of an action make the claim true where conditions hold before.

        Costly parts of the rules are left open first.
        """
        for loose in (True, False):
            question = self._anywhere(granted, self.claim, loose)
            fails = (question.condition_after_reactions(n.Not(BOOL, one)) for one in self.claim)
            if not question.possible(one_of=list(fails)):
                return True
            if not question.is_relaxed:
                break
        return False

    def _anywhere(self, granted: Sequence[n.Expr], about: Sequence[n.Expr], loose: bool) -> Question:
        """Any state in which conditions hold."""
        return Question(self.case, "any", None, about, None, self.begin, loose, granted)


def _conjuncts(e: n.Expr) -> list[n.Expr]:
    """The conjuncts of a claim, each a question of its own."""
    return [one for part in conjuncts(e) for one in instances(part)]
