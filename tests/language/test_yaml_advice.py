"""Text that is no YAML is answered by its cause."""

from __future__ import annotations

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.language.loader import read_texts

GOOD = """\
rulespec: 1
id: good
title: Good
players: 2
rules:
- id: heap
  prose: A heap.
  formal: |
    state left: 0..5 = 5
- id: go
  prose: Go on.
  action: ()
  written: go
  do: remove 1 from left
- id: over
  prose: It ends.
  end: left = 0
"""
CASES = [
    ("  prose: Go on.", "\tprose: Go on.", "there is a tab"),
    ("prose: Go on.", "prose: Go on: or stay.", "holds `: `"),
    ("prose: Go on.", 'prose: "Go" on.', "ends with it"),
    ("prose: Go on.", "prose: 'Go' on.", "ends with it"),
    ("  action: ()", "   action: ()", "indented by 3, the one before by 2"),
    ("prose: Go on.", "prose: @go on.", "begins with `@`"),
    ("prose: Go on.", "prose: `go` on.", "begins with ``"),
    ("prose: Go on.", "prose: *go", "aliases are not used"),
    ("prose: Go on.", "prose: %go", "begins with `%`"),
    ("prose: Go on.", 'prose: "Go on.', "never closed"),
    ("written: go", "written: {go", "never closed"),
    ("end: left = 0", "end: left = 0\nclaims:\n- {id: few, invariant: held[1] > 0}", "inside `{…}`"),
    ("end: left = 0", "end: left = 0\nclaims:\n- {id: few, invariant: size({x}) > 0}", "inside `{…}`"),
    ("written: go", "written: {go}", "begins with `{`"),
    ("written: go", "written: [go]", "begins with `[`"),
    ("  action: ()", "  action ()", "a key ends with a colon"),
    ("action: ()", "action: s: 1..2", "holds `: `"),
    ("end: left = 0", "win: left = 0", "that is `winners` here"),
    ("prose: Go on.", "description: Go on.", "that is `prose` here"),
    (
        "end: left = 0",
        "end: left = 0\nclaims:\n- {id: few, prose: Few., that: left = 0}",
        "that is `invariant` here",
    ),
]


def told(text: str) -> str:
    try:
        read_texts({"good.yaml": text}, {}).with_settings()
    except RulesetError as error:
        return str(error)
    return ""


def test_the_good_one_is_good() -> None:
    assert told(GOOD) == ""


@pytest.mark.parametrize(("old", "new", "says"), CASES, ids=[str(i) for i in range(len(CASES))])
def test_the_cause_is_told(old: str, new: str, says: str) -> None:
    assert says in told(GOOD.replace(old, new, 1))
