"""Pairs of choices at a few distances: the k-th of one block is the k-th row, whatever the conditions are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from code_plays import agree, blocks_are_rows

from rulespec.code import write
from rulespec.kernels.kit import nth, nth_of_three
from rulespec.language import load

GAME = """\
rulespec: 1
id: near
title: Near
summary: Mark a spot and one beside it.
players: 2
rules:
- id: row
  prose: Spots lie in a row, and some are marked.
  formal: |
    type Spot = 3..62
    state marked: map Spot -> Player? = none
    state plies: 0..40 = 0
    define way(p: Player) = if p = 1 then 1 else -2
    define near(s: Spot): set of Spot = those t in Spot where abs(t - s - way(mover)) <= 1
- id: mark
  prose: Mark a spot near another.
  action: s in Spot, t in near(s)
  written: "{s}-{t}"
  require:
    fresh:
      prose: It has no mark of yours.
      that: CONDITION
  do: |
    marked[t] := mover
    plies := plies + 1
- id: over
  prose: It ends after forty plies.
  end: plies = 40
"""
CONDITIONS = {
    "words": "marked[t] != mover or marked[s] is none",
    "the rules alone": "s != t",
    "no words": "(s * t + plies) mod 3 != 1",
    "none": "plies < 5 and s = t",
}


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
def test_the_kth_of_a_block_is_the_kth_row(condition: str, tmp_path: Path) -> None:
    path = tmp_path / "near.yaml"
    path.write_text(GAME.replace("CONDITION", condition), "utf-8")
    game = load(path)
    written = write(game)
    assert written.rows.pairs is ("mod" not in condition)
    agree(game, seeds=1, most=9)
    blocks_are_rows(written)


def test_a_bit_of_words_by_its_number() -> None:
    random = Random(2)
    for share in (0.02, 0.2, 0.5, 0.9, 1):
        words = [sum((random.random() < share) << i for i in range(64)) for _ in range(3)]
        bits = [i for i in range(64) if words[0] >> i & 1]
        assert [nth(words[0], k) for k in range(len(bits))] == bits
        pairs = [(i, -j) for i in range(64) for j, x in enumerate(words) if x >> i & 1]
        assert [nth_of_three(*words, k, 0x00FFFE << 40) for k in range(len(pairs))] == pairs
