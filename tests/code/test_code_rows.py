"""How actions lie in the buffer: always alike, and in as much room as they need."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulespec.code import Runner, TooLarge, runner, write
from rulespec.code.rows import FIRST_MOVES
from rulespec.core.game import Game
from rulespec.language import load

MANY = """\
rulespec: 1
id: many
title: Many
summary: Say three numbers, twice.
players: 1
rules:
- id: counting
  prose: The plies are counted.
  formal: |
    state plies: 0..2 = 0
- id: name
  prose: Name three numbers.
  action: x in 1..30, y in 1..30, z in 1..30
  written: say {x} {y} {z}
  do: |
    plies := plies + 1
- id: twice
  prose: It ends after two plies.
  end: plies = 2
"""


@pytest.fixture
def many(tmp_path: Path) -> Game:
    path = tmp_path / "many.yaml"
    path.write_text(MANY, "utf-8")
    return load(path)


def test_the_buffer_grows(many: Game) -> None:
    played = Runner(write(many))
    node = played.start()
    assert node.legal == 30**3 > FIRST_MOVES
    after = played.play(node, 12_345)
    assert after.legal == 30**3
    assert played.play(after, 0).legal == 0
    assert node.moves[12_345 * 4 + 1] == 14, "a node keeps its actions while others are listed"
    assert Runner(write(many)).playouts(3, seed=1).plies == 6


def test_it_does_not_grow_for_ever(many: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MOST_NUMBERS", FIRST_MOVES * 4)
    played = Runner(write(many))
    with pytest.raises(TooLarge, match="a position has more than 16,384 legal actions"):
        played.start()
    with pytest.raises(TooLarge):
        played.playouts(1, seed=1)


def test_the_same_action_is_always_the_same_row() -> None:
    played = Runner(write(load("smith-tiny")))
    rows: dict[Any, set[tuple[int, ...]]] = {}
    for seed in range(20):
        source = Random(seed)
        node = played.start(lambda number, source=source: source.randrange)
        while node.legal > 0:
            width = played.written.width
            for i, move in enumerate(played.moves(node)):
                rows.setdefault(move, set()).add(tuple(map(int, node.moves[i * width : (i + 1) * width])))
            node = played.play(node, source.randrange(node.legal))
    assert len({move[0] for move in rows}) > 1, "actions with different numbers of choices"
    assert all(len(found) == 1 for found in rows.values())
