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
from rulespec.play import generated_code, pickling
from rulespec.play import state as state_module
from rulespec.play.face import Game
from rulespec.play.pickling import UnpickledRules
from rulespec.play.records import files as record_files
from rulespec.simulation import run

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "python.md"
UNNUMBERED = ("draughts", "draughts-repetition")
"""Rulesets with too many paths over a board."""
PLIES = 6
"""Plies of each ruleset; `make random-plies` makes ten thousand."""


def test_the_examples_of_the_page_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 20 and not found.failed


@pytest.mark.parametrize("module", [rulespec, questions, run, state_module, batch_module, record_files])
def test_the_examples_of_the_functions_run(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted and not found.failed


def test_the_page_names_all_that_can_be_imported() -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in rulespec.__all__ if f"`{name}" not in text] == []
    assert all(getattr(rulespec, name) for name in rulespec.__all__)


@pytest.mark.parametrize("patience", [0.0, 1e9])
def test_a_state_with_another_seed_meets_other_dice(monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
    monkeypatch.setattr(generated_code, "PATIENCE", patience)
    state = Game(load("pig").core, by_code=True).start(seed=1)
    state.actions()
    others = [state.with_seed(seed) for seed in range(40)]
    assert {one == state and hash(one) == hash(state) and one.seed for one in others} == {
        *map(str, range(40))
    }
    assert len({one.play("roll") for one in others}) == 6
    assert state.play("roll") == state.with_seed(state.seed).play("roll")
    assert state.with_seed().seed != state.with_seed().seed
    later = others[3].play("roll")
    assert Game(load("pig").core).start(chance=later.chance).play("roll") == later


@pytest.mark.parametrize("patience", [0.0, 1e9])
def test_states_are_equal_by_their_position(monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
    monkeypatch.setattr(generated_code, "PATIENCE", patience)
    game = Game(load("pig").core, by_code=True)
    rolled = [game.start(seed=seed).play("roll").play("roll") for seed in range(60)]
    lost = [state for state in rolled if state.to_move == 2]  # after one roll, or after two
    assert len({state.chance[0] == "1" for state in lost}) == 2
    for reached in (rolled, lost):
        states = [*reached, *(game.position(state.to_data()) for state in reached)]
        positions = {(state.to_move, str(state.to_data())) for state in states}
        assert len({*states}) == len(positions) < len(rolled)


@pytest.mark.parametrize("wrong", [None, 1.5, [4]])
def test_what_is_no_action_is_told(wrong: object) -> None:
    with pytest.raises(TypeError, match="a text, an Action, a Move or a number, not"):
        load("tic-tac-toe").start().play(wrong)  # type: ignore[arg-type]


class _Numpy:
    """A whole number of another library."""

    def __index__(self) -> int:
        return 2


def test_whole_numbers_of_other_libraries_name_players_and_actions() -> None:
    state = load("tic-tac-toe").start().play(_Numpy())
    assert state.observation(_Numpy()) == state.observation(2) and state.plays[0].text == "put 1.3"


def test_too_long_a_name_is_told() -> None:
    with pytest.raises(rulespec.RulesetError, match="cannot be read"):
        rulespec.load("x" * 500)


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
