"""What a player is shown: nothing of what is hidden but what the rules show; and advice that is legal."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import CARDS

from rulespec.language import outline
from rulespec.play.face import Game, load
from rulespec.play.hints import advise


@pytest.fixture
def cards(tmp_path: Path) -> Game:
    """A game with hidden hands."""
    (tmp_path / "cards.yaml").write_text(CARDS)
    return load(str(tmp_path / "cards.yaml"))


def test_a_player_knows_the_own_hand_and_nothing_of_the_other(cards: Game) -> None:
    state = cards.start(seed=1)
    values = state.values
    known = state.known_to(2)
    assert known["hand"] == (frozenset(), values["hand"][1])
    assert (known["pile"], known["trump"]) == ((), None)
    assert known["shown"] == values["shown"]
    assert state.known_to(1)["hand"][0] == values["hand"][0]


def test_advice_is_a_legal_action_of_plays_that_ended(cards: Game) -> None:
    state = cards.start(seed=1)
    found = advise(state, seconds=0.2, seed=3)
    assert found is not None
    assert found.action in state.actions()
    assert 0 <= found.wins <= found.plays


def test_advice_without_time_is_none(cards: Game) -> None:
    assert advise(cards.start(seed=1), seconds=0.0) is None


def test_an_outline_is_read_without_the_rules(cards: Game) -> None:
    found = outline(cards.name)
    assert (found.title, found.players, found.claims, found.faults) == ("Cards", (2,), 0, 0)


def test_an_outline_counts_the_faults_of_its_structure(tmp_path: Path) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text(CARDS.replace("prose: Show a card.", "pose: Show a card."))
    assert outline(file).faults == 2
    file.write_text("- 1\n")
    assert outline(file).faults == 1
