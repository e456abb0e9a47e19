"""Generated code and the interpreter come to equal states, ply by ply; so a seed is a game."""

from __future__ import annotations

import copy
import math
import pickle
import random
import sys
import threading
from pathlib import Path

import pytest
from playouts import random_playout
from shipped_games import load

import rulespec
from rulespec.core.action_numbers import TooManyActions
from rulespec.core.meter import Meter
from rulespec.play import generated_code
from rulespec.play.errors import IllegalAction, UnknownAction
from rulespec.play.face import Game, State
from rulespec.play.perft import perft
from rulespec.play.position import Move

SEEDS, PLIES = 1, 7
NAMES = (
    "tic-tac-toe",
    "draughts",
    "kuhn-poker",
    "smith-small",
    "leistiko-small",
    "stout",
    "sacred-alignment-small",
)
FAULTY = """rulespec: 1
id: faulty
title: Faulty
summary: A number grows too large.
author: nobody
players: 1
rules:
- id: add
  heading: Adding
  prose: Add 1 or 2.
  formal: |
    state n: 0..3 = 2
  action: k in 1..2
  written: add {k}
  do: n := n + k
- id: done
  heading: The end
  prose: It ends at nothing.
  end: n = 0
"""


@pytest.fixture
def by_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated code plays from the first ply on."""
    monkeypatch.setattr(generated_code, "PATIENCE", -1.0)


def pair(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, Game]:
    """A game that generated code plays, and the same that the interpreter plays."""
    of_code = rulespec.load(name)
    monkeypatch.setattr(generated_code, "PATIENCE", -1.0)
    assert of_code.generated.stepper is not None
    monkeypatch.setattr(generated_code, "PATIENCE", math.inf)
    return of_code, Game(of_code.core, name)


def numbers(game: Game) -> bool:
    """True if the actions of a game have numbers."""
    try:
        return bool(len(game.actions))
    except TooManyActions:
        return False


def assert_equal(one: State, other: State) -> None:
    """Two states say the same of themselves and look the same to every player."""
    assert one.position == other.position
    for name in (
        "is_over", "to_move", "ended_by", "fault", "scores", "winners", "titles", "moves", "chance", "values",
    ):  # fmt: skip
        assert getattr(one, name) == getattr(other, name), name
    assert [*map(str, one.plays)] == [*map(str, other.plays)]
    actions = [[(str(a), a.full, a.arguments) for a in state.actions()] for state in (one, other)]
    assert actions[0] == actions[1]
    if numbers(one.game):
        assert one.legal_numbers() == other.legal_numbers()
        assert one.mask() == other.mask()
    for player in one.game.players:
        assert one.observation(player) == other.observation(player)
        assert one.seen_by(player) == other.seen_by(player)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_states_are_equal_ply_by_ply(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = pair(name, monkeypatch)
    for seed in range(SEEDS):
        rng = random.Random(seed)
        one, other = (game.start(seed=seed) for game in games)
        assert_equal(one, other)
        for _ in range(PLIES):
            if one.is_over:
                break
            move = rng.choice(other.moves)
            one, other = one.play(move), other.play(move)
            assert_equal(one, other)


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig-small", "smith-tiny", "stout-alone"])
def test_whole_games_end_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [random_playout(game, 3, most=60) for game in pair(name, monkeypatch)]
    assert_equal(*ends)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_a_seed_is_the_same_game_interpreted_and_by_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []
    for patience in (math.inf, -1.0):
        monkeypatch.setattr(generated_code, "PATIENCE", patience)
        ends.append(random_playout(rulespec.load(name), 5, most=20).record(full=True).to_json())
    assert ends[0] == ends[1]


def test_an_action_is_taken_by_number_text_move_and_action(by_code: None) -> None:
    state = rulespec.load("tic-tac-toe").start()
    move = state.game.actions[4]
    after = [state.play(action) for action in (4, "put 2.2", move, state.find(move), state.actions()[4])]
    assert all(other == after[0] and str(other.plays[-1]) == "put 2.2" for other in after)
    with pytest.raises(IllegalAction, match=r"put\.empty"):
        after[0].play(4)
    with pytest.raises(IllegalAction, match="player 2's turn"):
        after[0].play(0, by=1)
    with pytest.raises(UnknownAction, match="numbered from 0 to 8"):
        after[0].play(9)
    with pytest.raises(UnknownAction, match="numbered from 0 to 8"):
        after[0].play(-1)
    with pytest.raises(IllegalAction):
        state.play(Move("put", ((9, 9),)))


def test_given_outcomes_are_the_interpreters(by_code: None) -> None:
    game = rulespec.load("pig")
    state = game.start(seed=5)
    for _ in range(12):
        state = state.play(state.moves[0])
    again = game.start(chance=state.chance)
    for action in state.plays:
        again = again.play(action)
    assert again == state and again.chance == state.chance


def test_a_fault_ends_the_play_as_the_interpreter_says(by_code: None, tmp_path: Path) -> None:
    (tmp_path / "faulty.yaml").write_text(FAULTY)
    game = rulespec.load(str(tmp_path / "faulty.yaml"))
    state = game.start().play(1)
    assert state.ended_by == "fault" and "`n` would become 4" in str(state.fault)
    assert state == Game(game.core).start().play(Move("add", (2,)))
    assert not state.moves and state.values["n"] == 2


def test_a_state_is_pickled_whoever_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    of_code, _ = pair("smith-small", monkeypatch)
    state = random_playout(of_code, 1, most=4)
    again = pickle.loads(pickle.dumps(copy.deepcopy(state)))
    assert again == state and hash(again) == hash(state) and again.game is of_code
    assert (again.plays, again.chance, [*map(str, again.plays)]) == (
        state.plays, state.chance, [*map(str, state.plays)],
    )  # fmt: skip
    assert_equal(again.play(again.moves[0]), state.play(state.moves[0]))


@pytest.mark.parametrize("name", ["pig", "draughts", "tic-tac-toe"])
def test_a_pickle_at_each_ply_keeps_the_plays(name: str, by_code: None) -> None:
    game, rng = rulespec.load(name), random.Random(1)
    plain = other = game.start(seed=2)
    branches = []
    for ply in range(8):
        if plain.is_over:
            break
        branches.append((pickle.dumps(plain), plain))
        if ply % 3:
            other = pickle.loads(pickle.dumps(other))
        move = rng.choice(plain.moves)
        plain, other = plain.play(move), other.play(move)
        assert other == plain and [*map(str, other.plays)] == [*map(str, plain.plays)]
    for data, state in branches:
        again = pickle.loads(data)
        assert (again, again.plays, again.chance) == (state, state.plays, state.chance)
        assert pickle.loads(pickle.dumps(state)).plays == state.plays


def test_steps_that_are_counted_are_the_interpreters(by_code: None) -> None:
    game = rulespec.load("tic-tac-toe")
    state, meter = game.start(seed=1), Meter(1_000_000)
    with game.use_meter(meter):
        state = state.play(state.moves[0])
    assert meter.left < meter.most and state == game.start(seed=1).play(0)


def test_threads_share_a_game(by_code: None, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulespec.load("connect-four")
    wanted = [random_playout(game, seed) for seed in range(4)]
    found: dict[int, State] = {}
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [
            threading.Thread(target=lambda n=n: found.update({n: random_playout(game, n)})) for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert [found[n] for n in range(4)] == wanted


@pytest.mark.parametrize("without", ["rulespec.code.program.MOST_CELLS", "wasmtime"])
def test_a_game_without_code_is_played_by_the_interpreter(
    without: str, by_code: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without == "wasmtime":
        monkeypatch.setattr("rulespec.code.execution.instance.can_run", lambda: False)
    else:
        monkeypatch.setattr(without, 3)
    game = rulespec.load("tic-tac-toe")
    assert random_playout(game, 1) == random_playout(load("tic-tac-toe"), 1)
    assert game.generated.stepper is None


def test_counting_goes_on_without_code_where_too_much_is_legal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))  # for code that counts on less room
    monkeypatch.setattr("rulespec.code.move_generation.action_rows.FIRST_MOVES", 4)
    monkeypatch.setattr("rulespec.code.execution.runner.MOST_NUMBERS", 8)
    game: Game = rulespec.load("tic-tac-toe")
    assert perft(game, 3) == {1: 9, 2: 72, 3: 504}


def test_the_buffer_of_legal_actions_grows(
    by_code: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))  # for code that counts on less room
    monkeypatch.setattr("rulespec.code.move_generation.action_rows.FIRST_MOVES", 4)
    game = rulespec.load("nim", parameters={"piles": [9, 8, 11]})  # others have code for more room
    state = game.start(seed=1)
    assert game.generated.stepper is not None
    assert_equal(state.play(0), Game(game.core).start(seed=1).play(Move("take", (1, 1))))
