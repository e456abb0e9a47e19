"""Goals that bound a counter, which never falls, where the setup has it beyond the bound already."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.language import load
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.methods.table import METHODS

AHEAD = """
rulespec: 1
id: ahead
title: Ahead
rules:
- id: clock
  prose: A clock, which never goes back.
  formal: "state n: 0..4 = 0"
- id: winding
  prose: It is set to three.
  setup: n := max(3, n)
- id: wait
  prose: Wait, or not.
  action: long in Bool
  do: |
    if long and n < 4: add 1 to n
claims:
- id: early
  prose: It may be early.
  reachable: n <= 1
- id: first
  prose: The clock is never earlier than that.
  least: n
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "ahead.yaml"
    path.write_text(AHEAD, "utf-8")
    return load(path)


def asked(game: Game, claim: str, method: str) -> Answer | None:
    return METHODS[method](Case(game, game.claims[claim], Budget(600)))


@pytest.mark.parametrize("method", ["formulas", "lengths", "plies", "exploration", "hunts"])
def test_no_play_comes_back_from_beyond_a_bound(game: Game, method: str) -> None:
    """Formulas forgot values beyond the bound after one ply, and said that a play leads below it."""
    answer = asked(game, "early", method)
    assert answer is not None
    assert answer.outcome == REFUTED


@pytest.mark.parametrize("method", ["formulas", "exploration"])
def test_the_least_is_not_less_than_the_start(game: Game, method: str) -> None:
    answer = asked(game, "first", method)
    assert answer is not None
    assert (answer.outcome, answer.numbers["value"]) == (PROVED, 3)
