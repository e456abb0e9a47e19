"""A search for the elements of a set ends once a comparison of the set is decided, with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import write
from rulespec.code.listing import list_code
from rulespec.core.game import Game
from rulespec.language import load

STONES = """
rulespec: 1
id: stones
title: Stones
players: 2
rules:
- id: board
  prose: Stones lie on a board of squares; a chain touches free squares.
  formal: |
    type Square = {{file: 1..{side}, rank: 1..4}} as "{{file}}.{{rank}}"
    state stone: map Square -> Player? = none
    state noted: 0..3 = 0
    define at(file: 0..{side} + 1, rank: 0..5): Square? = Square(file, rank)
    define beside(s: Square): set of Square =
      {{at(s.file + 1, s.rank), at(s.file - 1, s.rank), at(s.file, s.rank + 1), at(s.file, s.rank - 1)}}
    define chain(s: Square): set of Square =
      those t in Square reached from {{s}} through r where t in beside(r) and stone[t] = stone[s]
    define free(s: Square): set of Square = {{t for r in chain(s), t in beside(r) where stone[t] is none}}
    define asked(s: Square, t: Square) = {condition}
- id: put
  prose: Lay a stone, and note what holds of a neighbour then.
  action: s in Square where stone[s] is none, t in Square
  written: put {{s}} {{t}}
  do: |
    stone[s] := mover
    noted := if asked(t, s) then 1 else 2
    if noted = 1 and t != s: stone[t] := none
"""
CONDITIONS = {
    "one element": "free(s) = {t}",
    "turned round": "{t} = free(s)",
    "another set": "free(s) = beside(t)",
    "two that grow": "free(s) = free(t)",
    "the closure itself": "chain(s) = {s, t}",
    "empty": "free(s) is empty",
    "not empty": "free(s) is not empty and not (free(s) = {t})",
    "some of it": "{u for u in chain(s) where u.file > 1} = {t}",
    "its image": "{Square(u.file, 1) for u in chain(s)} = {Square(t.file, 1)}",
}


def listed(game: Game) -> str:
    written = write(game)
    return list_code(written.program, written.functions, headings=True)


def game_of(tmp_path: Path, condition: str, side: int) -> Game:
    path = tmp_path / "stones.yaml"
    path.write_text(STONES.format(condition=condition, side=side), "utf-8")
    return load(path)


@pytest.mark.parametrize("side", [4, 20])
@pytest.mark.parametrize("name", CONDITIONS)
def test_comparisons_of_sets_that_grow(tmp_path: Path, name: str, side: int) -> None:
    """Of one word, and of two."""
    agree(game_of(tmp_path, CONDITIONS[name], side), seeds=3, most=40 if side == 4 else 12)


def test_they_end_once_they_are_decided(tmp_path: Path) -> None:
    for name in ("one element", "turned round", "empty", "the closure itself"):
        game = game_of(tmp_path, CONDITIONS[name], 4)
        assert "a search that ends once a comparison is decided" in listed(game), name
