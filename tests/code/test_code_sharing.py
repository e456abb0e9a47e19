"""What several actions ask of a choice is worked out once for a state, for all values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from code_plays import agree

from rulespec.code import Instance, write
from rulespec.core.game import Game
from rulespec.language import load

HEAPS = """
rulespec: 1
id: heaps
title: Heaps
players: 1
rules:
- id: heaps
  prose: Seventy heaps of coins. A heap is rich if it has more coins than a limit that rises.
  formal: |
    type Heap = 1..70
    state coins: map Heap -> 0..9999 = {h -> h for h in Heap}
    state limit: 0..9999 = 40
- id: rich
  prose: Only a rich heap gives.
  about: h in Heap
  binds: [spend, hand-on]
  that: coins[h] > limit
- id: small
  prose: A heap takes if it has few coins.
  about: h in Heap
  binds: [hand-on]
  that: coins[h] * 2 < limit + 1
- id: spend
  prose: Spend half of a heap.
  action: h in Heap
  written: spend {h}
  do: |
    coins[h] := coins[h] div 2
    limit := min(limit + 1, 9999)
- id: hand-on
  prose: Hand a coin on to another heap.
  action: h in Heap, to in Heap
  written: hand {h} {to}
  do: |
    coins[h] := coins[h] - 1
    coins[to] := min(coins[to] + 1, 9999)
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "heaps.yaml"
    path.write_text(HEAPS, "utf-8")
    return load(path)


@pytest.mark.parametrize("turned", [False, True])
def test_shared_sets_are_those_of_the_state(game: Game, turned: bool) -> None:
    agree(game, seeds=3, most=12, **({"started": Instance} if turned else {}))  # type: ignore[arg-type]


def test_a_condition_of_several_actions_is_asked_once(game: Game) -> None:
    text = write(game).text
    assert text.count("f2_rich(s, b, x1_h)") == 2, "where it is defined, and where the set is made"
    assert text.count("f3_rich(s, b)") == 3, "the set is made in one place, for two actions"
    assert text.count("f1_small(s, b, x1_h)") == 2, "one action only asks it"


TOGETHER = """
- id: poor
  prose: Where no rich heap is small in the first half the limit falls.
  reaction: no h in Half satisfies rich(h) and small(h)
  do: |
    limit := max(limit - 3, 0)
  formal: |
    type Half = h in Heap where h < 36
"""


def test_what_a_reaction_and_an_action_ask_together_is_worked_out_once(tmp_path: Path) -> None:
    path = tmp_path / "heaps.yaml"
    path.write_text(
        HEAPS.replace("h in Heap, to in Heap", "to in Heap, h in Heap") + TOGETHER.lstrip("\n"), "utf-8"
    )
    game = load(path)
    text = write(game).text
    (name,) = set(re.findall(r"f\d+_\w+(?=\(s, b\):)", text)) & set(
        re.findall(r"those, those_2 = (\w+)\(s, b\)", text)
    )
    assert text.count(f"{name}(s, b)") == 3, "the set is made in one place, for the reaction and the action"
    agree(game, seeds=3, most=30)
