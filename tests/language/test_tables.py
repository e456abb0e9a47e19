"""Tables, signs, parameters whose type a rule declares, and changes at computed places."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.core.notation import read, write
from rulespec.language import load as read_ruleset
from rulespec.play.face import Game, load

HEAD = """\
rulespec: 1
id: walk
title: A walk
players: 1
parameters:
  home:
    type: Square
    default: 2
    prose: Where the stack begins.
rules:
- id: squares
  prose: There are three squares, and on one of them a stack of two.
  formal: |
    type Square = 1..3
    state stack: map Square -> list of Square up to 3 = []
"""
WALK = """\
    define next(s: Square): Square = if s = 3 then 1 else s + 1
    define past(s: Square): Square? = if s = 3 then none else s + 1
    define named(s: Square) = top(stack[s])
  setup: |
    add 1 to stack[home]
    add 3 to stack[home]
- id: go
  prose: The top piece goes to the square that it names.
  action: s in Square where stack[s] is not empty
  do: move top of stack[s] onto stack[top(stack[s])]
- id: send
  prose: A piece that lies on the square named by its top piece goes on from there.
  action: s in Square where stack[s] is not empty
  do: move named(s) from stack[s] to stack[next(named(s))]
"""


def game(folder: Path, text: str, **settings: object) -> Game:
    path = folder / "walk.yaml"
    path.write_text(HEAD + text, "utf-8")
    return load(str(path), parameters=settings)


def test_a_table_may_give_a_type_that_every_argument_meets(tmp_path: Path) -> None:
    functions = game(tmp_path, WALK).core.functions
    assert str(functions["next"].result) == "Square"
    assert str(functions["past"].result) == "Square?"


def test_a_table_that_misses_its_type_says_for_which_argument(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"`next` gives Square, and for s = 3 this is 4"):
        game(tmp_path, WALK.replace("if s = 3 then 1 else s + 1", "s + 1", 1))


def test_a_parameter_may_have_a_type_that_a_rule_declares(tmp_path: Path) -> None:
    assert game(tmp_path, WALK).start(seed=0).to_data()["stack"] == {"2": [1, 3]}
    assert game(tmp_path, WALK, home=1).start(seed=0).to_data()["stack"] == {"1": [1, 3]}


def test_a_parameter_and_a_declaration_do_not_share_a_name(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="`home` is declared twice"):
        read_ruleset(_write(tmp_path, WALK.replace("define past", "define home")))


def test_a_move_goes_where_its_text_led_before_anything_moved(tmp_path: Path) -> None:
    state = game(tmp_path, WALK).start(seed=0)
    assert state.play("go 2").to_data()["stack"] == {"2": [1], "3": [3]}
    assert state.play("send 2").to_data()["stack"] == {"2": [1], "1": [3]}


def test_signs_of_any_length_stand_between_strokes(tmp_path: Path) -> None:
    declared = """    type Kind = one of plain, royal as "|Q"\n    type Rank = 9..11 as "9|10|J"\n"""
    types = game(tmp_path, declared + WALK).core.types
    assert [write(types["Rank"], v) for v in (9, 10, 11)] == ["9", "10", "J"]
    assert [read(types["Kind"], word) for word in ("", "Q", "royal")] == [0, 1, 1]


def _write(folder: Path, text: str) -> Path:
    path = folder / "walk.yaml"
    path.write_text(HEAD + text, "utf-8")
    return path
