"""Monotone counters: none that a ply can lower is one, and goals bound only those that are."""

from __future__ import annotations

from pathlib import Path

import pytest
from confirming import Space
from stories import made, outcomes, story

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.formulas.monotone import bounds_on_the_way, monotone
from rulespec.solver.reductions.restriction import restrict

COUNTING = """
rules:
- id: state
  prose: A count, a mark, and heaps.
  formal: |
    state fouls: 0..6 = 2
    state mark: 0..3? = none
    state heaps: map 1..2 -> -1..3 = 1
    state bag: set of -2..2 = {1, 2}
    define part(k: 1..2): 0..1 = k - 1
REACTION
- id: go
  prose: Foul.
  action: k in 1..3
  require:
    room:
      prose: There is room.
      that: fouls < 5
  do: |
    DO
claims:
- id: few
  prose: Two at most after the first foul.
  reachable: fouls <= 2 and mark is some
"""


def counting(folder: Path, effect: str, reaction: str = "") -> Game:
    text = COUNTING.replace("DO", "mark := k\n    " + effect).replace("REACTION", reaction)
    return made(folder, text.replace("REACTION\n", ""))


STORES = [
    ("fouls := fouls + k", True),
    ("fouls := k + fouls", True),
    ("fouls := min(fouls + heaps[1] + 1, 6)", True),
    ("if fouls < 3: fouls := fouls + 1", True),
    ("fouls := fouls + part(k)", True),
    ("fouls := if fouls = 3 then 5 else fouls", True),
    ("fouls := 6", True),
    ("fouls := 5", False),
    ("fouls := k", False),
    ("fouls := fouls + heaps[1]", False),
    ("for x in bag: fouls := fouls + x", False),
    ("if fouls = 6: fouls := 0", False),
    ("fouls := if k = 1 then fouls + 1 else fouls - 1", False),
    # In the midst of a ply it is greater than before and after.
    ("fouls := fouls + 1\n    fouls := fouls - 1", False),
]


@pytest.mark.parametrize(("effect", "is_monotone"), STORES)
def test_counters_that_nothing_lowers_are_monotone(tmp_path: Path, effect: str, is_monotone: bool) -> None:
    game = counting(tmp_path, effect)
    fouls = game.state["fouls"]
    assert (fouls in monotone(game)) is is_monotone
    condition = game.claims["few"].condition
    assert condition is not None
    assert bounds_on_the_way(game, condition) == ({fouls: 2} if is_monotone else {})
    if is_monotone:
        space, at = Space(game), [*game.state.values()].index(fouls)
        plies = [(p.values[at], q.values[at]) for p, all_ in space.plies.items() for q in all_]
        assert all(before <= after for before, after in plies)


FOLLOWING = """- id: fall
  prose: It falls of itself.
  reaction: fouls = 5
  do: fouls := 1
"""


def test_what_follows_of_itself_may_lower_a_counter(tmp_path: Path) -> None:
    """The goal is reached through a greater count than it allows."""
    game = counting(tmp_path, "fouls := fouls + k", FOLLOWING)
    assert game.state["fouls"] not in monotone(game)
    assert outcomes(game, "few") == {PROVED}


IDLE = """- id: idle
  prose: Do little.
  action: ()
  do: mark := 1
"""


def test_a_counter_that_any_of_the_actions_lowers_is_not_monotone(tmp_path: Path) -> None:
    game = counting(tmp_path, "fouls := k", IDLE)
    assert [*game.actions] == ["idle", "go"]
    assert game.state["fouls"] not in monotone(game)
    assert outcomes(game, "few") == {PROVED}


TURN = """- id: turn
  prose: Each turn begins with a count of fouls.
  turn:
    begin: fouls := 3 - fouls mod 3
"""


def test_a_turn_that_begins_may_lower_a_counter(tmp_path: Path) -> None:
    game = counting(tmp_path, "fouls := fouls + k", TURN)
    assert game.state["fouls"] not in monotone(game)
    assert outcomes(game, "few") == {PROVED}


WAYS = """
rules:
- id: state
  prose: A count, a mark, and whether there is a key.
  formal: |
    state fouls: 0..3 = 0
    state mark: 0..3 = 0
    state keys: 0..1 = 0
- id: begin
  prose: There is a key.
  setup: keys := 1
- id: foul
  prose: A foul.
  action: ()
  require:
    few:
      prose: There is room.
      that: fouls < 3
  do: |
    fouls := fouls + 1
- id: go
  prose: Go while a foul is possible, with a key.
  action: k in 1..keys
  require:
    able:
      prose: A foul is possible.
      that: can foul
    room:
      prose: There is room.
      that: mark < 3
  do: mark := mark + k
claims:
- id: clean
  prose: Three steps without a foul.
  reachable: mark = 3 and fouls = 0
"""


@story(WAYS)
def test_actions_are_left_out_on_the_way_to_a_goal_only_if_nothing_asks_for_them(game: Game) -> None:
    """No foul is committed on the way, yet one must be possible; and the setup makes the other possible."""
    assert outcomes(game, "clean") == {PROVED}
    case = Case(game, game.claims["clean"], Budget(20))
    found = exploration.explore(case, Limits(20, 1_000))
    assert found is not None
    assert found.outcome == PROVED


@story(WAYS.replace("can foul", "keys = 1"))
def test_an_exploration_leaves_out_actions_that_pass_a_bound(game: Game) -> None:
    condition = game.claims["clean"].condition
    assert condition is not None
    assert {*restrict(game, condition, bounds_on_the_way(game, condition)).actions} == {"go"}


PERHAPS = """
rules:
- id: state
  prose: A count, a mark, and whether there is a key.
  formal: |
    state fouls: 0..3 = 0
    state mark: 0..1 = 0
    state keys: 0..1 = 0
- id: find
  prose: Find the key.
  action: ()
  require:
    lost:
      prose: It is not found yet.
      that: keys = 0
  do: keys := 1
- id: go
  prose: Go, which is a foul with the key only.
  action: ()
  require:
    first:
      prose: It is the first time.
      that: mark = 0
  do: |
    EFFECT
    mark := 1
claims:
- id: clean
  prose: Gone without a foul.
  reachable: mark = 1 and fouls = 0
"""


@story(PERHAPS.replace("EFFECT", "if keys = 1: fouls := 3"))
def test_an_effect_that_may_not_happen_passes_no_bound_surely(game: Game) -> None:
    assert outcomes(game, "clean") == {PROVED}


@story(PERHAPS.replace("EFFECT", "fouls := if keys = 1 then 3 else fouls"))
def test_a_number_that_may_be_small_passes_no_bound_surely(game: Game) -> None:
    assert outcomes(game, "clean") == {PROVED}


@story(
    """
players: 2
rules:
- id: state
  prose: A count and a mark.
  formal: |
    state fouls: 0..3 = 0
    state mark: 0..1 = 0
- id: foul
  prose: A foul.
  action: ()
  do: fouls := 3
- id: go
  prose: Go.
  action: ()
  require:
    first:
      prose: It is the first time.
      that: mark = 0
  do: mark := 1
- id: turns
  prose: If you cannot move you pass.
  turn:
    stuck: pass
claims:
- id: other
  prose: Gone without a foul, and it is the turn of the other.
  reachable: mark = 1 and fouls = 0 and mover = 2
- id: same
  prose: Gone without a foul, and it is the turn of the same player.
  reachable: mark = 1 and fouls = 0 and mover = 1
"""
)
def test_nobody_passes_who_could_do_what_is_never_done_on_the_way(game: Game) -> None:
    """A foul leads away from the goals, yet as it is possible the other player does not pass."""
    assert outcomes(game, "other") == {PROVED}
    assert outcomes(game, "same") == {REFUTED}
