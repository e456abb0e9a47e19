"""`hint` wants a goal that a play can reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.cli import main

LAMPS = """\
rulespec: 1
id: lamps
title: Lamps
players: 1
rules:
- id: light
  prose: Light one of three lamps.
  formal: |
    state lit: set of 1..3 = {}
  action: k in 1..3 where k not in lit
  do: add k to lit
claims:
- id: ways
  prose: There is one way to end.
  count: size(lit) = 3
  is: 1
- id: all
  prose: All can be lit.
  reachable: size(lit) = 3
"""


def test_a_hint_for_a_number_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It said that the number was no longer possible."""
    path = tmp_path / "lamps.yaml"
    path.write_text(LAMPS, "utf-8")
    assert main(["hint", str(path), "--goal", "ways"]) == 2
    assert "`ways` asks for a number" in capsys.readouterr().err
    assert main(["hint", str(path), "--goal", "all"]) == 0
