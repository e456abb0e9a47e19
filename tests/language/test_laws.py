"""Laws: when they are in force, who asks for them, and what a variant makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.play.face import Game, load

BASE = """\
rulespec: 1
id: base
title: Base
rules:
- id: numbers
  prose: Numbers are named, each once.
  formal: |
    type Number = 1..9
    state named: set of Number = {}
    define open: set of Number = those k in Number where odd(k) and fresh(k) and rising(k)
- id: name
  prose: Name a number.
  action: k in Number
  do: add k to named
- id: odd
  prose: Only odd numbers are named.
  about: k in Number
  binds: [name]
  that: k mod 2 = 1
- id: fresh
  prose: No number is named twice.
  about: k in Number
  binds: [name]
  that: k not in named
- id: rising
  prose: Once a number is named, only higher ones are.
  about: k in Number
  when: named is not empty
  binds: [name]
  that: no other in named satisfies other > k
- id: done
  prose: It is over when no number is open.
  end: open is empty
"""


def variant(folder: Path, change: str) -> Game:
    (folder / "base.yaml").write_text(BASE, "utf-8")
    text = f"rulespec: 1\nid: variant\ntitle: Variant\nextends: base\n{change}\n"
    (folder / "variant.yaml").write_text(text, "utf-8")
    return load(str(folder / "variant.yaml"))


def test_a_law_binds_where_it_is_in_force_and_is_kept_elsewhere(tmp_path: Path) -> None:
    state = variant(tmp_path, "summary: The same.").start(seed=0)
    assert [str(action) for action in state.actions()] == [f"name {k}" for k in (1, 3, 5, 7, 9)]
    (refusal,) = state.play("name 5").why_not("name 3")
    assert str(refusal) == "illegal by `rising`: for other = 5, other > k is true: 5 > 3"
    assert state.play("name 9").ended_by == "done"


def test_a_variant_says_when_a_law_is_in_force(tmp_path: Path) -> None:
    later = "replace:\n  rising.when: size(named) > 1"
    state = variant(tmp_path, later).start(seed=0).play("name 5")
    assert [str(action) for action in state.actions()] == [f"name {k}" for k in (1, 3, 7, 9)]


def test_a_removed_law_counts_as_kept(tmp_path: Path) -> None:
    state = variant(tmp_path, "remove: [odd]").start(seed=0)
    assert len(state.actions()) == 9
    for k in range(1, 10):
        assert not state.is_over
        state = state.play(f"name {k}")
    assert state.ended_by == "done"


def test_anything_else_that_is_removed_is_missed(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="nothing is called `open`"):
        variant(tmp_path, "remove: [define.open]")
