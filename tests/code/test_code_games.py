"""Rulesets as code play as the interpreter does, under every reading; variants too in `make agreement`.

In the machine every ruleset is played: `test_in_the_machine`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from code_plays import agree
from handmade import all_games
from shipped_games import SMALLER, base_rulesets
from shipped_games import load as shipped

from rulespec.code import TooLarge, write
from rulespec.core.game import Game
from rulespec.language import load, shipped_rulesets

SLOW = bool(os.environ.get("RULESPEC_SLOW"))
GOOD = Path(__file__).parents[1] / "language" / "good"
PLIES = 60 if SLOW else 5
UNSEEN = """
rulespec: 1
id: unseen
title: A secret that is no use
players: 2
rules:
- id: parts
  prose: Nobody sees how far it is.
  formal: |
    hidden state far: 0..3 = 0
- id: go
  prose: Go on.
  action: ()
  written: go
  do: far := far + 1
- id: there
  prose: It ends there.
  end: far = 3
- id: won
  prose: The last to go wins.
  winners: those p in Player where p = mover
"""


@pytest.mark.parametrize("name", sorted(all_games()))
def test_a_game_by_hand_plays_alike(name: str) -> None:
    agree(all_games()[name], seeds=10, most=40)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(shipped_rulesets() if SLOW else base_rulesets()))
def test_a_ruleset_plays_alike(name: str) -> None:
    agree(shipped(name, parameters=SMALLER.get(name)).core, seeds=2 if SLOW else 1, most=PLIES)


@pytest.mark.parametrize("path", sorted(GOOD.glob("[!f]*.yaml")), ids=lambda path: path.stem)
def test_a_game_of_the_language_plays_alike(path: Path) -> None:
    agree(load(path), seeds=2, most=40)


def test_plays_to_the_end() -> None:
    for name in ("tic-tac-toe", "kalah", "smith-small", "leistiko-small", "pig", "kuhn-poker"):
        agree(shipped(name).core, seeds=2, most=200)


def readings() -> Iterator[Any]:
    """Settings that take every reading of every ruling, several at once."""
    for name in sorted(shipped_rulesets()) if SLOW else base_rulesets():
        rulings = shipped(name).core.rulings.values()
        modelled = {r.id: [reading.id for reading in r.readings if reading.modelled] for r in rulings}
        for i in range(1, max(map(len, modelled.values()), default=0)):
            chosen = {ruling: ids[i % len(ids)] for ruling, ids in modelled.items()}
            yield pytest.param(name, chosen, id=f"{name}-{i}")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("name", "chosen"), list(readings()))
def test_every_reading_plays_alike(name: str, chosen: dict[str, str]) -> None:
    agree(shipped(name, readings=chosen).core, seeds=1, most=PLIES)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("tic-tac-toe", {"width": 9, "height": 9, "in-line": 5}),
        ("hex", {"side": 13}),
        ("othello", {"side": 10}),
        ("breakthrough", {"width": 13, "height": 12}),
        ("breakthrough", {"width": 26, "height": 20}),
    ],
    ids=str,
)
def test_boards_of_several_words_play_alike(name: str, settings: dict[str, Any]) -> None:
    agree(load(name, parameters=settings), seeds=1, most=15 if SLOW else 8)


def written(game: Game) -> str:
    return write(game).text


def test_the_same_game_is_written_alike() -> None:
    assert written(load("draughts")) == written(load("draughts"))


def test_what_is_too_large_says_so() -> None:
    with pytest.raises(TooLarge, match="sets of Square take 41 words"):
        write(load("breakthrough", parameters={"width": 26, "height": 99}))


def test_a_game_whose_hidden_state_is_shown_to_nobody_has_code(tmp_path: Path) -> None:
    """The code of a game with hidden state and no sights had a syntax error."""
    path = tmp_path / "unseen.yaml"
    path.write_text(UNSEEN)
    agree(load(path), seeds=2, most=5)
