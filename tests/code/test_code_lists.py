"""What is made of the positions of a list, which may have fewer elements than there are positions."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree
from python_instance import BOTH, Start

from rulespec.code import write
from rulespec.core.game import Game
from rulespec.language import load

TRAIL = """
rulespec: 1
id: trail
title: Trail
players: 1
rules:
- id: trail
  prose: A trail of numbers grows, and shrinks where a number comes again.
  formal: |
    type Site = 0..9
    state trail: list of Site up to 6 = []
    define middle(a: Site, b: Site): Site? = Site((a + b) div 2)
    define odd(a: Site) = a mod 2 = 1
    define told(yes: Bool): Site? = if yes then 3 else 7
    define middles(t: list of Site up to 6): set of Site = {middle(t[i], t[i + 1]) for i in 1..9}
    define last-first(t: list of Site up to 6): set of Site = {middle(t[7 - i], t[i]) for i in 1..6}
    define seen(t: list of Site up to 6): set of Site = {t[i] for i in {1, 3, 4, 5, 6}}
    define parities(t: list of Site up to 6): set of Site = {told(odd(t[i])) for i in 1..6}
    define or-nine(a: Site?): Site = a otherwise 9
    define nines(t: list of Site up to 6): set of Site = {or-nine(t[i]) for i in 1..6}
- id: grow
  prose: Put a number at the end.
  action: x in Site
  written: grow {x}
  require:
    apart:
      prose: It lies between no two that follow each other, and is not among the others.
      that: x not in middles(trail) and (x not in seen(trail) or size(trail) > 3)
    other:
      prose: Some numbers wait.
      that: x not in last-first(trail)
    told:
      prose: Seven is told at once.
      that: x != 7 or x in parities(trail)
    nine:
      prose: So is nine.
      that: x != 9 or x in nines(trail)
  do: |
    trail := if size(trail) = 6 then [x] else trail + [x]
"""


SUMS = """
rulespec: 1
id: sums
title: Sums
players: 1
rules:
- id: numbers
  prose: Numbers are put down, and taken away once their sum is large.
  formal: |
    type Number = 1..6
    state numbers: list of Number up to 9 = []
    state last: 0..60 = 0
    define total: 0..60 = sum(x for x in numbers)
- id: put
  prose: Put a number down, and note the sum.
  action: x in Number
  written: put {x}
  do: |
    if size(numbers) < 9: numbers := numbers + [x]
    if total > 12: numbers := []
    last := total
"""


@BOTH
def test_a_list_that_changes_begins_a_new_state(tmp_path: Path, started: Start) -> None:
    path = tmp_path / "sums.yaml"
    path.write_text(SUMS, "utf-8")
    agree(load(path), seeds=2, most=12, started=started)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "trail.yaml"
    path.write_text(TRAIL, "utf-8")
    return load(path)


@BOTH
def test_lists_of_every_length_play_alike(game: Game, started: Start) -> None:
    agree(game, seeds=6, most=30, started=started)


def test_positions_behind_the_end_are_not_looked_at(game: Game) -> None:
    text = write(game).text
    assert text.count("> x1_t_size:") == 3, "elsewhere parities and nines have values, the others none"
