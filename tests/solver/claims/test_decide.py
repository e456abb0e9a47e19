"""In which order the ways to decide a claim are tried."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from rulespec.budgets import Budget, can_fork
from rulespec.core.verdicts import PROVED
from rulespec.language import load
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore import state_space
from rulespec.solver.methods import scheduler
from rulespec.solver.methods.method import Run


@pytest.mark.skipif(not can_fork(), reason="nothing is done beside anything else here")
def test_a_small_game_is_seen_whole_while_formulas_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas once had the whole budget, and only what they left went to code."""

    def slow(run: Run, seconds: float) -> Answer | None:
        time.sleep(60)
        return None

    plan = [
        replace(s, method=replace(s.method, attempt=slow)) if s.aside else s
        for s in scheduler.PLAN
        if s.method.name != "conserved sums"  # which uses formulas at once
    ]
    monkeypatch.setattr(scheduler, "PLAN", plan)
    monkeypatch.setattr(scheduler, "ALONE", 0.1)
    monkeypatch.setattr(state_space, "EASY_POSITIONS", 10)
    state_space.forget()
    game = load("hex", None, {"side": 2})
    case = Case(game, game.claims["one-winner"], Budget(30))
    answer = scheduler.decide(case)
    assert answer.outcome == PROVED
    assert answer.engine == "generated code"
    assert case.budget.seconds_spent < 20
