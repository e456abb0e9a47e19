"""Taint analysis: the state variables that depend on a choice, for each way in which values flow."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.taint import Flow
from rulespec.language import load

TEXT = """\
rulespec: 1
id: flows
title: Flows
rules:
- id: act
  prose: Act.
  action: n in Number, m in Number
  formal: |
    type Number = 1..3
    state a: Number = 1
    state b: Number = 1
    state by-number: map Number -> Number = 1
    state s: set of Number = {}
    state l: list of Number up to 3 = []
    define doubled(x: Number) = x + x
    define held = a
    define again = held
    to keep(x: Number):
      a := x
  do: |
DO
- id: never
  prose: It goes on.
  end: false
"""

CASES = {
    "a := m": set(),
    "a := n": {"a"},
    "a := n - n + 1 otherwise 1": {"a"},
    "by-number[n] := 1": {"by-number"},
    "add n to s": {"s"},
    "remove n from s": {"s"},
    "if n = 1: a := 2": {"a"},
    "if n = 1: nothing\nelse: a := 2": {"a"},
    "if m = 1: a := n": {"a"},
    "for x in 1..3 where x < n: add x to s": {"s"},
    "for x in 1..3 where x < n: b := 1": {"b"},
    "for x in 1..3:\n  b := a\n  a := n": {"a", "b"},
    "let x be n; a := x": {"a"},
    "a := n; b := a; a := 1": {"a", "b"},
    "a := n; b := again": {"a", "b"},
    "b := a; a := n": {"a"},
    "keep(n)": {"a"},
    "keep(m)": set(),
    "a := doubled(n) div 2 otherwise 1": {"a"},
    "a := n\nif can act(1, 1): b := 2": {"a", "b"},
    "roll a from {1, n}": {"a"},
    "roll a from 1..3 weighing x by n": {"a"},
    "shuffle {1, n} into l": {"l"},
    "move top of l into s": set(),
    "put n under l": {"l"},
}


@pytest.mark.parametrize("do", CASES)
def test_state_variables_depending_on_a_choice(do: str, tmp_path: Path) -> None:
    lines = "\n".join(f"    {line}" for line in do.split("\n"))
    (tmp_path / "flows.yaml").write_text(TEXT.replace("DO", lines), "utf-8")
    action = load(tmp_path / "flows.yaml").actions["act"]
    stored = Flow().dependent_variables(action.effect, action.choices[0].var)
    assert {var.name for var in stored} == CASES[do]
