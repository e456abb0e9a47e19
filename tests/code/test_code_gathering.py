"""Conditions that no words answer are asked only where they matter, and of values that are alike once."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import write
from rulespec.core.game import Game
from rulespec.language import load

PAIRS = """
rulespec: 1
id: pairs
title: Pairs
players: 2
rules:
- id: sites
  prose: Thirty sites in a ring; a pair is two that are near each other, in either order.
  formal: |
    type Site = 0..29
    type Pair = {{one: Site, other: Site}} where other - one in {{1, 4, -1, -4}} as "{{one}}:{{other}}"
    type Score = 0..6
    state score: map Site -> Score = 0
    state late: Bool = false
    define ends(p: Pair): set of Site = {{p.one, p.other}}
    define low: set of Site = those x in Site where score[x] < 2
    define steps(among: set of Site, n: 0..6 falling): Bool =
      n = 0 or (let y be (first x in among where x mod 3 != n mod 2);
       if y is some then steps(among - {{y}}, n - 1) else size(among) mod 2 = 0)
    define near(p: Pair): set of Site = those x in low where abs(x - p.one - p.other) mod 7 < 3
    define balanced(p: Pair) = {balanced}
    define fits(p: Pair) = (every x in ends(p) satisfies score[x] < 3) and (some x in low, y in ends(p)
      satisfies x - y in {{2, 3}}) and balanced(p)
- id: raise
  prose: Raise both sites of a pair that fits.
  action: by in 1..2, p in Pair
  written: raise {{by}} {{p}}
  require:
    fitting:
      prose: Its sites are low, and low sites lie near; it is balanced.
      that: |
        (every x in ends(p) satisfies score[x] < 3)
        and (some x in low, y in ends(p) satisfies x - y in {{2, 3}}) and balanced(p)
  do: |
    for x in ends(p): score[x] := score[x] + by + x mod 2
    late := not some q in Pair satisfies q.one mod 4 = 1 and fits(q)
"""
ALONE = "steps(low - ends(p), 4)"
BALANCED = {
    "of both sites in either order": ALONE,
    "of one site": "steps(low - {{p.one}}, 4)".replace("{{", "{").replace("}}", "}"),
    "of some sites": "p.one < 12 or " + ALONE,
    "with a premise": f"if late and p.one != 3 then {ALONE} else true",
    "with two premises": f"if late and score[0] = 0 and p.other > 2 then {ALONE} else true",
    "of some element that goes with it": "some y in near(p) satisfies steps(low - ends(p) - {y}, 3)",
    "of such an element, with premises": (
        "if late and p.other != 7 then some y in near(p) satisfies steps(low - {y}, y mod 5) else true"
    ),
    "of any element": "some y in low satisfies steps(low - ends(p) - {y}, 3)",
    "at nothing": "some x in ends(p) satisfies steps(low - {x}, x)",
}


def game_of(tmp_path: Path, name: str) -> Game:
    path = tmp_path / "pairs.yaml"
    path.write_text(PAIRS.format(balanced=BALANCED[name]), "utf-8")
    return load(path)


@pytest.mark.parametrize("name", BALANCED)
def test_the_same_pairs_fit(tmp_path: Path, name: str) -> None:
    agree(game_of(tmp_path, name), seeds=3, most=40)


def test_pairs_that_are_alike_are_asked_once(tmp_path: Path) -> None:
    """The order of the sites was asked of both ways."""
    listed = {
        name: _listed(game_of(tmp_path, name)) for name in ("of both sites in either order", "of one site")
    }
    assert all("LIKE_PAIR" in text for text in listed.values())


def test_a_premise_is_asked_first(tmp_path: Path) -> None:
    """Each pair was asked, also where none could be wrong."""
    listed = _listed(game_of(tmp_path, "with a premise"))
    assert listed.index("LATE] != 0") < listed.index("while left")


def _listed(game: Game) -> str:
    text = write(game).text
    return text[text.index("def list1_raise") : text.index("def listing")]
