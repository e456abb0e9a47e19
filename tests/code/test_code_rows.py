"""How actions lie in the buffer: always alike, and in as much room as they need."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulespec.code import Runner, TooLarge, write
from rulespec.code.execution import runner
from rulespec.code.move_generation import action_rows
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


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> int:
    """The first buffer has room for so many actions, in rows and in the largest number of blocks."""
    monkeypatch.setattr(action_rows, "FIRST_MOVES", 1 << 10)
    return 1 << 10


def test_the_buffer_grows(many: Game, little_room: int) -> None:
    played = Runner(write(many))
    node = played.start()
    assert node.legal == 30**3 > little_room
    after = played.play(node, 12_345)
    assert after.legal == 30**3
    assert played.play(after, 0).legal == 0
    assert node.moves[12_345 * 4 + 1] == 14, "a node keeps its actions while others are listed"
    assert Runner(write(many)).playouts(3, seed=1).plies == 6


def test_it_does_not_grow_for_ever(many: Game, little_room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    written = write(many)
    monkeypatch.setattr(runner, "MOST_NUMBERS", written.rows.first_size)
    with pytest.raises(TooLarge, match="a position has more than 1,024 legal actions"):
        Runner(written).start()


def test_random_plays_need_room_for_blocks_only(
    many: Game, little_room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write(many)
    monkeypatch.setattr(runner, "MOST_NUMBERS", written.rows.first_size)
    assert Runner(written).playouts(1, seed=1).plies == 2


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


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("tic-tac-toe", {}), ("breakthrough", {}), ("draughts", {}), ("hex", {"side": 17}), ("leistiko", {}),
        ("nine-mens-morris", {}), ("peg-solitaire", {}), ("sacred-alignment-small", {}), ("smith", {}),
    ],
    ids=str,
)  # fmt: skip
def test_random_plays_choose_among_the_rows(name: str, settings: dict[str, Any]) -> None:
    """Many plies at once, which write no rows, lead where the same plies lead one by one, out of rows."""
    written = write(load(name, parameters=settings))
    played = Runner(written)
    for seed in range(1, 4):
        node = played.start(lambda _, seed=seed: Random(seed).randrange)
        chance = [seed, 1, 0, 0, 0, 0, 0]
        at_once = played.rest(node, list(chance), 60)
        for _ in range(at_once[1]):
            node, plies = played.rest(node, chance, 1)
            assert plies == 1
        assert (node.cells, node.words, node.moves) == (at_once[0].cells, at_once[0].words, at_once[0].moves)
