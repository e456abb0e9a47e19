"""In which order the ways to decide a claim are tried."""

from __future__ import annotations

import time

import pytest

from rulespec.budgets import Budget, can_fork
from rulespec.code.runner import Plain
from rulespec.core.verdicts import PROVED
from rulespec.language import load
from solver.evidence.problem import Answer, Case
from solver.explore import state_space
from solver.methods import portfolio


@pytest.mark.skipif(not can_fork(), reason="nothing is done beside anything else here")
def test_a_small_game_is_seen_whole_while_formulas_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas once had the whole budget, and only what they left went to compiled code."""

    def slow(case: Case, pursuit: object = None) -> Answer | None:
        time.sleep(60)
        return None

    monkeypatch.setattr(portfolio, "by_formulas", slow)
    monkeypatch.setattr(portfolio, "ALONE", 0.1)
    monkeypatch.setattr(state_space, "EASY_POSITIONS", 10)
    monkeypatch.setattr(state_space, "tools_for", lambda limits: Plain)
    state_space.forget()
    game = load("hex", None, {"side": 2})
    case = Case(game, game.claims["one-winner"], Budget(30))
    answer = portfolio.decide(case)
    assert answer.outcome == PROVED
    assert answer.engine == "generated code"
    assert case.budget.spent < 20
