"""Examples of a ruleset: each part that can fail does so when it is wrong, and passes when right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import handmade
import pytest
from building import Text, equal, get, number

from rulespec.core.diagnostics import Source, Span
from rulespec.core.examples import Example
from rulespec.core.game import Rule
from rulespec.play.examples import examples, run_example, run_examples
from rulespec.play.face import Game, load

GAME = Game(handmade.ziggurat())
PLACED = {"pips": "  . .\n0 1 0 0\n", "hand": ["0-1"]}


def example(**data: Any) -> Example:
    return Example("sample", "ascending", "", data, Span(Source("rules.yaml", "x"), 1, 1, 1, 2))


@pytest.mark.parametrize(
    "data",
    [
        {"given": PLACED, "refused": {"play": "place 0-1 2.3/2.2", "by": "ascending"}},
        {"given": PLACED, "refused": [{"play": "place 0-1 1.1/1.2", "by": "place.vacant"}]},
        {"given": PLACED, "refused": [{"play": "place 0-1 1.1/1.2", "by": "vacant"}]},
        {"given": PLACED, "refused": [{"play": "place 0-1 1.1/1.2", "by": "place"}]},
        {"given": PLACED, "refused": "place 0-0 1.1/1.2"},
        {"given": {"pips": "  . .\n0 0 0 0\n", "hand": ["1-1"]}, "legal": ["place 1-1 2.2/2.3"]},
        {"given": {"pips": "  . .\n0 0 0 0\n", "hand": ["1-1"]}, "only": ["place 1-1 2.2/2.3"]},
        {"seed": 3, "refused": "skip"},
    ],
)  # fmt: skip
def test_examples_that_hold(data: dict[str, Any]) -> None:
    assert run_example(GAME, example(**data)) == []


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        ({"given": PLACED, "legal": ["place 0-1 2.3/2.2"]}, "legal",
         "should be legal: illegal by `ascending`"),
        ({"given": {"pips": "  . .\n. . . .\n", "hand": ["1-1"]}, "only": ["place 1-1 1.1/1.2"]}, "only",
         "legal too: `place 1-1 1.2/1.3`, `place 1-1 1.3/1.4`"),
        ({"given": PLACED, "refused": {"play": "skip"}}, "refused",
         "`skip` should be refused, but it is legal"),
        ({"given": PLACED, "refused": {"play": "place 0-1 2.3/2.2", "by": "one-way"}}, "refused",
         "should be refused by `one-way`, but it is illegal by `ascending`"),
        ({"given": PLACED, "refused": {"play": "plaice 0-1", "by": "ascending"}}, "refused",
         "no such action"),
        ({"given": PLACED, "play": ["skip", "skip"]}, "play", "play 2, `skip`: the game is over"),
        ({"given": PLACED, "winners": "1"}, "winners", "the game is not over"),
        ({"given": PLACED, "play": ["skip"], "winners": ["1", "2"]}, "winners", "won by"),
        ({"given": {"pip": 1}}, "given", "no state variable `pip`; did you mean pips?"),
    ],
)  # fmt: skip
def test_examples_that_do_not_hold_say_why(data: dict[str, Any], code: str, message: str) -> None:
    (failure,) = run_example(GAME, example(**data))
    assert (failure.code, failure.clause) == (f"example.{code}", "ascending")
    assert failure.message.startswith("example `sample`: ")
    assert message in failure.message
    assert failure.span is not None


def test_what_comes_of_it_is_asked_at_the_end() -> None:
    said = Text()
    core = handmade.nim()
    none_gone = said("gone = 0", equal(get(core.state["gone"]), number(0)))
    one_gone = said("gone = 1", equal(get(core.state["gone"]), number(1)))
    game = Game(said.of(core))
    assert run_example(game, example(play="take 1 from a", then=one_gone)) == []
    (failure,) = run_example(game, example(play="take 1 from a", then=none_gone))
    assert failure.message == "example `sample`: at the end, gone = 0 is false: 1 = 0"


@pytest.mark.parametrize("data", [{"legal": "place 0-1 2.3/2.2"}, {"refused": "skip"}])
def test_a_failure_before_the_play_says_so(data: dict[str, Any]) -> None:
    (failure,) = run_example(GAME, example(given=PLACED, play=["skip"], **data))
    assert failure.message.startswith("example `sample`: before its play, `")


def test_a_condition_that_refuses_nothing_is_shown_with_its_element(tmp_path: Path) -> None:
    """The sentence once had `for` twice."""
    path = tmp_path / "heaps.yaml"
    path.write_text(HEAPS, "utf-8")
    (failure,) = run_examples(load(str(path)))
    assert failure.message.endswith("`none-left` holds, because for k = 2, left[k] = 0 is false: 1 = 0")


HEAPS = """
rulespec: 1
id: heaps
title: Heaps
rules:
- id: take
  prose: Take one.
  formal: |
    state left: map 1..3 -> 0..2 = 1
    define cleared(k: 1..3) = left[k] = 0
  action: h in 1..3
  written: take {h}
  require:
    none-left:
      prose: The heap is not cleared.
      that: not cleared(h)
  do: remove 1 from left[h]
  examples:
  - id: full
    prose: A full heap.
    refused: {play: take 2, by: none-left}
- id: over
  prose: It ends.
  end: left[1] = 0
"""


@pytest.mark.parametrize(("named", "holds"), [("2", True), (["2"], True), ("1", False), ([], False)])
def test_the_winners_are_those_and_nobody_else(named: Any, holds: bool) -> None:
    game = Game(handmade.nim())
    found = run_example(game, example(play=["take 2 from b", "take 1 from a"], winners=named))
    assert [f.message for f in found] == (
        [] if holds else ["example `sample`: won by 2; it ended by `cleared`"]
    )


def test_examples_are_run_in_the_order_of_the_rules() -> None:
    bad = example(given=PLACED, refused="skip")
    rules = tuple(
        Rule(name, "law", name, "", (), "", (), examples=(replace(bad, id=name),))
        for name in ("second", "first")
    )
    game = Game(replace(handmade.ziggurat(), rules=rules))
    assert [e.id for e in examples(game)] == ["second", "first"]
    assert [f.message.split("`")[1] for f in run_examples(game)] == ["second", "first"]


@pytest.mark.parametrize("given", ["nothing", ["left"]])
def test_a_position_that_is_none_is_told(given: Any) -> None:
    """Something else than variables with values once ended in an AttributeError."""
    (failure,) = run_example(GAME, example(given=given))
    assert "a position is state variables with their values" in failure.message


OTHERWISE = """
rulespec: 1
id: heap
title: Heap
parameters:
  most:
    type: 1..9
    default: 3
    prose: How many.
rules:
- id: take
  prose: Take one.
  formal: |
    state left: 0..9 = most
  action: ()
  written: take
  do: remove 1 from left
  examples:
  - id: from-five
    parameters: {most: 5}
    play: take
    then: rest = 4
"""


def test_an_example_whose_own_settings_give_a_faulty_game_fails(tmp_path: Path) -> None:
    """The fault once went past everybody who only expects failures of an example."""
    path = tmp_path / "heap.yaml"
    path.write_text(OTHERWISE, "utf-8")
    (failure,) = run_examples(load(str(path)))
    assert "rest" in failure.message
    assert failure.span is not None


SHIPS = """rulespec: 1
id: ships
title: Ships
rules:
- id: load
  prose: Load crates into a ship. Ship 2 holds four of them.
  formal: |
    state crates: map 1..2 -> 0..9 = 0
    define capacity(s: 1..2): 2..3 = s + 1
    define onward(s: 1..2): 1..2 = s
  action: s in 1..2
  require:
    room:
      prose: The ship has room.
      that: crates[s] < capacity(s)
  do: |
    let t be onward(s)
    add 1 to crates[t]
  examples:
  - id: EXAMPLE
- id: over
  prose: It is over when a ship is full.
  end: crates[2] = 9
"""


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("given: {crates: {1: 0, 2: 3}}\n    legal: [load(2)]", [(15, ""), (9, "`capacity(2)` is 3")]),
        (
            "play: load(1)\n    then: crates[2] = 1",
            [(18, "here `crates` gets its value"), (17, "this is `t`"), (10, "this is `onward(s)`")],
        ),
        ("play: load(1)\n    then: over", []),
    ],
)
def test_a_failure_shows_the_definitions_that_decide_it(
    statement: str, shown: list[tuple[int, str]], tmp_path: Path
) -> None:
    """The cause was in a definition, and the place that calls it was shown alone."""
    path = tmp_path / "ships.yaml"
    path.write_text(SHIPS.replace("EXAMPLE", f"one\n    prose: One.\n    {statement}"))
    (failure,) = run_examples(load(str(path)))
    assert [(label.span.line, label.note) for label in failure.labels[1:]] == shown
