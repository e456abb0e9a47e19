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


BOUNDED = """
rulespec: 1
id: bounded
title: Bounded
players: 1
rules:
- id: sites
  prose: Seventy sites with towers of up to twenty storeys; some sites have a mark, which is a number, too.
  formal: |
    type Site = 0..69
    state storeys: map Site -> 0..20 = 0
    state mark: map Site -> 0..20? = none
    state bar: 0..25 = 4
    define far(x: Site): Site? = x * x mod 73
    define built: set of Site = those x in Site where storeys[x] > 0
    define marked: set of Site = those x in Site where 1 < mark[x]
- id: build
  prose: Build a storey.
  action: x in Site
  written: build {{x}}
  require:
    condition:
      prose: The site is one that may be built on.
      that: {condition}
  do: |
    let before be storeys[x]
    storeys[x] := before mod 20 + 3 - before mod 3
    mark[far(x)] := (before + x) mod 21
    bar := (bar * 3 + x) mod 26
"""
CONDITIONS = {
    "at most a bound": "storeys[x] <= bar", "below a bound": "storeys[x] < bar",
    "at least a bound": "bar <= storeys[x] or bar <= storeys[far(x)]", "above a bound": "not bar < mark[x]",
    "a bound on what may be none": "mark[far(x)] <= bar or x < 30", "no mark": "not mark[x] <= 20",
    "not above nothing": "not 0 < storeys[far(x)]", "at most a number": "mark[x] <= 15 or storeys[x] < 2",
    "one of a set": "x < 20 or (some y in built satisfies (x + y) mod 7 = 0)",
    "all of a set": "every y in built satisfies (x * y) mod 11 != 3",
    "all of marked ones": "every y in marked satisfies y mod 5 != x mod 5 or y < x",
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_bounds_and_relations(tmp_path: Path, name: str) -> None:
    """Values of a map are compared with a number; the elements of a set are related to the value by rules."""
    path = tmp_path / "bounded.yaml"
    path.write_text(BOUNDED.format(condition=CONDITIONS[name]), "utf-8")
    game = load(path)
    text = write(game).text
    assert "continue" not in text[text.index("def list1_build") : text.index("def listing")]
    agree(game, seeds=2, most=40)


def test_a_bound_that_may_be_none(tmp_path: Path) -> None:
    """Nothing is below it, and nothing above."""
    path = tmp_path / "bounded.yaml"
    path.write_text(BOUNDED.format(condition="x < 20 or mark[0] <= mark[x] or mark[1] < storeys[x]"), "utf-8")
    agree(load(path), seeds=3, most=40)
