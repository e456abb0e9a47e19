"""Counters that saturate: they never fall, and states that surely pass a bound are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.language import load
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.cone_of_influence import breaks_bounds
from rulespec.solver.formulas.monotone import bounds_on_the_way, monotone
from rulespec.solver.methods import sampling

COUNTED = """
rulespec: 1
id: counted
title: Faults are counted up to ten
players: 1
rules:
- id: round
  prose: You go round a track of seven squares, and each fault is counted as far as the counter goes.
  formal: |
    state square: 0..6 = 0
    state faults: 0..10 = 0
- id: go
  prose: Go one square on.
  action: ()
  written: go
  do: |
    square := (square + 1) mod 7
- id: err
  prose: Go one square on with some faults.
  action: n in 1..3
  written: err {n}
  do: |
    square := (square + 1) mod 7
    faults := FAULTS
claims:
- id: on-and-on
  prose: One can go on for ever.
  kind: endless
- id: few
  prose: Some position has no fault.
  reachable: square = 3 and faults <= 0
"""


def counted(folder: Path, faults: str) -> Game:
    path = folder / "counted.yaml"
    path.write_text(COUNTED.lstrip().replace("FAULTS", faults), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("faults", "never_falls"),
    [
        ("min(faults + n, 10)", True),
        ("min(10, n + faults)", True),
        ("if faults + n <= 10 then faults + n else 10", True),
        ("if faults = 9 then faults else 10", True),
        ("min(faults + n, 9)", False),  # from ten to nine
        ("min(n, 10)", False),
        ("min(faults - 1, 10) otherwise 0", False),
        ("if n = 1 then faults + 1 else n", False),
    ],
)
def test_a_counter_that_saturates_never_falls(tmp_path: Path, faults: str, never_falls: bool) -> None:
    game = counted(tmp_path, faults)
    assert ("faults" in {var.name for var in monotone(game)}) is never_falls
    bounds = bounds_on_the_way(game, game.claims["few"].condition or pytest.fail("no condition"))
    assert {var.name: bound for var, bound in bounds.items()} == ({"faults": 0} if never_falls else {})


@pytest.mark.parametrize(
    ("faults", "most", "breaks"),
    [
        ("min(faults + n, 10)", 0, True),
        ("min(faults + n, 10)", 1, False),
        ("min(faults + n, 0)", 0, False),
        ("if n = 1 then faults + n else 3", 0, True),
        ("if n = 1 then faults else 3", 0, False),
    ],
)
def test_states_that_surely_pass_a_bound_are_left_out(
    tmp_path: Path, faults: str, most: int, breaks: bool
) -> None:
    game = counted(tmp_path, faults)
    bounds = {game.state["faults"]: most}
    assert [breaks_bounds(game.actions[name], bounds) for name in ("go", "err")] == [False, breaks]


def test_a_play_that_comes_back_only_after_long_is_noticed(tmp_path: Path) -> None:
    """A cycle longer than the searched ways back was not noticed."""
    game = counted(tmp_path, "min(faults + n, 10)")
    found = sampling.find_repetition(Case(game, game.claims["on-and-on"], Budget(8)))
    assert found is not None
    play, first = found
    assert len(play.plays) > first >= 0
