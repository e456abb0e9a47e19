"""Two choices that go together by classes: the k-th of one block is the k-th row, whatever is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree, blocks_are_rows

from rulespec.code import write
from rulespec.language import load

GAME = """\
rulespec: 1
id: cards-and-spots
title: Cards and spots
summary: Put a card on a spot.
players: 2
rules:
- id: cards
  prose: There are cards and spots.
  formal: |
    type Card = LOWEST..20
    type Spot = -2..90
    state used: set of Card = {}
    state card: map Spot -> Player? = none
    state plies: 0..40 = 0
- id: put
  prose: Put a card on a spot.
  action: c in Card, s in Spot
  written: "{c}-{s}"
  require:
    have:
      prose: You have the card.
      that: FIRST
    vacant:
      prose: The spot is free.
      that: SECOND
    fitting:
      prose: They go together.
      that: BOTH
  do: |
    add c to used
    card[s] := mover
    plies := plies + 1
- id: over
  prose: It ends after forty plies.
  end: plies = 40
"""
CONDITIONS = {
    "one class": ("not (c in used)", "card[s] is none", "c + s > -99", True),
    "two classes": ("not (c in used)", "card[s] is none", "c mod 2 = 0 or s mod 3 != 1", True),
    "a class with none": (
        "not (c in used)",
        "card[s] != mover",
        "c mod 3 = 1 or c mod 3 = 2 and s > 9",
        True,
    ),
    "no words for the second": ("not (c in used)", "(s * s + plies) mod 5 < 2", "c > 4 or s > 40", True),
    "no words for the first": ("(c * c + plies) mod 3 != 1", "card[s] is none", "c > 4 or s > 40", True),
    "too many classes": ("not (c in used)", "card[s] is none", "(c + s) mod 7 < 5", False),
    "classes of the state": ("not (c in used)", "card[s] is none", "c mod 2 = 0 or s mod 3 != plies", False),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lowest", [-3, 1])
@pytest.mark.parametrize("case", CONDITIONS)
def test_the_kth_of_a_block_is_the_kth_row(case: str, lowest: int, tmp_path: Path) -> None:
    first, second, both, expected = CONDITIONS[case]
    path = tmp_path / "cards.yaml"
    text = GAME.replace("FIRST", first).replace("SECOND", second).replace("BOTH", both)
    path.write_text(text.replace("LOWEST", str(lowest)), "utf-8")
    game = load(path)
    written = write(game)
    assert (written.functions["row_of"].parameters[0][0], written.rows.may_be_product) == ("m", True)
    assert ("class" in " ".join(written.tables).lower()) is expected
    agree(game, seeds=1, most=6)
    blocks_are_rows(written)
