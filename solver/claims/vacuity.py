"""Tests for claims that hold vacuously, because nothing that they speak of can happen."""

from __future__ import annotations

from dataclasses import replace

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Claim
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.core.verdicts.properties import Form
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.engines import NoEngine
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.unrolling.question import Question
from rulespec.solver.methods import sampling
from rulespec.solver.methods.scheduler import decide

SHARE, SECONDS = 0.3, 10.0
"""The share of a claim's remaining time, and the maximum seconds, for testing its premise."""
AT_ONCE = 2.0
"""Maximum seconds for testing that a claim holds for any rules."""

UNSEEN = "What it presupposes held in no position of the random plays tried, so it may say nothing."
"""The remark on a premise that no random play met; it depends on the number of plays tried in the time."""


def note_vacuity(case: Case, answer: Answer) -> Answer:
    """Add a note to an answer if its claim holds vacuously, or a remark if that is possible."""
    if answer.outcome != PROVED or answer.notes:
        return answer
    if case.prop.holds_without_plies and _never_begins(case):
        return replace(answer, notes=("over-at-once",))
    if (speaks := case.claim.premise) is not None:
        return _note_premise(case, answer, speaks)
    if (case.prop.form, case.prop.negated) == (Form.REACHABLE, True) and _impossible(case, case.condition):
        return replace(answer, notes=("holds-of-any-rules",))
    return answer


def _never_begins(case: Case) -> bool:
    """True if no play has a ply; known if the game has no chance or the deal is given."""
    if case.game.has_chance and case.chance is None:
        return False
    return Machine(case.game).start(Chance("0", case.chance or ())).position.is_over


def _note_premise(case: Case, answer: Answer, speaks: n.Expr) -> Answer:
    """Add a note if an invariant's premise is never met; a remark if no random play met it."""
    if sampling.is_met(case, speaks):
        return answer
    part = case.budget.part(SHARE, SECONDS)
    met = Claim(case.claim.id, "", "reachable", speaks)
    found = decide(replace(case, claim=met, budget=part, hints=()))
    if found.outcome == PROVED:
        return answer
    if found.outcome == REFUTED:
        return replace(answer, notes=("premise-never-met",))
    return replace(answer, remarks=(*answer.remarks, UNSEEN))


def _impossible(case: Case, condition: n.Expr) -> bool:
    """True if a condition holds in no position, reachable or not."""
    if isinstance(condition, n.Const):
        return not condition.value
    brief = replace(case, budget=case.budget.part(SHARE, AT_ONCE))
    try:
        question = Question(brief, "any", None, [condition])
        return not question.possible([question.holds(condition, 0)])
    except (OutOfBudget, TooWide, NoEngine):
        return False
