"""The first step along a line of places is found by words, and is the one that trying each would find."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import write
from rulespec.core.game import Game
from rulespec.language import load

LINES = """
rulespec: 1
id: lines
title: Lines
players: 2
rules:
- id: board
  prose: Five by four squares, and lines from each in all eight directions; also lines that jump about.
  formal: |
    type Square = {{file: 1..5, rank: 1..4}} as "{{file}}.{{rank}}"
    type Way = {{across: -1..1, down: -1..1}} where across != 0 or down != 0
    state owner: map Square -> Player? = none
    state found: 0..9 = 0
    define on(s: Square, w: Way, n: 1..8): Square? = {place}
    define steps-to(s: Square, w: Way): 0..9 = (first n in 1..{most} where {condition}) otherwise 9
- id: put
  prose: Take a square, and note how far along a line from it something is.
  action: s in Square, w in Way
  written: put {{s}} {{w}}
  require:
    free:
      prose: The square is free, and some line from it is as long as the last one.
      that: owner[s] is none and (steps-to(s, w) >= 2 or found < 5)
  do: |
    found := steps-to(s, w)
    owner[s] := mover
"""
STRAIGHT = "Square(s.file + n * w.across, s.rank + n * w.down)"
JUMPING = "Square((s.file + 3 * n * w.across) mod 5 + 1, (s.rank + n * w.down) mod 4 + 1)"
CONDITIONS = {
    "another owner": "owner[on(s, w, n)] != mover",
    "the same owner": "owner[on(s, w, n)] = mover",
    "taken": "owner[on(s, w, n)] is some",
    "free": "owner[on(s, w, n)] is none",
}


def game_of(tmp_path: Path, place: str, most: int, condition: str) -> Game:
    path = tmp_path / "lines.yaml"
    path.write_text(LINES.format(place=place, most=most, condition=condition), "utf-8")
    return load(path)


@pytest.mark.parametrize("most", [3, 8])
@pytest.mark.parametrize("name", CONDITIONS)
def test_straight_lines(tmp_path: Path, name: str, most: int) -> None:
    """They end on the board, at its edge, or go on past the last step that counts."""
    game = game_of(tmp_path, STRAIGHT, most, CONDITIONS[name])
    assert any(x.startswith("up along") or "UP_ALONG" in x for x in write(game).tables)
    agree(game, seeds=3, most=30)


@pytest.mark.parametrize("name", CONDITIONS)
def test_lines_that_jump_about_are_tried_step_by_step(tmp_path: Path, name: str) -> None:
    game = game_of(tmp_path, JUMPING, 6, CONDITIONS[name])
    assert not any("UP_ALONG" in x for x in write(game).tables)
    agree(game, seeds=2, most=30)


def test_what_depends_on_the_step_besides_is_tried_step_by_step(tmp_path: Path) -> None:
    game = game_of(tmp_path, STRAIGHT, 6, "n > 2 and owner[on(s, w, n)] is none")
    assert not any("UP_ALONG" in x for x in write(game).tables)
    agree(game, seeds=2, most=30)


SPANS = """
rulespec: 1
id: spans
title: Spans
players: 2
rules:
- id: board
  prose: Five by four squares, and lines from each in all eight directions.
  formal: |
    type Square = {{file: 1..5, rank: 1..4}} as "{{file}}.{{rank}}"
    type Way = {{across: -1..1, down: -1..1}} where across != 0 or down != 0
    state owner: map Square -> Player? = none
    define on(s: Square, w: Way, n: 1..8): Square? = Square(s.file + n * w.across, s.rank + n * w.down)
    define other(s: Square): Square = Square(6 - s.file, s.rank)
    define span(s: Square, w: Way): set of Square =
      let n be first n in 1..{most} where {condition}; {body}
    define spans(s: Square): set of Square = {{t for w in Way, t in span(s, w)}}
- id: put
  prose: Take a square, and what lies in lines from it.
  action: s in Square
  written: put {{s}}
  require:
    free:
      prose: The square is free, or a line from it is long.
      that: owner[s] is none or (some w in Way satisfies size(span(s, w)) > 1)
    lying:
      prose: Something lies in lines from it, unless it is far to one side.
      that: spans(s) is not empty or s.file < 3
  do: |
    for t in spans(s): owner[t] := mover
    owner[s] := mover
"""
BEFORE = "{on(s, w, i) for i in 1..n - 1}"
BODIES = {
    "what lies before": f"if owner[on(s, w, n)] = mover then {BEFORE} else {{}}",
    "in any case": f"if owner[on(s, w, n)] = after(mover) then {{}} else {BEFORE}",
    "with the number": f"if n > 2 and owner[on(s, w, n)] = mover then {BEFORE} else {{on(s, w, n)}}",
    "not from the first on": "{on(s, w, i) for i in 2..n - 1}",
    "with the place": "{on(s, w, i) for i in 1..n}",
    "of another line": "{on(other(s), w, i) for i in 1..n - 1}",
    "another owner there": f"if owner[on(other(s), w, n)] = mover then {BEFORE} else {{}}",
    "nobody there": f"if owner[on(s, w, n)] is none then {BEFORE} else {{}}",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("condition", "most"), [("owner[on(s, w, n)] != after(mover)", 8), ("owner[on(s, w, n)] = mover", 3)]
)
@pytest.mark.parametrize("name", BODIES)
def test_places_before_a_step(tmp_path: Path, name: str, condition: str, most: int) -> None:
    path = tmp_path / "spans.yaml"
    path.write_text(SPANS.format(most=most, condition=condition, body=BODIES[name]), "utf-8")
    game = load(path)
    assert any("UP_ALONG" in x for x in write(game).tables)
    agree(game, seeds=2, most=25)
