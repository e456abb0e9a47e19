"""Sets that are made while a condition is worked out are read as they are then."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree
from python_instance import BOTH, Start

from rulespec.core.game import Game
from rulespec.language import load

SETS = """
rulespec: 1
id: sets
title: Sets
players: 1
rules:
- id: things
  prose: Things.
  formal: |
    type Small = 1..6
    state n: 0..9 = 0
    state l: list of Small up to 6 = [1, 2, 3, 4, 5, 6]
    define late(k: Small): 0..60 = let m be {x -> those y in Small where y + n > x + k for x in Small};
      sum((if z in m[2] then z else 0) for z in l)
- id: go
  prose: Go on.
  action: k in Small
  written: go {k}
  do: |
    n := min(late(k) mod 9 + 1, 9)
- id: stop
  prose: It ends.
  end: n >= 9
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "sets.yaml"
    path.write_text(SETS, "utf-8")
    return load(path)


@BOTH
def test_a_set_that_was_made_on_the_way_is_no_part_of_the_state(game: Game, started: Start) -> None:
    """Within a loop the set of a known key was read as it had been before it was made."""
    agree(game, seeds=3, most=6, started=started)
