"""Parameters: lists of values, what is refused, and the settings that examples are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load, read
from rulespec.play.examples import examples, run_examples
from rulespec.play.face import Game
from rulespec.play.perft import perft

TEXT = """\
rulespec: 1
id: heaps
title: Heaps
players: 2
parameters:
  most:
    type: 1..99
    default: 9
    prose: The most counters in a heap.
  heaps:
    type: list of 1..most up to 4
    default:
    - 3
    - most - 5
    - 5
    prose: How many counters each heap has.
rules:
- id: heaps-of-counters
  prose: There are heaps of counters.
  formal: |
    type Heap = 1..size(heaps)
    state left: list of 0..max(n for n in heaps) up to size(heaps) = heaps
- id: take
  prose: Take a counter.
  action: h in Heap where left[h] > 0
  do: remove 1 from left[h]
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    path = tmp_path / "heaps.yaml"
    path.write_text(TEXT, "utf-8")
    return path


def test_a_default_is_a_list_of_values_or_of_what_comes_to_one(ruleset: Path) -> None:
    game = load(ruleset)
    assert game.parameters["heaps"].value == (3, 4, 5)
    assert len(game.types["Heap"].values) == 3
    assert str(game.state["left"].type) == "list of 0..5 up to 3"


@pytest.mark.parametrize("given", [[2, 1], (2, 1), "[2, 1]"])
def test_a_value_is_given_as_a_list_or_in_notation(ruleset: Path, given: Any) -> None:
    assert load(ruleset, parameters={"heaps": given}).parameters["heaps"].value == (2, 1)


@pytest.mark.parametrize("given", [[0], [1] * 5, "2, 1", 3, [[1]]])
def test_other_values_are_refused(ruleset: Path, given: Any) -> None:
    with pytest.raises(RulesetError, match=r"`heaps` is a list of 1\.\.9 up to 4, not"):
        load(ruleset, parameters={"heaps": given})


def test_a_wrong_value_is_the_only_fault_that_is_told() -> None:
    with pytest.raises(RulesetError) as caught:
        load("sacred-alignment", parameters={"tiers": 99})
    (fault,) = caught.value.diagnostics
    assert fault.message == "`tiers` is one of 1..4, not `99`"


def test_names_that_are_like_nothing_are_told_what_there_is(ruleset: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        load(ruleset, parameters={"zzz": 1})
    (fault,) = caught.value.diagnostics
    assert fault.help == "there are most, heaps"


def test_a_variant_sets_a_list(ruleset: Path) -> None:
    other = ruleset.with_name("more.yaml")
    other.write_text(
        "rulespec: 1\nid: more\ntitle: More\nextends: heaps\nset:\n  heaps: [1, 2, 3, 4]\n", "utf-8"
    )
    assert load(other).parameters["heaps"].value == (1, 2, 3, 4)


EXAMPLES = TEXT.replace(
    "  do: remove 1 from left[h]\n",
    """\
  do: remove 1 from left[h]
  examples:
  - id: usual
    given:
      left: [3, 4, 5]
    play: [take 3]
    then: left[3] = 4
  - id: one-heap
    parameters:
      heaps: [7]
    given:
      left: [7]
    play: [take 1]
    then: left[1] = 6
""",
)


def test_an_example_is_about_the_defaults_but_for_what_it_settles(ruleset: Path) -> None:
    ruleset.write_text(EXAMPLES, "utf-8")
    for heaps in ([3, 4, 5], [7], [1, 1]):
        game = Game(load(ruleset, parameters={"heaps": heaps}), str(ruleset))
        usual, own = examples(game)
        assert (usual.settings is None, own.settings is None) == (heaps == [3, 4, 5], heaps == [7])
        assert run_examples(game) == []


def test_what_a_variant_sets_does_not_change_the_examples_it_inherits(ruleset: Path) -> None:
    ruleset.write_text(EXAMPLES, "utf-8")
    other = ruleset.with_name("more.yaml")
    other.write_text("rulespec: 1\nid: more\ntitle: More\nextends: heaps\nset:\n  heaps: [1, 1]\n", "utf-8")
    game = Game(load(other), str(other))
    assert [e.settings["parameters"] for e in examples(game) if e.settings] == [
        {"heaps": "[3, 4, 5]"}, {"heaps": "[7]"}
    ]  # fmt: skip
    assert run_examples(game) == []


@pytest.mark.parametrize(
    ("more", "repeated"),
    [
        ("set:\n  heaps: [1, 1]\n", True),
        ("choose: {}\n", True),
        ("replace:\n  take.prose: Take one.\n", False),
        ("remove: take.examples\n", False),
        ("parameters:\n  least:\n    type: 1..9\n    default: 1\n    prose: The least.\n", False),
    ],
)
def test_a_variant_that_only_settles_something_repeats_what_it_inherits(
    ruleset: Path, more: str, repeated: bool
) -> None:
    ruleset.write_text(EXAMPLES, "utf-8")
    other = ruleset.with_name("more.yaml")
    other.write_text(f"rulespec: 1\nid: more\ntitle: More\nextends: heaps\n{more}", "utf-8")
    assert all(e.repeated is repeated for e in examples(Game(load(other), str(other))))
    assert not any(e.repeated for e in examples(Game(load(ruleset), str(ruleset))))


def test_an_example_asks_for_settings_that_are_there(ruleset: Path) -> None:
    ruleset.write_text(EXAMPLES.replace("      heaps: [7]", "      heap: [7]"), "utf-8")
    with pytest.raises(RulesetError, match="there is no parameter `heap`"):
        load(ruleset)


def test_a_parameter_that_is_called_a_ruling_and_the_other_way_round_are_told(ruleset: Path) -> None:
    rulings = """- id: over
  prose: The game is over when nothing is left.
  question: Does the last counter win?
  readings:
    wins: It does.
    loses: It loses.
  end: sum(left[h] for h in Heap) = 0
  winners: p in Player where p = mover and over is wins or p != mover and over is loses
"""
    ruleset.write_text(TEXT + rulings, "utf-8")
    with pytest.raises(RulesetError, match="`over` is a ruling: choose a reading of it"):
        load(ruleset, parameters={"over": "loses"})
    with pytest.raises(RulesetError, match="`most` is a parameter: set its value"):
        load(ruleset, readings={"most": "3"})


LIMITED = """\
rulespec: 1
id: limited
title: Limited
players: 2
parameters:
  most:
    type: 2..9
    default: 3
    prose: The number of turns.
rules:
- id: act
  prose: Act.
  action: ()
  do: nothing
- id: turns
  prose: There are so many turns.
  turn:
    limit: most
"""


@pytest.mark.parametrize("most", [5, 2])
def test_the_limit_of_turns_may_differ_between_games_of_one_document(tmp_path: Path, most: int) -> None:
    path = tmp_path / "limited.yaml"
    path.write_text(LIMITED, "utf-8")
    ruleset = read(path)
    for number in (3, most, 3):
        game = ruleset.with_settings(parameters={"most": number})
        assert [*perft(Game(game, "limited"), 9).values()] == [1] * number + [0] * (9 - number)
