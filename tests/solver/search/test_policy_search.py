"""Hunts for plays: what they find is legal, what they call closed is, and the same seed hunts alike."""

from __future__ import annotations

import random
from pathlib import Path

import handmade
import pytest
from building import at_most, both, equal, get, less, number
from python_instance import PythonInstance, starting

from rulespec.code import Instance
from rulespec.core import nodes as n
from rulespec.core.types import BOOL
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.plays import perform, write_down
from rulespec.solver.analyses.goals import Goal
from rulespec.solver.evidence.replay import holds, value
from rulespec.solver.explore import CodeStates
from rulespec.solver.reductions.restriction import restrict
from rulespec.solver.search import CLOSED, FOUND, OPEN, PolicySearch, single_start

YES = n.Const(BOOL, True)


def pegs(left: int, seed: int = 0) -> PolicySearch:
    """The hunt for a play that leaves so many pegs on a board of 21 holes, where 4 are the fewest."""
    game = load("peg-solitaire", parameters={"side": 5, "corner": 1})
    number_of = game.claims["ends"].condition
    return PolicySearch(game, Goal(YES, number_of), left, seed=seed)


def after(plies: int, hunt: PolicySearch) -> str:
    """How a hunt stands after so many plies."""
    return hunt.run(lambda: "enough" if hunt.plies >= plies else "")


def test_the_fewest_pegs_are_found_and_no_fewer() -> None:
    hunt = pegs(4)
    assert after(200_000, hunt) == FOUND
    _, end = write_down(hunt.game, *hunt.play)
    assert value(hunt.game, hunt.game.claims["ends"], end) == 4
    assert pegs(3).run(lambda: "") == CLOSED


def test_hunts_that_are_over_take_no_memory() -> None:
    hunt, ends = pegs(4), []
    for _ in range(8):
        other = hunt.elsewhere(())
        after(1_000, other)
        other.close()
        ends.append(hunt.code.instance.room("numbers", 1).address)
    assert max(ends[1:]) <= ends[0]


def test_the_centre_game_of_pegs_is_solved() -> None:
    game = load("peg-solitaire")
    goal = game.claims["solvable"].condition
    assert goal is not None
    hunt = PolicySearch(game, Goal(goal))
    assert after(300_000, hunt) == FOUND
    _, end = write_down(game, *hunt.play)
    assert holds(goal, end)


LONG = """
rulespec: 1
id: long-way
title: The long way
players: 1
rules:
- id: go
  prose: Roll the die, and go on by one step, or by two.
  formal: |
    state at: 0..999 = 0
    state rolled: 1..6 = 1
  action: n in 1..2
  written: "{n}"
  do: |
    roll rolled from 1..6
    at := if rolled = 6 then at else min(999, at + n)
- id: home
  prose: The game ends at home.
  end: at = 999
"""


def test_plays_of_many_plies_are_found_at_random(tmp_path: Path) -> None:
    """A goal farther away than the stack is deep was never reached, though every play leads there."""
    path = tmp_path / "ruleset.yaml"
    path.write_text(LONG.lstrip())
    game = load(path)
    hunt = PolicySearch(game, Goal(game.ends[0].condition))
    assert after(1_000_000, hunt) == FOUND
    _, end = write_down(game, *hunt.play)
    assert len(hunt.play[1]) > single_start.MOST_PLIES
    assert end.is_over


def test_it_is_closed_where_no_play_leads_there_and_only_there() -> None:
    game = handmade.ziggurat(hand_size=1, top=1)
    goal = game.ends[0].condition
    stood = set()
    for seed in range(6):
        chance = Machine(game).start(Chance(str(seed))).outcomes
        hunt = PolicySearch(game, Goal(goal), chance=chance)
        stood.add(hunt.run(lambda: ""))
        space = CodeStates(game, {"goal": goal}, chance)
        while space.deeper(lambda: "", 1_000_000):
            pass
        assert (hunt.status == FOUND) == any(space.scan("goal"))
        assert hunt.status in (FOUND, CLOSED)
    assert stood


MAZE = """
rulespec: 1
id: maze
title: Maze
players: 1
rules:
- id: maze
  prose: Go on along a passage.
  formal: |
    type Place = 0..{last}
    state place: Place = 0
  action: p in Place
  require:
    passage:
      prose: A passage leads there.
      that: place * {count} + p in {{passages}}
  do: place := p
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(8))
def test_passages_that_lead_back_leave_no_play_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """It is closed exactly where the goal is out of reach, however often it is interrupted on the way.

    Whatever led back to a state on the way was once taken to be open for good, and nothing was ever closed.
    """
    monkeypatch.setattr(single_start, "BUDGET", 4)
    monkeypatch.setattr(single_start, "FIRST_SWEEP", 3)
    rng, count = random.Random(seed), 14
    passages = {(rng.randrange(count), rng.randrange(count)) for _ in range(16)}
    reached, fresh = {0}, {0}
    while fresh:
        fresh = {b for a, b in passages if a in fresh} - reached
        reached |= fresh
    listed = ", ".join(str(a * count + b) for a, b in passages)
    text = MAZE.format(last=count - 1, count=count).replace("{passages}", f"{{{listed}}}")
    path = tmp_path / "maze.yaml"
    path.write_text(text, "utf-8")
    game = load(path)
    goal = Goal(YES, get(game.state["place"]), most=True)
    for least in range(1, count):
        hunt = PolicySearch(game, goal, least, seed=seed)
        assert after(20_000, hunt) == (FOUND if least <= max(reached) else CLOSED)


def test_what_chance_gave_on_the_way_is_told() -> None:
    game = load("pig")
    points = game.outcome.score
    assert points is not None
    goal = Goal(YES, n.Let(points.type, game.outcome.player, number(1), points), most=True)
    hunt = PolicySearch(game, goal, 20)
    assert after(100_000, hunt) == FOUND
    play, end = write_down(game, *hunt.play)
    assert end.scores[1] >= 20
    assert perform(game, play).position == end.position


def test_it_may_be_stopped_at_any_time() -> None:
    whole, broken = pegs(5), pegs(5)
    whole.run(lambda: "")
    while broken.status == OPEN:
        after(broken.plies + 1, broken)
    assert whole.play == broken.play


def test_hunts_in_the_machine_and_in_python_are_the_same() -> None:
    found = []
    for started in (Instance, PythonInstance):
        with starting(started):
            found.append(pegs(5, seed=3))
            assert after(200_000, found[-1]) == FOUND
    assert all(hunt.play == found[0].play for hunt in found)


def test_what_leads_away_for_good_is_left_out() -> None:
    game = load("sacred-alignment-small")
    cheats = game.state["cheats"]
    goal = both(game.ends[0].condition, at_most(get(cheats), number(0)))
    narrow = restrict(game, goal, {cheats: 0})
    assert set(game.actions) - set(narrow.actions) == {"draw", "lift", "put-back", "relay"}
    assert restrict(game, goal, {cheats: 0}) is narrow
    assert restrict(game, equal(get(cheats), number(1)), {}).actions.keys() >= {"lift", "relay"}


def test_where_it_is_asked_whether_play_is_over_nothing_is_left_out() -> None:
    game = load("sacred-alignment-small")
    cheats = game.state["cheats"]
    goal = both(get(game.state["over"]), less(get(cheats), number(1)))
    assert restrict(game, goal, {cheats: 0}) is game
