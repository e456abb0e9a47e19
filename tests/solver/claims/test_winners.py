"""Winners by every method, in games whose sets hold negative or large numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import rulespec
from rulespec.budgets import Budget
from rulespec.core.verdicts import Store
from rulespec.core.verdicts.answer_form import WORTHS
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods import best_play

RULES = """
rulespec: 1
id: winners
title: Winners
players: 2
rules:
- id: things
  prose: Marks, and numbers.
  formal: |
    type Side = one of left, right
    state marks: set of {low}..{low} + 4 = {{}}
    state n: 0..3 = 0
    state last: Side? = none
- id: go
  prose: Act.
  action: s in Side
  do: |
    add 1 to n
    add {low} + n to marks
    last := s
- id: late
  prose: It ends.
  end: n = 3
- id: who
  prose: Somebody wins.
  winners: {winners}
claims:
- id: value
  prose: Best play.
  kind: value
- id: win
  prose: Who can win.
  kind: winnable
- id: sides
  prose: The sides can be exchanged.
  symmetry: s in Side -> if s is left then right else left
"""
WON = {
    "those p in Player where p = 1": ("won by 1", {1: "proved", 2: "refuted"}),
    "those p in Player where p = 2": ("won by 2", {1: "refuted", 2: "proved"}),
    "those p in Player where p > 0": ("drawn", {1: "proved", 2: "proved"}),
    "those p in Player where p = n": ("drawn", {1: "refuted", 2: "refuted"}),
    "those p in Player where last is left and p = 1 or last is right and p = 2": (
        "won by 1", {1: "proved", 2: "proved"},
    ),
}  # fmt: skip


BOTH = "those p in Player where p > 0"
"""Here both players always win together."""
MOVER = next(reversed(WON))
"""Here the winner is chosen by the last player to act."""


def made(folder: Path, low: int, winners: str) -> Path:
    path = folder / "winners.yaml"
    path.write_text(RULES.strip().format(low=low, winners=winners) + "\n", "utf-8")
    return path


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("low", "winners"),
    [*((-2, winners) for winners in WON), (-900, BOTH), (-900, MOVER), (1, MOVER)],
)
def test_all_methods_agree_on_winners(tmp_path: Path, low: int, winners: str) -> None:
    """A win counted as a draw if any set of the game held a negative number."""
    value, seats = WON[winners]
    path = made(tmp_path, low, winners)
    loader, store = partial(load, path), Store()
    found = {v.claim: v for v in prove(loader, timeout=300, store=store)}
    assert value.replace("won by", "won by player") in found["value"].statement
    told = {e.data["seat"]: e.data["outcome"] for e in found["win"].evidence}
    assert told == seats
    assert found["sides"].outcome == ("refuted" if "left" in winners else "proved")
    assert [(c.verdict.claim, c.text) for c in recheck(store, loader) if not c.passed] == []
    wins = rulespec.simulate(str(path), 20, seed=1).wins
    assert all(not share.count for p, share in wins.items() if seats[int(p)] == "refuted")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("low", [-2, -900])
@pytest.mark.parametrize("winners", WON)
def test_a_search_with_memory_agrees_on_winners(tmp_path: Path, low: int, winners: str) -> None:
    game = load(made(tmp_path, low, winners))
    case = Case(game, game.claims["value"], Budget(30))
    looked = exploration.explore(case, Limits(30, 1_000))
    assert looked is not None
    found = best_play.search(case)
    if winners == BOTH:  # the search sees some ends only, and cannot tell that nobody never wins
        assert found.outcome == "undecided"
        assert "win together" in found.remarks[0]
    else:
        assert found.numbers["value"] == looked.numbers["value"]
    assert WON[winners][0] in WORTHS[looked.numbers["value"]]
