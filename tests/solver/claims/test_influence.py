"""Claims are explored without the variables that bear on nothing that they ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from stories import made

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.play.plays import perform
from solver.evidence import exploration
from solver.evidence.optimum import beyond
from solver.evidence.problem import Answer, Case
from solver.explore.state_space import Limits
from solver.methods.play_search import Pursuit
from solver.reductions.influence import influential

WALK = """
rules:
- id: walk
  prose: Walk round a ring of eight places, and count the steps.
  formal: |
    state place: 0..7 = 0
    state steps: 0..900 = 0
  action: ()
  do: |
    place := (place + 2) mod 8
    steps := {steps}
claims:
- id: second
  prose: Place six is reached.
  reachable: place = 6
- id: odd
  prose: No odd place is reached.
  unreachable: place mod 2 = 1
- id: far
  prose: Place two is never reached after 100 steps.
  unreachable: place = 2 and steps > 100
- id: fewest
  prose: The fewest steps to an odd place.
  least: steps
  when: place mod 2 = 1
- id: lowest
  prose: The lowest number of place six.
  least: min(place, 6)
  when: place = 6
"""
CAPPED, FAULTY = "min(steps + 1, 900)", "steps + 300"


def walk(folder: Path, steps: str = CAPPED) -> Game:
    return made(folder, WALK.replace("{steps}", steps))


def explored(game: Game, name: str) -> Answer:
    answer = exploration.explore(Case(game, game.claims[name], Budget(60)), Limits(60.0, 10_000))
    assert answer is not None
    return answer


def test_positions_are_not_told_apart_by_a_counter_that_nobody_asks_for(tmp_path: Path) -> None:
    game = walk(tmp_path)
    answer = explored(game, "odd")
    assert (answer.outcome, answer.numbers["states"]) == (PROVED, 4)
    assert explored(game, "far").outcome == REFUTED


def test_a_play_goes_as_it_does_in_the_game(tmp_path: Path) -> None:
    """Its end is a position of the game, where the steps were counted."""
    game = walk(tmp_path)
    (proof,) = (p for p in explored(game, "second").proofs if p.play is not None)
    assert proof.play is not None
    assert proof.play.end == perform(game, proof.play)
    assert proof.play.end is not None
    assert proof.play.end.values["steps"] == 3


def test_a_play_ends_with_a_fault_though_nobody_asks_for_what_faults(tmp_path: Path) -> None:
    """A number of many values that nobody asks for was not watched: a play went on past its greatest."""
    game = walk(tmp_path, FAULTY)
    assert influential(game, [game.claims["odd"].always]) is game
    assert explored(game, "odd").numbers["states"] == 5
    assert explored(game, "second").outcome == PROVED
    far = made(tmp_path, WALK.replace("{steps}", "steps + 301"))
    assert explored(far, "second").outcome == REFUTED


def test_no_value_can_be_reached_however_large(tmp_path: Path) -> None:
    """Of a best value every rank was asked by itself, each with as many positions as there are steps."""
    game = walk(tmp_path)
    answer = Pursuit(Case(game, game.claims["fewest"], Budget(60))).run(lambda: "")
    assert answer is not None
    assert answer.outcome == REFUTED
    (proof,) = answer.proofs
    assert (proof.data["bound"], sum(proof.data["counts"])) == (900, 4)


@pytest.mark.parametrize(("bound", "outcome"), [(5, PROVED), (6, REFUTED)])
def test_the_last_value_is_reached_and_none_before(tmp_path: Path, bound: int, outcome: str) -> None:
    """That nothing lies beyond a bound needs no question where the bound is the last value that there is."""
    game = walk(tmp_path)
    case = beyond(Case(game, game.claims["lowest"], Budget(60)), {"bound": bound})
    answer = exploration.explore(case, Limits(60.0, 10_000))
    assert answer is not None
    assert answer.outcome == outcome
