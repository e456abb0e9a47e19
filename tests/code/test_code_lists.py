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
SPARE = SUMS.replace("if total > 12: numbers := []", "if total > 12: numbers := spare").replace(
    "    state last:", "    state spare: list of Number up to 9 = [2, 3]\n    state last:"
)


@BOTH
@pytest.mark.parametrize("text", [SUMS, SPARE])
def test_a_list_that_changes_begins_a_new_state(tmp_path: Path, started: Start, text: str) -> None:
    path = tmp_path / "sums.yaml"
    path.write_text(text, "utf-8")
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


PILES = """
rulespec: 1
id: piles
title: Piles
players: 1
rules:
- id: piles
  prose: Piles of cards, whose parts go from one to another.
  formal: |
    type Card = 1..7
    type Side = one of left, right
    state pile: map Side -> list of Card up to 7 = []
    state row: list of Card up to 7 = [1, 2, 3, 4, 5, 6, 7]
    state odd: list of Card up to 3 = []
    state held: Card? = none
    state taken: set of Card = {}
    state side: Side? = none
    define other(d: Side): Side = if d = left then right else left
- id: shuffle
  prose: Shuffle some cards into a pile.
  action: d in Side
  written: shuffle {d}
  do: |
    shuffle those c in Card where c not in row into row
    shuffle Card into pile[d]
- id: shuffle-rest
  prose: Shuffle cards into a pile that may be nowhere.
  action: ()
  written: shuffle
  do: "shuffle those c in Card where c < 4 into pile[side]"
- id: take
  prose: Take from the top or the bottom.
  action: n in 0..3, d in Side
  written: take {n} {d}
  do: |
    if n = 0: move top of pile[d] into held
    if n = 1: move bottom of pile[d] into pile[if d = left then right else left]
    if n = 2: move top of row into taken
    if n = 3: move bottom of row under pile[side]
- id: move
  prose: Move several from one place to another, which may be the same.
  action: n in 0..3, d in Side
  written: move {n} {d}
  do: |
    if size(pile[d]) <= 3: move top n of row into pile[d]
    if size(row) <= 3: move bottom n of pile[d] into row
    move top n of pile[d] into taken
    move top n of row under row
- id: change
  prose: Change a pile.
  action: n in 0..5, d in Side
  written: change {n} {d}
  do: |
    if n = 0: remove held from row
    if n = 1: pile[d] := pile[d][2..7] + pile[d][1..1]
    if n = 2: pile[d] := pile[d][1..2] + [held]
    if n = 3: pile[d] := pile[d][1..2] + pile[d][4..5]
    if n = 4: move all of odd into row
    if n = 5 and size(pile[other(d)]) < 7: pile[d] := pile[other(d)] + [held]
    if size(row) > 1: swap row[1] with row[2]
- id: add
  prose: Add a card.
  action: c in Card
  written: add {c}
  do: |
    side := if c < 3 then left else if c < 6 then right else none
    if size(odd) < 3 or c = 7: add c to odd
    if c = 1: remove c from odd
    if size(pile[side]) < 7: add c to pile[side]
"""


@BOTH
def test_parts_of_lists_that_move_and_stay_play_alike(tmp_path: Path, started: Start) -> None:
    path = tmp_path / "piles.yaml"
    path.write_text(PILES, "utf-8")
    agree(load(path), seeds=12, most=40, started=started)
