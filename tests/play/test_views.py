"""What a player is shown: nothing of what is hidden but what the rules show; and advice that is legal."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import CARDS

from rulespec.book.drawing.diagram import draw
from rulespec.book.drawing.diagram import text as text_of
from rulespec.language import outline
from rulespec.play.face import Game, load
from rulespec.play.views import is_drawn, seen_by_all


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


def test_what_is_shown_of_a_hidden_hand_is_known_and_the_rest_is_backs(tmp_path: Path) -> None:
    """Once nothing of a hand was drawn for others, but the cards that all had seen being taken."""
    text = CARDS.replace("    size(pile)\n", "    hand[p] & shown for p in Player\n    size(pile)\n")
    (tmp_path / "cards.yaml").write_text(
        text.replace("do: move c from hand[mover] to shown", "do: add c to shown")
    )
    state = load(str(tmp_path / "cards.yaml")).start(seed=1)
    state = state.play(state.actions()[0])
    (seen,) = state.values["shown"]
    first, second = state.values["hand"]
    assert state.known_to(2)["hand"] == (frozenset({seen}), second)
    assert state.known_to(1)["hand"] == (first, frozenset())
    core = state.game.core
    assert text_of(core, state.known_to(2), sizes=state.sizes_known_to(2)).startswith(f"1: {seen} ##\n2: ")
    drawn = draw(core, state.known_to(2), sizes=state.sizes_known_to(2))
    assert drawn.count('href="#rs-back"') == 1, "one back"
    assert [sight.text for sight in core.sights if not is_drawn(sight, core)] == ["size(pile)"]


def test_an_outline_is_read_without_the_rules(cards: Game) -> None:
    found = outline(cards.name)
    assert (found.title, found.players) == ("Cards", (2,))


def test_an_outline_passes_over_faults_of_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text(CARDS.replace("prose: Show a card.", "pose: Show a card."))
    assert outline(file).title == "Cards"
    file.write_text("- 1\n")
    assert outline(file).title == ""


def test_a_hidden_bag_is_empty_to_those_who_do_not_see_it() -> None:
    state = load("liars-dice").start(seed=1)
    mine, theirs = state.values["cup"]
    nothing = (0,) * 6
    assert [state.known_to(seat)["cup"] for seat in (1, 2)] == [(mine, nothing), (nothing, theirs)]
    assert seen_by_all(state.game.core, state.situation)[0]["cup"] == (nothing, nothing)


def test_a_sight_that_no_layer_draws_is_not_drawn(tmp_path: Path) -> None:
    """A secret goal, shown to its player alone and drawn nowhere, was left out below the board."""
    (tmp_path / "cards.yaml").write_text(CARDS.replace("    size(pile)\n", "    trump\n"))
    core = load(str(tmp_path / "cards.yaml")).core
    assert [sight.text for sight in core.sights if not is_drawn(sight, core)] == ["trump"]
