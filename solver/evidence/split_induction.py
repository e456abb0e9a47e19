"""Invariants shown by what the parts of a ply do: an action, and what follows it.

Of a ply as a whole it is asked what follows in a state that was merged from all ways to act, where nothing is
left of what each of them asked for. Taken apart, the first part is asked way by way; and what follows, of any
state in the midst of a ply, where those claims hold that no way to act ends.
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
    """Show an invariant part by part; None if that does not show it.

    Whether the game is over is known at the end of a ply only, so claims about that are not shown so.
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

        What follows an action may see to that, whatever was done; else no way to act may end the claim.
        """
        helpers = [_conjuncts(e) for e in self.case.helpers if not _asks_whether_over(self.case, e)]
        midst = [one for claim in helpers if self._acts_keep(claim, True) for one in claim]
        if self._brought_about(midst):
            return True
        kept = any(self._acts_keep(self.claim, loose) for loose in (True, False))
        return kept and self._brought_about([*midst, *self.claim])

    def _acts_keep(self, claim: Sequence[n.Expr], loose: bool) -> bool:
        """True if no way to act ends one of the claims, nothing that follows being done yet."""
        for action in filter(self.begin.may_take, self.case.game.actions.values()):
            question = self._anywhere([*self.claim, *self.case.helpers], claim, loose)
            ends = (e for one in claim for e in question.condition_after_acting(action, n.Not(BOOL, one)))
            if question.possible(one_of=list(ends)):
                return False
        return True

    def _brought_about(self, granted: Sequence[n.Expr]) -> bool:
        """True if what follows an action leads to a state where the claim holds, if conditions hold before.

        What is costly in the rules is left open first.
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
    """The conditions that a claim is the conjunction of, each to be asked by itself."""
    return [one for part in conjuncts(e) for one in instances(part)]
