"""Legal moves are the same and stand in the same order, whoever lists them; so a seed is a game."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from playouts import random_playout

from rulespec.language import shipped
from rulespec.play import lists
from rulespec.play.face import Game, load
from rulespec.play.perft import perft

NAMES = (
    "tic-tac-toe",
    "draughts",
    "kuhn-poker",
    "smith-small",
    "leistiko-small",
    "stout",
    "sacred-alignment-small",
)


@pytest.mark.parametrize("name", sorted(shipped()))
def test_code_lists_in_the_order_of_the_interpreter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "PATIENCE", -1.0)
    game, rng = load(name), random.Random(1)
    state = game.start(seed=1)
    for _ in range(4):
        if state.is_over:
            break
        assert state.moves == tuple(game.machine.moves(state.position))
        state = state.play(rng.choice(state.moves))


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_is_the_same_game_interpreted_and_by_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []
    for patience in (math.inf, -1.0):
        monkeypatch.setattr(lists, "PATIENCE", patience)
        ends.append(random_playout(load(name), 5, most=20).record(full=True).to_json())
    assert ends[0] == ends[1]


def test_a_game_without_code_is_listed_by_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "PATIENCE", -1.0)
    monkeypatch.setattr("rulespec.code.program.MOST_CELLS", 3)
    assert random_playout(load("tic-tac-toe"), 1).is_over


def test_counting_goes_on_without_code_where_too_much_is_legal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))  # for code that counts on less room
    monkeypatch.setattr("rulespec.code.move_generation.action_rows.FIRST_MOVES", 4)
    monkeypatch.setattr("rulespec.code.execution.runner.MOST_NUMBERS", 8)
    game: Game = load("tic-tac-toe")
    assert perft(game, 3) == {1: 9, 2: 72, 3: 504}
