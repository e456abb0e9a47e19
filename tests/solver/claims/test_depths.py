"""Evidence that names a depth: it says nothing of longer plays, even where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.budgets import Budget
from rulespec.core.verdicts import BOUNDED, REFUTED, Evidence
from rulespec.language import load
from rulespec.solver.evidence.engine_rules import by_evidence
from rulespec.solver.evidence.problem import Case

SHORT = """
rulespec: 1
id: short
title: Short
rules:
- id: clock
  prose: A clock.
  formal: "state n: 0..3 = 0"
- id: wait
  prose: Wait.
  action: to in 1..3
  require:
    next:
      prose: It is the next hour.
      that: to = n + 1
  do: n := to
claims:
- id: never
  prose: The clock strikes four.
  reachable: n + 1 = 5
"""


@pytest.mark.parametrize(
    ("data", "outcome"),
    [({"plies": 2}, BOUNDED), ({"plies": 3}, BOUNDED), ({"plies": 60}, BOUNDED), ({}, REFUTED)],
)
def test_a_depth_says_nothing_of_longer_plays(tmp_path: Path, data: dict[str, Any], outcome: str) -> None:
    """A prover that ran out of time after a leap to a least length had its verdict refused by the judge."""
    path = tmp_path / "short.yaml"
    path.write_text(SHORT, "utf-8")
    game = load(path)
    answer = by_evidence(Case(game, game.claims["never"], Budget(600)), Evidence("refutation", data))
    assert answer is not None
    assert answer.outcome == outcome
    assert answer.numbers.get("plies") == data.get("plies")
