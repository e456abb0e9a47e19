"""The combinations of parameters that the conditions between them allow are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.language import load

HEAD = """\
parameters:
  size:
    type: 1..4
    default: 2
    prose: How long the board is.
  half:
    type: 1..4
    default: 1
    prose: Half of it.
  idle:
    type: 1..900
    default: 1
    prose: Something else.
conditions:
- prose: The board has two halves.
  that: size = 2 * half and size = size(Side)
"""
SIDE = "  formal: |\n    type Side = 1..2 * half\n"


def game(folder: Path, head: str, **parameters: object) -> Game:
    path = folder / "halves.yaml"
    text = COUNTDOWN.replace("rules:\n", f"{head}rules:\n", 1).replace("  formal: |\n", SIDE, 1)
    path.write_text(text, "utf-8")
    return load(path, parameters=parameters)


def test_combinations_that_fit_are_listed(tmp_path: Path) -> None:
    made = game(tmp_path, HEAD)
    assert made.fitting is not None
    assert made.fitting.values == ({"size": "2", "half": "1"}, {"size": "4", "half": "2"})
    assert made.fitting.advice == "that is so for size = 2, half = 1; size = 4, half = 2"


def test_a_broken_condition_is_told_with_what_would_fit(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="that is so for size = 2, half = 1; size = 4, half = 2"):
        game(tmp_path, HEAD, size=3)
    assert game(tmp_path, HEAD, size=4, half=2).parameters["size"].value == 4


def test_nothing_is_listed_without_conditions_or_where_there_is_too_much_to_try(tmp_path: Path) -> None:
    free = game(tmp_path, HEAD.partition("conditions:")[0])
    assert free.fitting is not None
    assert free.fitting.values == ()
    wide = game(tmp_path, HEAD.replace("size = 2 * half", "idle > 0 and size = 2 * half"))
    assert wide.fitting is not None
    assert wide.fitting.values == ()


def test_shipped_rulesets_tell_what_can_be_set() -> None:
    found = load("sacred-alignment").fitting
    assert found is not None
    assert [(one["tiers"], one["top-pip"]) for one in found.values] == [("2", "3"), ("3", "6")]
