"""Conditions on the values of a map, asked of its keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree
from python_instance import BOTH, Start

from rulespec.code import write
from rulespec.core.game import Game
from rulespec.language import load

SHELF = """
rulespec: 1
id: shelf
title: The shelf
players: 1
rules:
- id: shelf
  prose: Things stand on a shelf, some of them twice.
  formal: |
    type Spot = 1..9
    type Thing = 0..19
    state shelf: map Spot -> Thing? = none
    state hand: set of Thing = Thing
    define spot(x: Thing): Spot? = first s in Spot where shelf[s] = x
    define place(x: Thing): Spot? = first s in Spot where x = shelf[s]
    define next(s: Spot): set of Spot = those t in Spot where abs(s - t) = 1
    define free(x: Thing) = spot(x) is some and every t in next(spot(x)) satisfies shelf[t] is none
    define early(x: Thing) = place(x) is some and place(x) < 4 and (x < 9 or x in hand)
    define late(x: Thing) = not (spot(x) < 5) and every t in next(spot(x)) satisfies shelf[t] != x
    define even(x: Thing) = spot(x) is some and spot(x) mod 2 = 0
    define low(s: Spot) = s < 5 and shelf[s] != 7
    define absent(s: Spot?) = s is none or s > 3
    define beside(x: Thing, s: Spot) = spot(x) is some and s in next(spot(x))
    to clear(x: Thing):
      for s in Spot where shelf[s] = x: shelf[s] := none
    to spread(x: Thing):
      for s in Spot where s > 1 and shelf[s - 1] = x: shelf[s] := x
- id: put
  prose: Put a thing somewhere.
  action: x in Thing, s in Spot
  written: put {x} {s}
  require:
    late:
      prose: It stands late, or nowhere.
      that: late(x)
    apart:
      prose: No thing is beside itself.
      that: not beside(x, s)
  do: |
    shelf[s] := x
    if x > 9: spread(x)
- id: take
  prose: Take a thing that stands free.
  action: x in Thing
  written: take {x}
  require:
    free:
      prose: Nothing stands beside it.
      that: free(x)
  do: |
    clear(x)
    add x to hand
- id: drop
  prose: Drop a thing that stands early.
  action: x in Thing
  written: drop {x}
  require:
    early:
      prose: It stands early, or somewhere even.
      that: early(x) or even(x)
  do: |
    remove x from hand
    clear(x)
- id: push
  prose: Push a thing that stands low to the other end.
  action: x in Thing
  written: push {x}
  require:
    low:
      prose: It stands low.
      that: low(spot(x))
  do: |
    shelf[9] := x
- id: name
  prose: Name a thing that is absent.
  action: x in Thing
  written: name {x}
  require:
    absent:
      prose: It stands nowhere, or not at the beginning.
      that: absent(spot(x))
  do: |
    remove x from hand
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "shelf.yaml"
    path.write_text(SHELF, "utf-8")
    return load(path)


@BOTH
def test_values_that_stand_twice_play_alike(game: Game, started: Start) -> None:
    agree(game, seeds=6, most=40, started=started)


def test_keys_of_several_words(tmp_path: Path) -> None:
    path = tmp_path / "shelf.yaml"
    path.write_text(SHELF.replace("Spot = 1..9", "Spot = 1..70"), "utf-8")
    game = load(path)
    assert write(game).listing.count("# semijoin: the ") == 4
    agree(game, seeds=1, most=12)


def test_a_condition_on_the_first_key_is_asked_of_the_keys(game: Game) -> None:
    text = write(game).listing
    assert text.count("# semijoin: the ") == 4, (
        "those of `free`, `early`, `even` and `low`; `late` and `absent` hold nowhere, too"
    )
    assert "for x" not in text.partition("def do2_take(")[2].partition("\ndef ")[0], (
        "`clear` goes by the inverse"
    )
    assert "for x" in text.partition("def do1_put(")[2].partition("\ndef ")[0], (
        "`spread` asks what it changed"
    )
