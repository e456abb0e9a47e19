"""What an undecided claim advises to do next."""

from __future__ import annotations

from pathlib import Path

import pytest
from stories import made

from rulespec.budgets import Budget
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.next_steps import next_step

DICE = """
rules:
- id: frame
  prose: Dice.
  formal: |
    type Face = 1..6
    state dice: {state}
    state done: Bool = false
- id: throw
  prose: Throw.
  action: ()
  do: |
    {throw}
    done := true
- id: end
  prose: The end.
  end: done
claims:
- id: mean
  prose: The mean.
  expected: {score}
- id: over
  prose: It ends.
  reachable: done
"""
IN_A_ROW = DICE.format(
    state="map 1..5 -> Face = 1", throw="for i in 1..5: roll dice[i] from Face", score="dice[1]"
)
IN_A_BAG = DICE.format(state="bag of Face up to 5 = {}", throw="roll 5 of Face into dice", score="dice[1]")


@pytest.mark.parametrize(
    ("text", "claim", "advised"),
    [(IN_A_ROW, "mean", True), (IN_A_BAG, "mean", False), (IN_A_ROW, "over", False)],
)
def test_dice_in_a_row_are_advised_into_a_bag(text: str, claim: str, advised: bool, tmp_path: Path) -> None:
    game = made(tmp_path, text)
    advice = next_step(Case(game, game.claims[claim], Budget(1.0)), "ended at its share (3 s)")
    assert "Allow more time" in advice
    assert ("in a bag" in advice) == advised


@pytest.mark.parametrize("hidden", ["hidden ", ""])
def test_a_pile_whose_contents_all_may_know_is_advised_to_be_open(hidden: str, tmp_path: Path) -> None:
    stock = f"    {hidden}state stock: set of Face = Face\n    state done"
    text = IN_A_BAG.replace("    state done", stock).replace("roll 5 of Face", "draw 5 of stock")
    game = made(tmp_path, text)
    advice = next_step(Case(game, game.claims["mean"], Budget(1.0)), "ended at its share (3 s)")
    assert ("what is left in `stock`" in advice) == bool(hidden)
