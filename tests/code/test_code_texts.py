"""Generated code reads well: what it is made of, in the texts themselves."""

from __future__ import annotations

from pathlib import Path

from rulespec.code import write
from rulespec.language import load

WIDE = """
rulespec: 1
id: wide
title: Wide
rules:
- id: add
  prose: Add something.
  action: n in 1..3
  do: add n to total
  formal: |
    state total: 0..999999 = 0
- id: sevenths
  prose: It is over at a multiple of seven.
  end: let square be total * total; square > 3 and square mod 7 = 0
"""


def test_a_small_game_is_a_page() -> None:
    text = write(load("tic-tac-toe")).text
    assert "def do1_put(s, b, c, x1_s):\n" in text
    assert "    store1_mark(s, b, x1_s, s[V1_MOVER])\n" in text
    assert max(map(len, text.split("\n"))) < 150
    assert text.count("\n") < 220


def test_long_tables_stand_behind_the_functions() -> None:
    written = write(load("smith"))
    assert written.text.index("def play(") < written.text.index("\nT4_PARTNERS = masks([")
    assert written.meanings["T4_PARTNERS"] == "`partners` for each a: Card"
    assert written.meanings["s[86:139]"] == "list of Card up to 52, on the way"


def test_a_type_too_wide_for_any_table_is_not_listed(tmp_path: Path) -> None:
    """A question about a number of 10^12 values took all memory there was."""
    path = tmp_path / "wide.yaml"
    path.write_text(WIDE, "utf-8")
    assert "% 7" in write(load(path)).text
