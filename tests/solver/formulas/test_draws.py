"""Draws by formulas, where the set that is drawn from may be empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.language import load
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.table import METHODS

BAG = """\
rulespec: 1
id: bag
title: A bag
players: 1
rules:
- id: bag
  prose: A coin says whether anything is in the bag.
  formal: |
    state bag: set of 1..3 = {}
    state coin: 1..2 = 1
    state drawn: 0..3 = 0
    state draws: 0..1 = 0
  setup: |
    roll coin from 1..2
    if coin = 2: add 3 to bag
- id: draw
  prose: Draw once.
  action: ()
  require:
    first:
      prose: Nobody has drawn.
      that: draws = 0
  do: |
    roll drawn from bag
    add 1 to draws
claims:
- id: nothing
  prose: One draws, and gets nothing.
  reachable: draws = 1 and drawn = 0
- id: three
  prose: One draws the three.
  reachable: draws = 1 and drawn = 3
- id: neither
  prose: One gets something that was not there, which is wrong.
  reachable: drawn = 1
"""


@pytest.mark.parametrize(
    ("claim", "outcome"), [("nothing", "proved"), ("three", "proved"), ("neither", "refuted")]
)
def test_a_draw_from_nothing_does_nothing(tmp_path: Path, claim: str, outcome: str) -> None:
    """A draw from an empty set was stored as a value that is none of all."""
    path = tmp_path / "bag.yaml"
    path.write_text(BAG, "utf-8")
    game = load(path)
    found = METHODS["plies"](Case(game, game.claims[claim], Budget(20)))
    assert found is not None
    assert found.outcome == outcome
