"""Ply by ply, formulas and interpreter give the same legal moves and the same states after them."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from deciding import Plies, plies_of_the_interpreter
from handmade import all_games

from rulespec.core.game import Game
from rulespec.language import load, shipped_rulesets
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.formulas import TooWide, case_splitting
from rulespec.solver.formulas.dependencies import Dependencies

GOOD = Path(__file__).parents[2] / "language" / "good"
MOST_AFTER = 120
"""Positions with more plies after them are left out."""

QUICK = (
    "connect-four", "eight-puzzle", "kuhn-poker", "nim", "nine-mens-morris",
    "peg-solitaire", "pig", "sacred-alignment-small", "smith-small", "tic-tac-toe",
)  # fmt: skip
TOO_WIDE = tuple(name for name in shipped_rulesets() if name.startswith("stout"))
"""Rulesets a ply of which is too large for formulas."""

LARGE = tuple(name for name in shipped_rulesets() if name not in (*QUICK, *TOO_WIDE))
"""Compared by `make agreement` only, since they take some seconds each."""

SLOW = bool(os.environ.get("RULESPEC_SLOW"))


def games() -> Iterator[Any]:
    for name in all_games():
        yield pytest.param(lambda name=name: all_games()[name], id=name)
    for name in ("grown-sets", "sets-at-once", "shuffles"):
        yield pytest.param(lambda name=name: load(GOOD / f"{name}.yaml"), id=name)
    for name in (*QUICK, *(LARGE if SLOW else ())):
        yield pytest.param(lambda name=name: load(name), id=name)


@pytest.mark.skipif(not SLOW, reason="make agreement")
@pytest.mark.parametrize("name", TOO_WIDE)
def test_what_is_too_wide_says_so(name: str) -> None:
    with pytest.raises(TooWide, match="leads to"):
        Plies(load(name))


def positions(machine: Machine, rng: random.Random) -> Iterator[Position]:
    """A few positions of some random plays, the last ones among them."""
    for seed in range(3):
        chance = Chance(f"{seed}")
        at, trail = machine.start(chance).position, []
        while not at.is_over and len(trail) < 100:
            trail.append(at)
            at = machine.play(at, rng.choice(list(machine.moves(at))), chance).position
        yield from [*rng.sample(trail[:-1], min(1, len(trail) - 1)), *trail[-1:]]


@pytest.mark.parametrize("make", list(games()))
def test_formulas_and_interpreter_go_on_alike(make: Callable[[], Game]) -> None:
    go_on_alike(make())


LEFT_OPEN = """
rulespec: 1
id: noted
title: Noted
players: 2
rules:
- id: row
  prose: A row of four squares, each of them empty or with a number; what each number was worth is noted.
  formal: |
    state row: map 1..4 -> 1..5? = none
    state worth: map Player -> map 1..5 -> 0..3? = none
    state last: map 1..5 -> 0..1 = 0
- id: put
  prose: Put a number that was not put yet on an empty square.
  action: v in 1..5, c in 1..4
  written: put {v} on {c}
  require:
    empty:
      prose: The square is empty.
      that: row[c] is none
    fresh:
      prose: The number was not put.
      that: every b in 1..4 satisfies row[b] != v
  do: |
    worth[mover][v] := count(b in 1..4 where row[b] is some and abs(b - c) = 1)
    last[v] := row[1] otherwise 0
    row[c] := v
- id: full
  prose: Four numbers end it.
  end: every c in 1..4 satisfies row[c] is some
"""


@pytest.mark.parametrize("name", ["noted", "leistiko-small"])
def test_places_to_store_may_be_left_open(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_splitting, "MANY_CASES", 1)
    path = tmp_path / "noted.yaml"
    path.write_text(LEFT_OPEN, "utf-8")
    game = load(path) if name == "noted" else load(name)
    (action,) = game.actions.values()
    cut = case_splitting.split_action(Dependencies(game), action, None)
    assert [var.name for var, _ in cut.choices] == (["c"] if name == "noted" else ["s"])
    assert len(cut.once) == 2
    go_on_alike(game)


TRIED = """
rulespec: 1
id: tried
title: Tried
players: 2
rules:
- id: row
  prose: A row of four squares, each of them empty or with a number, and a store.
  formal: |
    state row: map 1..4 -> 1..3? = none
    state store: 0..4 = 2
    define held = sum(row[b] otherwise 0 for b in 1..4)
- id: put
  prose: Put a number on an empty square, and as much into the store.
  action: v in 1..3, c in 1..4
  written: put {v} on {c}
  require:
    empty:
      prose: The square is empty.
      that: row[c] is none
    fine:
      prose: It is fine afterwards.
      that: "CONDITION"
  do: |
    row[c] := v
    add v to store
- id: take
  prose: Or take one away.
  action: v in 1..3, c in 1..4
  written: take {v} from {c}
  require:
    there:
      prose: It lies there.
      that: row[c] = v
  do: |
    row[c] := none
    store := 0
"""
FINE = (
    "(held mod 2 = 1) after put(v, c)",
    "(held mod 3 = 1 and mover = 1 or row[4] is none) after put(v, c)",
    "(row[c] = 2 or row[1] is some) after put(v, c)",
    "(held mod 2 = 1) after put(1, c)",
    "(held < 2) after take(v, c)",
    "(store > 3) after put(v, c)",
)
"""Conditions on the state after an action: of any choice, of one, of others, of another action, in which
something need not fit."""


@pytest.mark.parametrize("condition", FINE)
def test_conditions_after_an_action_hold_where_they_do(condition: str, tmp_path: Path) -> None:
    path = tmp_path / "tried.yaml"
    path.write_text(TRIED.replace("CONDITION", condition), "utf-8")
    go_on_alike(load(path))


def go_on_alike(game: Game) -> None:
    machine, plies = Machine(game), Plies(game)
    compared = 0
    for position in positions(machine, random.Random(game.id)):
        expected = plies_of_the_interpreter(machine, position, plies.kept)
        assert plies.may_act(position) == bool(expected)
        if len(expected) <= MOST_AFTER:
            assert plies.after(position) == expected
            compared += 1
    assert compared
