"""Every shipped ruleset: random plays keep their records, positions come back."""

from __future__ import annotations

import pytest
from playouts import playout
from shipped_games import base_rulesets, load

import rulespec
from rulespec.language import shipped_rulesets
from rulespec.play.records.files import read_record, record, replay
from rulespec.play.wording import seat_names

NAMES = sorted(shipped_rulesets())
PLIES = 8


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_a_random_play_is_replayed_from_its_record(name: str) -> None:
    state = playout(load(name).start(seed=1), 1, most=PLIES)
    assert state.plays
    again = read_record(record(state).to_json())
    assert list(replay(again, again.load() if name in base_rulesets() else load(name)))[-1] == state


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_a_position_comes_back_from_its_data_and_actions_from_their_text(name: str) -> None:
    state = playout(load(name).start(seed=2), 2, most=PLIES)
    again = load(name).position(state.to_data())
    assert again.moves == state.moves
    for action in again.actions()[::7]:
        assert again.find(str(action)) == action
        assert again.find(action.full) == action


@pytest.mark.parametrize(
    ("players", "readings", "names"),
    [
        (4, {}, ["Yellow", "Green", "Red", "Blue"]),
        (2, {}, ["Yellow", "Red"]),
        (2, {"two-players": "two-colours"}, ["Yellow and Red", "Green and Blue"]),
    ],
)
def test_seats_have_names_by_the_settings(players: int, readings: dict[str, str], names: list[str]) -> None:
    """Pieces were yellow, green, red and blue, and their players blue, orange, green and purple."""
    game = rulespec.load("stout", players=players, readings=readings)
    assert seat_names(game.core) == names


@pytest.mark.parametrize("name", base_rulesets())
def test_every_action_is_reported_in_a_sentence(name: str) -> None:
    core = load(name).core
    assert core.actions.keys() == core.presentation.sentences.keys()
