"""Repairs of failing examples: the change that mends them is shown at its place, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.language import read
from rulespec.language.mutations import nearby
from rulespec.play import repairs
from rulespec.play.examples import Trial, examples, try_example
from rulespec.play.face import Game
from rulespec.play.repairs import with_repairs

BRIDGE = """\
rulespec: 1
id: bridge
title: Bridge
players: 2
parameters:
  toll:
    type: 0..9
    default: 2
    prose: The toll is two coins.
rules:
- id: places
  prose: There are seven planks, and coins.
  formal: |
    type Plank = 1..7
    define fits(s: Plank, n: 1..2) = s + n <= 7
    state at: map Player -> Plank = 1
    state coins: map Player -> 0..20 = 5
    state box: 0..20 = 0
- id: walk
  prose: Walk one or two planks and pay the toll into the box, if you have it.
  action: n in 1..2
  written: walk {n}
  require:
    room:
      prose: There is a plank.
      that: fits(at[mover], n)
    money:
      prose: You have the toll.
      that: coins[mover] >= toll
  do: |
    add n to at[mover]
    remove toll from coins[mover]
    add toll to box
  examples:
  - id: pays
    prose: The toll goes into the box.
    given: {coins: {1: 2}}
    play: walk 2
    then: at[1] = 3 and coins[1] = 0 and box = 2
  - id: poor
    prose: One coin is not enough.
    given: {coins: {1: 1}}
    refused: {play: walk 1, by: money}
  - id: beginning
    prose: Both begin at the first plank with five coins.
    then: at[1] = 1 and at[2] = 1 and coins[2] = 5
- id: over
  prose: It ends when somebody reaches the seventh plank, and who is there wins.
  end: some p in Player satisfies at[p] = 7
  winners: the p in Player with most at[p]
  examples:
  - id: reached
    prose: The last plank.
    given: {at: {1: 6}}
    play: walk 1
    winners: 1
"""
MISTAKES = {
    "comparison": (">= toll", "> toll", "with `>=` here"),
    "number": ("at: map Player -> Plank = 1", "at: map Player -> Plank = 2", "with `1` here"),
    "definition": ("s + n <= 7", "s + n < 7", "with `<=` here"),
    "player": ("from coins[mover]", "from coins[after(mover)]", "with `mover` here"),
    "more": ("add toll to box", "add toll to box\n    add n to box", "without this"),
    "default": ("default: 2", "default: 1", "with `2` here"),
    "winners": ("with most at[p]", "with least at[p]", "with `most` here"),
}


PURSES = """\
rulespec: 1
id: purses
title: Purses
players: 2
rules:
- id: give
  prose: Give a coin to the other player.
  formal: |
    state coins: map Player -> 0..20 = 5
    state given: map Player -> 0..20 = 0
  action: p in Player where p != mover
  written: give to {p}
  do: |
    remove 1 from coins[mover]
    add 1 to coins[p]
    add 1 to given[mover]
  examples:
  - id: given
    prose: The first player has a coin less.
    play: give to 2
    then: coins[1] = 4 and coins[2] = 6 and given[1] = 1
- id: over
  prose: It ends when one player has given two coins. Most coins win; if equal, who gave more wins.
  end: some p in Player satisfies given[p] = 2
  score: coins[player]
  ties:
  - prose: Whoever gave more wins.
    most: given[player]
  examples:
  - id: generous
    prose: Both have as many.
    given: {coins: {1: 6, 2: 4}, given: {1: 1}}
    play: give to 2
    winners: 1
"""


def told(folder: Path, text: str) -> list[tuple[int, str]]:
    """The lines and notes of the changes that are shown for the examples of a ruleset."""
    path = folder / "bridge.yaml"
    path.write_text(text)
    ruleset = read(path)
    game = Game(ruleset.with_settings(), str(path), ruleset.with_settings)
    before = [try_example(game, one) for one in examples(game)]
    after = with_repairs(path, ruleset, game, before)
    assert [trial.holds for trial in before] == [trial.holds for trial in after]
    return [label for one, other in zip(before, after, strict=True) for label in _added(one, other)]


def _added(before: Trial, after: Trial) -> list[tuple[int, str]]:
    pairs = zip(before.failures, after.failures, strict=True)
    labels = [label for old, new in pairs for label in new.labels[len(old.labels) :]]
    return [(label.span.line, label.note) for label in labels]


def test_examples_that_hold_have_no_repairs(tmp_path: Path) -> None:
    assert told(tmp_path, BRIDGE) == []


@pytest.mark.parametrize("kind", MISTAKES)
def test_the_change_is_shown_at_its_place(kind: str, tmp_path: Path) -> None:
    was, becomes, note = MISTAKES[kind]
    line = BRIDGE[: BRIDGE.index(was)].count("\n") + 1 + becomes.count("\n")
    assert (line, f"{note} the example would hold") in told(tmp_path, BRIDGE.replace(was, becomes, 1))


PAID = "from coins[mover]\n    add 1 to coins[p]"
TURNED = {
    "keys": (PAID, "from coins[p]\n    add 1 to coins[mover]", 14, "with their keys exchanged"),
    "ties": ("most: given", "least: given", 28, "with `most` here"),
    "quantifiers": ("some p in Player satisfies", "every p in Player satisfies", 24, "with `some` here"),
}


@pytest.mark.parametrize("kind", TURNED)
def test_keys_quantifiers_and_ties_are_changed(kind: str, tmp_path: Path) -> None:
    was, becomes, line, note = TURNED[kind]
    assert told(tmp_path, PURSES) == []
    assert (line, f"{note} the example would hold") in told(tmp_path, PURSES.replace(was, becomes, 1))


def test_a_change_that_breaks_another_example_is_not_shown(tmp_path: Path) -> None:
    """Without the requirement `pays` would hold, but `poor` would fail."""
    wrong = BRIDGE.replace(">= toll", ">= toll + 1", 1)
    notes = [note for _, note in told(tmp_path, wrong)]
    assert notes and not any(note.startswith("without this") for note in notes)


def test_each_two_neighbouring_arguments_are_exchanged(tmp_path: Path) -> None:
    path = tmp_path / "bridge.yaml"
    path.write_text(BRIDGE.replace("fits(at[mover], n)", "fits(at[mover], n) and most(n, toll, n) <= 9"))
    changes = {(one.was, one.becomes) for one in nearby(read(path), [], {}, ["twice"])}
    assert {("n, toll", "toll, n"), ("toll, n", "n, toll"), ("n", "twice(n)")} <= changes


def test_the_work_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairs, "STEPS", 100)
    assert told(tmp_path, BRIDGE.replace(">= toll", "> toll", 1)) == []
