"""Measures taken apart into facts: the same number, and the same word on whether a ply lowers it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.evaluate import evaluate
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.evidence.problem import Case
from rulespec.solver.evidence.ranking import terminates
from rulespec.solver.formulas.linear.linear_forms import linear_form
from rulespec.solver.methods.wrong_measures import where_it_need_not_fall

PURSES = """\
rulespec: 1
id: purses
title: Purses
players: 1
parameters:
  back:
    type: 0..8
    default: 3
    prose: How many small coins come back for a large one.
rules:
- id: purse
  prose: Large coins, small coins, and marks.
  formal: |
    state large: 0..2 = 2
    state small: 0..40 = 0
    state marks: set of 1..2 = {}
    define worth: 0..100 = 4 * large + small + 2 * (2 - size(marks)) + count(m in 1..2 where not m in marks)
- id: change
  prose: Change a large coin.
  action: ()
  written: change
  require:
    some:
      prose: There is one.
      that: large > 0
  do: |
    remove 1 from large
    small := small + back
- id: spend
  prose: Spend a small coin.
  action: ()
  written: spend
  require:
    some:
      prose: There is one.
      that: small > 0
  do: remove 1 from small
- id: mark
  prose: Mark what is not marked and find small coins.
  action: m in 1..2
  written: mark {m}
  require:
    new:
      prose: It is not marked.
      that: not m in marks
  do: |
    add m to marks
    small := small + 2
claims:
- id: ends
  prose: It ends.
  terminates: worth
"""


@pytest.fixture
def purses(tmp_path: Path) -> Path:
    path = tmp_path / "purses.yaml"
    path.write_text(PURSES, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "claim"),
    [(name, "ends") for name in ("leistiko-small", "kuhn-poker", "smith-tiny", "tic-tac-toe", "hex")],
)
def test_a_total_is_the_measure(name: str, claim: str) -> None:
    game = load(name)
    machine, chance, rng = Machine(game), Chance("7"), random.Random(7)
    measure = game.claims[claim].condition
    assert measure is not None
    total = linear_form(measure)
    at = machine.start(chance).position
    for _ in range(6):
        situation = machine.situation(at)
        held = sum(f.weight for f in total.facts if machine.holds(f.fact, situation))
        assert total.base + held == evaluate(measure, {}, situation) >= total.least
        moves = list(machine.moves(at))
        if not moves:
            break
        at = machine.play(at, rng.choice(moves), chance).position


LONGEST = {0: 14, 3: 14, 4: None}


@pytest.mark.parametrize(("back", "most"), LONGEST.items())
def test_a_ply_that_gives_and_takes_lowers_it_if_it_takes_more(
    purses: Path, back: int, most: int | None
) -> None:
    game = load(purses, parameters={"back": back})
    shown = terminates(Case(game, game.claims["ends"], Budget(120, 4000)))
    assert (shown.numbers["plies"] if shown else None) == most


ROUNDS = """\
rulespec: 1
id: rounds
title: Rounds
players: 1
rules:
- id: round
  prose: A pile and a wheel.
  formal: |
    state left: 0..9 = 5
    state wheel: 0..9 = 0
- id: turn
  prose: Take one, and turn the wheel.
  action: ()
  written: turn
  require:
    some:
      prose: There is one.
      that: left > 0
  do: |
    remove 1 from left
    wheel := if wheel < 3 then wheel + 1 else if wheel = 7 then 9 else 0
claims:
- id: right
  prose: Every game ends.
  terminates: left
- id: stays
  prose: Every game ends.
  terminates: wheel
- id: strange
  prose: Every game ends.
  terminates: 2 * left + wheel
"""


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        ("right", ""),
        ("stays", "The last ply of this play takes the measure from 0 to 1, 1 ply: turn."),
        ("strange", "The ply `turn` takes the measure from "),
    ],
)
def test_a_measure_that_need_not_fall_shows_where(tmp_path: Path, claim: str, shown: str) -> None:
    """It was said to need not fall *from some position*, and none was shown."""
    path = tmp_path / "rounds.yaml"
    path.write_text(ROUNDS, "utf-8")
    game = load(path)
    said = where_it_need_not_fall(Case(game, game.claims[claim], Budget(60)))
    assert said.startswith(shown) and bool(said) == bool(shown)
    if claim == "strange":  # a wheel at 7 turns to 9, and no play reaches a wheel at 7
        assert "which perhaps no play reaches (other than as declared): " in said and "wheel: 0 -> 7" in said
