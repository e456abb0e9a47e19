"""Habits of other languages are answered with what is written here; reserved words are told once."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from rulespec.core.diagnostics import RulesetError
from rulespec.language.elaborate.world import RESERVED as DECLARED
from rulespec.language.elaborate.world import RESERVED_FOR
from rulespec.language.loader import read_texts
from rulespec.language.syntax.habits import Habit, habit_in
from rulespec.language.syntax.parser import RESERVED, STARTERS

HABITS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "habits.yaml").read_text())


def game(
    decl: str = "",
    do: str = "remove 1 from left",
    end: str = "left = 0",
    choice: str = "k",
    source: str = "1..2",
) -> str:
    return f"""\
rulespec: 1
id: habits
title: Habits
players: 2
rules:
- id: heap
  prose: A heap.
  formal: |
    type File = 1..2 as "ab"
    type Square = {{x: File, y: 1..2}} as "{{x}}{{y}}"
    state left: 0..5 = 5
    state pile: list of 1..5 up to 5 = []
{indent(decl, "    ")}
- id: go
  prose: Go on.
  action: {choice} in {source}
  do: |
{indent(do, "    ")}
- id: over
  prose: It ends.
  end: |
    {end}
"""


def faults(text: str) -> list[tuple[str, str]]:
    with pytest.raises(RulesetError) as caught:
        read_texts({"habits.yaml": text}, {}).with_settings()
    return [(fault.code, f"{fault.message}; {fault.help}") for fault in caught.value.diagnostics]


@pytest.mark.parametrize("habit", HABITS, ids=[str(number) for number in range(len(HABITS))])
def test_a_habit_is_answered(habit: dict[str, Any]) -> None:
    where = {key: value for key, value in habit.items() if key != "says"}
    told = faults(game(**where))
    assert len(told) == 1 and habit["says"] in told[0][1], told


def test_there_are_many_habits() -> None:
    assert len(HABITS) >= 240


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_told_once_wherever_it_stands(word: str) -> None:
    uses = {
        "choice": game(do=f"left := {word}", choice=word),
        "let": game(do=f"let {word} be 1\nleft := {word}"),
        "parameter": game(decl=f"define f({word}: 1..2): 1..2 = {word}"),
        "binder": game(end=f"every {word} in 1..2 satisfies {word} = left"),
        "state": game(decl=f"state {word}: 0..5 = 1", do=f"{word} := 2", end=f"{word} = 2"),
    }
    for place, text in uses.items():
        assert [code for code, _ in faults(text)] == ["name.reserved"], place


@pytest.mark.parametrize("word", sorted(STARTERS))
def test_nothing_that_is_stored_in_is_called_like_a_statement(word: str) -> None:
    text = game(decl=f"state {word}: 0..5 = 1", do=f"{word} := 2")
    assert [code for code, _ in faults(text)] == ["name.reserved"]


def test_the_reference_lists_every_reserved_word() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "language.md").read_text()
    section = page.split("## Reserved words")[1].split("\n## ")[0]
    words = RESERVED | STARTERS | DECLARED | frozenset().union(*RESERVED_FOR.values())
    assert not {word for word in words if f"`{word}`" not in section}


def test_a_habit_is_found_behind_empty_lines_as_without_them() -> None:
    """A declaration is read with an empty line for each line before it."""
    text = "define a = b == c"
    plain, later = habit_in(text, 1, 15), habit_in("\n" * 7 + text, 8, 15)
    assert plain is not None
    assert later == Habit(plain.start + 7, plain.end + 7, plain.advice)
