"""Results are kept for a state where they may be asked for again, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import write
from rulespec.language import load

COINS = """
rulespec: 1
id: coins
title: Coins
players: 1
rules:
- id: coins
  prose: Heaps of coins, of which one is taken at a time.
  formal: |
    type Heap = 1..20
    state coins: map Heap -> 0..9 = {h -> 1 for h in Heap}
    define total = sum(coins[h] for h in Heap)
    define left(least: 0..9) = total > least
- id: take
  prose: Take a coin.
  action: h in Heap
  written: take {h}
  do: |
    coins[h] := coins[h] - 1
- id: some-there
  prose: Only from a heap that has some.
  about: h in Heap
  binds: take
  that: coins[h] > 0
- id: few
  prose: With few coins left play is over.
  end: CONDITION
  winners: "{1}"
"""


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("total < 3", False),
        ("not left(3)", False),
        ("total < 3 or total = 4", True),
        ("not left(5) or not left(3)", True),
        ("some h in 1..2 satisfies coins[h] = 3 and not left(h)", False),
        ("some h in 1..2 satisfies coins[h] = 3 and total * h mod 5 = 1", True),
    ],
)
def test_what_is_asked_again_is_kept(tmp_path: Path, condition: str, kept: bool) -> None:
    path = tmp_path / "coins.yaml"
    path.write_text(COINS.replace("CONDITION", condition), "utf-8")
    game = load(path)
    held = {name for name, x in write(game).functions.items() if x.once is not None}
    assert any(name.endswith("_total") for name in held) is kept
    agree(game, seeds=2, most=20)
