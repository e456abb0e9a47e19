"""A store where none is, as the rules say, clears nothing; all others clear what was there."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import write
from rulespec.language import load

GAME = """\
rulespec: 1
id: tokens
title: Tokens
summary: Put tokens in a row.
players: 2
rules:
- id: row
  prose: Tokens lie in a row.
  formal: |
    type Spot = 1..LAST
    state held: map Spot -> Player? = none
    state other: map Spot -> Player? = none
    state plies: 0..40 = 0
    define free(x: Spot): Spot? = first y in Spot where y >= x and held[y] is none
    define taken(x: Spot): Spot? = first y in Spot where y >= x and held[y] is some
    define pairs: set of Spot = those y in Spot where some p in Player satisfies held[y] = p and y > 1
- id: put
  prose: Put a token.
  action: x in Spot
  written: "{x}"
  require:
    there:
      prose: It may be put there.
      that: CONDITION
  do: |
    EFFECT
    plies := plies + 1
- id: over
  prose: It ends after forty plies.
  end: plies = 40 or size(pairs) > LAST - 3
"""
CASES = {
    "vacant": ("held[x] is none", "held[x] := mover", True),
    "found": ("free(x) is some", "held[free(x)] := mover", True),
    "vacant, then taken": ("held[x] is none", "held[x] := 1; held[x] := 2", True),
    "vacant or not": ("held[x] is none or plies mod 3 = 1", "held[x] := mover", False),
    "of another map": (
        "other[x] is none",
        "held[x] := mover; other[x] := if plies mod 2 = 0 then 1 else none",
        False,
    ),
    "at another place": ("held[x] is none", "held[LAST + 1 - x] := mover", False),
    "after another store": ("held[x] is none", "held[LAST + 1 - x] := 1; held[x] := 2", False),
    "found taken": (
        "taken(x) is some or plies < 9",
        "held[if taken(x) is some then taken(x) else x] := mover",
        False,
    ),
    "none": ("held[x] is some or plies < 9", "held[x] := if held[x] is some then none else mover", False),
}


@pytest.mark.parametrize("last", [8, 70])
@pytest.mark.parametrize("case", CASES)
def test_words_keep_to_the_numbers_of_a_map(case: str, last: int, tmp_path: Path) -> None:
    condition, effect, vacant = CASES[case]
    text = GAME.replace("CONDITION", condition).replace("EFFECT", effect.replace("; ", "\n    "))
    path = tmp_path / "tokens.yaml"
    path.write_text(text.replace("LAST", str(last)), "utf-8")
    game = load(path)
    assert any("where none is" in x for x in write(game).meanings.values()) is vacant
    agree(game, seeds=2, most=30)
