"""The Python interface: its examples run, and states and games are values."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
from pathlib import Path

import pytest
from shipped_games import load

import rulespec
from rulespec import questions
from rulespec.core import action_numbers
from rulespec.core.action_numbers import TooManyActions
from rulespec.language import shipped_rulesets
from rulespec.play import batch as batch_module
from rulespec.play import pickling
from rulespec.play import state as state_module
from rulespec.play.face import Game
from rulespec.play.pickling import UnpickledRules
from rulespec.simulation import run

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "python.md"
UNNUMBERED = ("draughts", "draughts-repetition")
"""Rulesets with too many paths over a board."""
PLIES = 6
"""Plies of each ruleset; `make random-plies` makes ten thousand."""


def test_the_examples_of_the_page_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 20 and not found.failed


@pytest.mark.parametrize("module", [rulespec, questions, run, state_module, batch_module])
def test_the_examples_of_the_functions_run(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted and not found.failed


def test_the_page_names_all_that_can_be_imported() -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in rulespec.__all__ if f"`{name}" not in text] == []
    assert all(getattr(rulespec, name) for name in rulespec.__all__)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", shipped_rulesets())
def test_states_are_copied_pickled_numbered_and_observed(name: str) -> None:
    game, rng = load(name), random.Random(1)
    state, size = game.start(seed=1), game.observation_layout.size
    numbered = name not in UNNUMBERED
    if not numbered:
        with pytest.raises(TooManyActions):
            _ = game.actions
    for _ in range(PLIES):
        if state.is_over:
            break
        again = pickle.loads(pickle.dumps(copy.deepcopy(state)))
        assert again == state and again.game is game and again.chance == state.chance
        if numbered:
            assert {game.actions[i] for i, byte in enumerate(state.mask()) if byte} == {*state.moves}
        assert {len(state.observation(player)) for player in game.players} == {size}
        state = again.play(rng.choice(again.moves))


def test_a_pickled_state_comes_back_in_its_own_game_and_not_in_an_equal_one() -> None:
    first, second = load("nim"), load("nim")
    for game in (first, second, first):
        assert pickle.loads(pickle.dumps(game.start())).game is game


def test_a_game_is_pickled_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is read where it comes out, also not of what it extends, and a setting goes along."""
    path = tmp_path / "small.yaml"
    path.write_text("rulespec: 1\nid: small\ntitle: Small\nextends: connect-four\nset: {width: 5}\n")
    game = rulespec.load(str(path), parameters={"height": 4})
    data = pickle.dumps(game)
    path.unlink()
    monkeypatch.setattr(pickling, "_games", {})
    monkeypatch.setattr("rulespec.language.loader.locate", lambda name: pytest.fail("a file is read"))
    again = pickle.loads(data)
    assert (again.core.digest, again.parameters) == (game.core.digest, game.parameters)
    assert again.under(parameters={"height": 5}).parameters["height"] == 5


def test_other_rules_and_values_come_out_of_no_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rulespec.load("nim").start()
    restore, (name, _, texts, links, settings) = state.game.__reduce__()
    with pytest.raises(UnpickledRules, match="other rules"):
        restore(name, "0" * 64, texts, links, settings)
    _, (game, (values, *how), *rest) = state.__reduce__()
    wrong = (99,) * len(values), *how
    with pytest.raises(UnpickledRules, match="no state"):
        pickling.restored_state(game, wrong, *rest)
    with pytest.raises(TypeError, match="no texts"):
        pickle.dumps(Game(state.game.core))


def test_too_many_actions_have_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(action_numbers, "MOST_ACTIONS", 100)
    game = rulespec.load("hex")
    with pytest.raises(ValueError, match="122 actions, and at most 100 are numbered"):
        _ = game.actions


def test_an_observation_holds_nothing_that_a_player_does_not_see() -> None:
    game = load("kuhn-poker")
    deals = [game.start(chance=[[rest, "2", other]]) for rest, other in (("1", "3"), ("3", "1"))]
    first, second = game.players
    assert deals[0].observation(first) != deals[1].observation(first)
    assert deals[0].observation(second) == deals[1].observation(second)
