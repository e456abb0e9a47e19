"""A word for all legal actions: its k-th bit is the k-th row, whatever the conditions are."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree, blocks_are_rows

from rulespec.code import write
from rulespec.language import load

GAME = """\
rulespec: 1
id: tokens
title: Tokens
summary: Take tokens from a row.
players: 2
rules:
- id: row
  prose: Tokens lie in a row.
  formal: |
    type Token = FIRST..LAST
    state taken: map Token -> Player? = none
    state plies: 0..40 = 0
- id: take
  prose: Take a token.
  action: x in Token
  written: "{x}"
  require:
    there:
      prose: It is there.
      that: CONDITION
  do: |
    taken[x] := if taken[x] is some then none else mover
    plies := plies + 1
- id: over
  prose: It ends after forty plies.
  end: plies = 40
"""
CONDITIONS = {
    "words": "taken[x] != mover",
    "the rules alone": "x mod 2 = 1",
    "no words": "(x * x + plies) mod 3 != 1",
    "now and then": "plies mod 7 < 6 and taken[x] is none",
}


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
@pytest.mark.parametrize(
    ("first", "last", "single"), [(1, 9, True), (-4, 5, True), (1, 10, False), (2, 2, True)]
)
def test_the_kth_bit_is_the_kth_row(
    condition: str, first: int, last: int, single: bool, tmp_path: Path
) -> None:
    path = tmp_path / "tokens.yaml"
    text = GAME.replace("CONDITION", condition).replace("FIRST", str(first)).replace("LAST", str(last))
    path.write_text(text, "utf-8")
    game = load(path)
    written = write(game)
    assert written.rows.single is single
    agree(game, seeds=2, most=9)
    if single:
        blocks_are_rows(written)
