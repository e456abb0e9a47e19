"""In which order the ways to decide a claim are tried."""

from __future__ import annotations

import time

import pytest

from rulespec.budgets import Budget, can_fork
from rulespec.code.runner import Plain
from rulespec.core.verdicts import PROVED
from rulespec.language import load
from solver.claims import decide, looking
from solver.claims.case import Answer, Case
from solver.claims.deciders import by_search


@pytest.mark.skipif(not can_fork(), reason="nothing is done beside anything else here")
def test_a_small_game_is_seen_whole_while_formulas_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas once had the whole budget, and only what they left went to compiled code."""

    def slow(case: Case, pursuit: object = None) -> Answer | None:
        time.sleep(60)
        return None

    monkeypatch.setattr(decide, "by_formulas", slow)
    monkeypatch.setattr(decide, "ALONE", 0.1)
    monkeypatch.setattr(by_search, "EASY_POSITIONS", 10)
    monkeypatch.setattr(looking, "tools_for", lambda limits: Plain)
    looking.forget()
    game = load("hex", None, {"side": 2})
    case = Case(game, game.claims["one-winner"], Budget(30))
    answer = decide.decide(case)
    assert answer.outcome == PROVED
    assert answer.engine == "generated code"
    assert case.budget.spent < 20
