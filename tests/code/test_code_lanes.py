"""Conditions are answered for all values of a choice at once where sets and places follow from the value."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import write
from rulespec.core.game import Game
from rulespec.language import load

SCATTERED = """
rulespec: 1
id: scattered
title: Scattered
players: 1
rules:
- id: sites
  prose: Seventy sites in groups; each has a site far off. A stone has one of twenty colours.
  formal: |
    type Site = 0..69
    type Colour = 1..20
    state colour: map Site -> Colour? = none
    state next: Colour = 1
    define group(x: Site): set of Site = those y in Site where y mod 9 = x * x mod 9 and y < 50
    define far(x: Site): Site? = x * x mod 71
- id: put
  prose: Put a stone of the next colour down.
  action: x in Site
  written: put {x}
  require:
    free:
      prose: The site is free.
      that: colour[x] is none
    alone:
      prose: No stone of the group has the colour; low sites may always be used.
      that: x < 20 or (every y in group(x) satisfies colour[y] != next)
    seen:
      prose: A high site needs a stone in its group.
      that: x < 60 or (some y in group(x) satisfies colour[y] is some)
    distant:
      prose: The site far off has another colour.
      that: colour[far(x)] != next
  do: |
    colour[x] := next
    next := next mod 20 + 1
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "scattered.yaml"
    path.write_text(SCATTERED, "utf-8")
    return load(path)


def test_they_hold_for_the_same_values(game: Game) -> None:
    agree(game, seeds=4, most=45)


def test_no_loop_asks_each_value(game: Game) -> None:
    """The four conditions were asked of seventy sites one by one."""
    text = write(game).text
    listed = text[text.index("def list1_put") : text.index("def listing")]
    assert "for " not in listed
    assert "continue" not in listed
