"""Where formulas would grow too large, or the time is over, a claim stays undecided and says why."""

from __future__ import annotations

import pytest
from building import get
from handmade import ziggurat

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.game import Claim
from rulespec.core.verdicts import UNDECIDED
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas import aig
from rulespec.solver.formulas.unrolling import transition_template
from rulespec.solver.formulas.unrolling.question import Question
from rulespec.solver.methods.table import FORMULAS

KINDS = ("reachable", "unreachable", "never_stuck", "never_faults")


@pytest.mark.parametrize("kind", KINDS)
def test_formulas_that_grow_too_large_decide_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transition_template, "MOST_IN_A_PLY", 150)
    game = ziggurat()
    claim = Claim("asked", "", kind, get(game.state["over"]))
    answer = FORMULAS(Case(game, claim, Budget(20.0, 4_000)))
    assert answer is not None
    assert answer.outcome == UNDECIDED
    _, note = answer.remarks
    assert note.startswith("Formulas do not cover this: ")
    assert note.endswith("more than 150 gates.")


def test_building_formulas_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aig, "PAUSE", 10)
    game = ziggurat()
    claim = Claim("asked", "", "reachable", get(game.state["over"]))
    budget = Budget(20.0, 4_000)
    question = Question(Case(game, claim, budget), "initial", None, [get(game.state["over"])])
    budget.seconds = 0.0
    with pytest.raises(OutOfBudget):
        question.extend()
