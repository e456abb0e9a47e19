"""Claims are explored without the variables that bear on nothing that they ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from stories import made

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.play.plays import perform
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.optimum import beyond
from rulespec.solver.evidence.positions import Positions
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods.play_search import Pursuit
from rulespec.solver.reductions.influence import influential

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
DUEL = """
players: 2
rules:
- id: ring
  prose: A token goes round a ring of seven places, and the steps are counted.
  formal: |
    type Place = 0..6
    state place: Place = 0
    state steps: 0..900 = 0
    state last: Player? = none
- id: go
  prose: In turn, move the token by one place or two, either way.
  action: to in Place
  require:
    near:
      prose: The token goes no further.
      that: (to - place) mod 7 in {reach}
  do: |
    place := to
    steps := min(steps + 1, 900)
    last := mover
- id: home
  prose: Whoever brings the token to place three or four wins.
  end: place in 3..4
  winners: {winners}
claims:
- id: mirrored
  prose: The ring can be turned over.
  symmetry: p in Place -> (7 - p) mod 7
- id: best-play
  prose: The first player wins, or nobody.
  kind: value
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


@pytest.mark.parametrize(
    ("reach", "winners", "worth"),
    [("{1, 6}", "last", 0), ("{1, 2}", "after(last)", 1), ("{1, 2}", "last", -1)],
    ids=["endless", "won by 1", "won by 2"],
)
def test_best_play_does_not_hang_on_what_is_counted(
    tmp_path: Path, reach: str, winners: str, worth: int
) -> None:
    """The same as by all positions of the game; who moved last bears on nothing but who wins."""
    game = made(tmp_path, DUEL.replace("{reach}", reach).replace("{winners}", winners))
    case = Case(game, game.claims["best-play"], Budget(60))
    whole = Positions(case, Limits(60.0, 20_000, folded=False), ways=True)
    assert whole.all()
    assert int(Graph(whole.states).values(None)[0]) == worth
    answer = explored(game, "best-play")
    assert answer.numbers["value"] == worth
    assert answer.numbers["states"] <= min(whole.seen_count, 40)
    assert (whole.seen_count > 900) == (worth == 0)


def test_symmetries_hold_of_what_is_left(tmp_path: Path, stored: list[tuple[int, int]]) -> None:
    """Claims of symmetries went with all others, so each position was stored beside its image."""
    game = made(tmp_path, DUEL.replace("{reach}", "{1, 6}").replace("{winners}", "last"))
    explored(game, "best-play")
    ((folded, seen),) = stored
    assert folded < seen
