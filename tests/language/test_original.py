"""Variants: replacements that use what they replaced, and the examples that are inherited."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.context import Context
from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import call
from rulespec.language import load
from rulespec.play.examples import run_examples
from rulespec.play.face import load as load_game

BASE = """\
rulespec: 1
id: base
title: Base
rules:
- id: numbers
  prose: Numbers are doubled.
  formal: |
    define doubled(n: 0..9): 0..99 = 2 * n
- id: stop
  prose: Stop.
  action: n in 1..9
  require:
    large:
      prose: The number is large.
      that: doubled(n) > 9
  do: nothing
"""


def doubled(folder: Path, replacement: str, path: str = "define.doubled") -> list[int]:
    (folder / "base.yaml").write_text(BASE, "utf-8")
    variant = (
        f"rulespec: 1\nid: variant\ntitle: Variant\nextends: base\nreplace:\n  {path}: |\n    {replacement}\n"
    )
    (folder / "variant.yaml").write_text(variant, "utf-8")
    function = load(folder / "variant.yaml").functions["doubled"]
    return [call(function, (n,), Context()) for n in (0, 1, 7)]


def test_the_original_of_the_same_arguments(tmp_path: Path) -> None:
    assert doubled(tmp_path, "define doubled(m: 0..9): 0..99 = original + m") == [0, 3, 21]


def test_the_original_of_other_arguments(tmp_path: Path) -> None:
    assert doubled(tmp_path, "define doubled(m: 0..9): 0..99 = original(m div 2) + original") == [0, 2, 20]


def test_the_original_takes_what_its_parameters_hold(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"it is 1..10, and 0..9 is wanted"):
        doubled(tmp_path, "define doubled(m: 0..9): 0..99 = original(m + 1)")


def test_only_definitions_have_an_original_of_other_arguments(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="only a definition's original takes arguments"):
        doubled(tmp_path, "original(2)", "stop.require.large.that")


def test_an_inherited_example_for_others_is_left_out(tmp_path: Path) -> None:
    example = "  examples:\n  - id: three\n    players: 3\n  - id: any\n    legal: [stop 9]\n"
    (tmp_path / "base.yaml").write_text(BASE.replace("rules:", "players: 2..4\nrules:") + example, "utf-8")
    text = "rulespec: 1\nid: variant\ntitle: Variant\nextends: base\nreplace:\n  players: 2\n"
    (tmp_path / "variant.yaml").write_text(text, "utf-8")
    game = load_game(str(tmp_path / "variant.yaml"))
    assert [example.id for rule in game.core.rules for example in rule.examples] == ["any"]
    assert run_examples(game) == []


def test_an_inherited_example_keeps_its_number_of_players(tmp_path: Path) -> None:
    example = "  examples:\n  - id: three\n    legal: [stop 9]\n    then: players = 3\n"
    (tmp_path / "base.yaml").write_text(BASE.replace("rules:", "players: 3\nrules:") + example, "utf-8")
    text = "rulespec: 1\nid: variant\ntitle: Variant\nextends: base\nreplace:\n  players:\n    number: 2..3\n"
    (tmp_path / "variant.yaml").write_text(text, "utf-8")
    game = load_game(str(tmp_path / "variant.yaml"))
    assert (len(game.players), run_examples(game)) == (2, [])
