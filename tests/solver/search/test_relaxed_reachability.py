"""States without hope: the goal is reached from none of them, and games are over there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.code.runner import Plain
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import BOOL
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from solver.analyses import pruning
from solver.analyses.goals import Goal
from solver.analyses.pruning import hopes, pruned
from solver.analyses.relaxed_reachability import relaxed_goal
from solver.evidence import exploration
from solver.evidence.problem import Case
from solver.explore.state_space import Limits
from solver.search import CLOSED, FOUND, PolicySearch

TILING = """
rulespec: 1
id: tiling
title: Tiling
players:
  number: 1
parameters:
  again:
    type: 0..1
    default: 0
    prose: Whether what lies may be covered.
rules:
- id: board
  prose: A board of two rows, and tokens with numbers.
  formal: |
    type Cell = {row: 1..2, col: 1..3}
    type Tile = {at: Cell, to: Cell}
      where at < to and abs(at.row - to.row) + abs(at.col - to.col) = 1
    type Token = 1..6
    define cells(t: Tile): set of Cell = {t.at, t.to}
    define beside(a: Cell, b: Cell) = abs(a.row - b.row) + abs(a.col - b.col) = 1
    state shown: map Cell -> Token? = none
    state hand: set of Token = {}
    state bag: list of Token up to 6 = []
- id: deal
  prose: Two tokens are in the hand.
  setup: |
    shuffle Token into bag
    move top 2 of bag into hand
- id: lay
  prose: Lay a tile and give it the number of a token, not less than a neighbour by two or more.
  action: k in hand, t in Tile
  require:
    vacant:
      prose: Its squares are free.
      that: again = 1 or every c in cells(t) satisfies shown[c] is none
    near:
      prose: Its number is near those beside it.
      that: |
        every c in cells(t) satisfies every b in Cell where beside(b, c) satisfies
          shown[b] is none or shown[b] <= k + 1 and not (shown[b] < k - 1)
  do: |
    remove k from hand
    for c in cells(t): shown[c] := k
    move top 1 of bag into hand
- id: full
  prose: Every square shows a number.
  end: every c in Cell satisfies shown[c] is some
"""

TILED = """claims:
- id: tiled
  prose: Every square can show a number.
  reachable: every c in Cell satisfies shown[c] is some
"""


@pytest.fixture
def tiling(tmp_path: Path) -> Path:
    path = tmp_path / "ruleset.yaml"
    path.write_text(TILING, encoding="utf-8")
    return path


def reaching(game: Game, seed: str) -> dict[Position, bool]:
    """Whether the end can be reached, of every position from a deal."""
    machine, found = Machine(game), dict[Position, bool]()

    def look(position: Position) -> bool:  # every position is looked at, whatever was found before
        if position not in found:
            after = [machine.play(position, move, Chance(None)).position for move in machine.moves(position)]
            found[position] = (position.ended == "full") + sum(map(look, after)) > 0
        return found[position]

    look(machine.start(Chance(seed)).position)
    return found


def test_no_state_from_which_the_goal_is_reached_is_without_hope(tiling: Path) -> None:
    game = load(tiling)
    hoped = relaxed_goal(game, game.ends[0].condition)
    assert hoped is not None
    machine, left_out = Machine(game), 0
    for seed in range(8):
        for position, reaches in reaching(game, str(seed)).items():
            hopeful = evaluate(hoped, {}, machine.situation(position))
            assert hopeful or not reaches
            left_out += not hopeful
    assert left_out > 100


def test_a_hunt_leaves_such_states_out_and_says_the_same(tiling: Path) -> None:
    game = load(tiling)
    goal = game.ends[0].condition
    assert hopes(pruned(game, goal, {}))
    stood = set()
    for seed in range(8):
        chance = Machine(game).start(Chance(str(seed))).outcomes
        hunt = PolicySearch(game, Goal(goal), chance=chance, tools=Plain)
        stands = hunt.run(lambda: "")
        assert stands == (FOUND if any(reaching(game, str(seed)).values()) else CLOSED)
        stood.add(stands)
    assert stood == {FOUND, CLOSED}


def test_where_nothing_is_settled_for_good_there_is_always_hope(tiling: Path) -> None:
    game = load(tiling, parameters={"again": 1})
    assert relaxed_goal(game, game.ends[0].condition) is None
    game = load("sacred-alignment-small")  # whose dominoes may be taken up again
    assert relaxed_goal(game, game.ends[0].condition) is None


def test_a_wrong_reading_misleads_hunts_and_no_verdict(tiling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a reading of the rules calls out of reach, an exploration looks for it."""
    monkeypatch.setattr(pruning, "relaxed_goal", lambda game, goal: n.Const(BOOL, False))
    text = tiling.read_text("utf-8") + TILED
    tiling.write_text(text, encoding="utf-8")
    game = load(tiling)
    for seed in range(4):
        chance = Machine(game).start(Chance(str(seed))).outcomes
        assert PolicySearch(game, Goal(game.ends[0].condition), chance=chance, tools=Plain).run(str) == CLOSED
        found = exploration.explore(Case(game, game.claims["tiled"], Budget(30), chance), Limits(30, 20_000))
        assert found is not None
        assert found.outcome == (PROVED if any(reaching(game, str(seed)).values()) else REFUTED)
