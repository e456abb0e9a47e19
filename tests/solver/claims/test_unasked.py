"""Values that nobody asks for: fewer states, and every play is one of the game."""

from __future__ import annotations

from pathlib import Path

from rulespec.core.game import Game
from rulespec.language import load
from solver.analyses.dropped_counters import uncounted
from solver.analyses.value_abstraction import alike, unasked
from solver.explore import CodeStates

FERRY = """
rulespec: 1
id: ferry
title: A ferry
players: 1
rules:
- id: crossing
  prose: Something is on board, or nothing; what was on board once is remembered.
  formal: |
    type Load = 1..4
    state aboard: Load? = none
    state seen: map Load -> Load? = none
    state trips: 0..3 = 0
- id: take
  prose: Take something on board.
  action: x in Load
  written: take {x}
  require:
    room:
      prose: The ferry is empty.
      that: aboard is none and trips < 3
  do: aboard := x
- id: cross
  prose: Take it over.
  action: ()
  written: cross
  require:
    full:
      prose: Something is aboard.
      that: aboard is some
  do: |
    seen[1] := aboard
    aboard := none
    add 1 to trips
- id: done
  prose: Three trips, and the last of them is remembered.
  end: trips = 3 and seen[1] is some
"""


def states(game: Game) -> int:
    space = CodeStates(game)
    while space.deeper(lambda: "", 100_000):
        pass
    return space.states


def ferry(tmp_path: Path, but: str = "", then: str = "") -> Game:
    path = tmp_path / "ruleset.yaml"
    path.write_text(FERRY.strip().replace(but, then) if but else FERRY.strip(), "utf-8")
    return load(path)


def found(game: Game) -> set[str]:
    effects = [game.setup, *(action.effect for action in game.actions.values())]
    asked = [game.ends[0].condition]
    asked += [r.condition for action in game.actions.values() for r in action.requirements]
    return {var.name for var in unasked(game, [*effects, *asked])}


def test_one_value_stands_for_all_where_only_whether_there_is_one_is_asked(tmp_path: Path) -> None:
    """What is aboard is handed on, so it is asked for; what is remembered is not."""
    game = ferry(tmp_path)
    assert found(game) == {"seen"}
    assert states(game) == 5 + 2 * 4 * 5 + 4
    assert states(alike(game, frozenset({game.state["seen"]}))) == 3 * 5 + 1


def test_a_value_that_is_asked_for_is_told_apart(tmp_path: Path) -> None:
    assert found(ferry(tmp_path, "seen[1] is some", "seen[1] = 2")) == set()
    assert found(ferry(tmp_path, "seen[1] := aboard", "seen[1] := 3")) == {"aboard", "seen"}


def test_where_a_domino_was_is_not_asked(tmp_path: Path) -> None:
    """It is where only what is moved counts as a cheat."""
    for readings, alone in (({}, {"lifted"}), ({"cheat-count": "moved"}, set())):
        game = load("sacred-alignment-small", readings=readings)
        goal = game.ends[0].condition
        effects = [game.setup, *(action.effect for action in game.actions.values())]
        asked = [r.condition for action in game.actions.values() for r in action.requirements]
        assert {var.name for var in unasked(game, [goal, *effects, *asked])} == alone
        assert uncounted(game, goal) is not None
