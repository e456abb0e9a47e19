"""Games of a batch are those of the interpreter, step by step: masks, turns, observations, results."""

from __future__ import annotations

import gc
import pickle
import random
from pathlib import Path

import pytest
from shipped_games import load

import rulespec
from rulespec.core.action_numbers import TooManyActions
from rulespec.play.batch import Batch, batch
from rulespec.play.errors import IllegalAction, UnknownAction
from rulespec.play.face import Game, State
from rulespec.play.replayed_chance import replayed_source

NAMES = (
    "tic-tac-toe", "connect-four", "draughts-small", "kuhn-poker", "leistiko-small", "pig-small",
    "kalah-small", "nim", "othello-small", "sacred-alignment-small", "smith-tiny", "stout",
    "stout-alone", "peg-solitaire",
)  # fmt: skip
GAMES, STEPS = 3, 12
COUNTING = """rulespec: 1
id: counting
title: Counting
summary: A number grows too large.
author: nobody
players: 2
rules:
- id: add
  heading: Adding
  prose: Add 1 or 2.
  formal: |
    state n: 0..3 = 1
  action: k in 1..2
  written: add {k}
  do: n := n + k
- id: done
  heading: The end
  prose: Three ends it.
  end: n = 3
  winners: mover
"""


def assert_shown(games: Batch, number: int, state: State) -> None:
    """A game of a batch shows what the interpreter finds in a state."""
    game = games.game
    over = state.is_over
    assert games.mask.tolist()[number] == [*state.mask()]
    assert games.legal[number] == sum(state.mask())
    assert games.to_move[number] == (-1 if over else game.players.index(state.to_move))
    assert games.ends[games.ended[number]] == state.ended_by
    assert bool(games.over[number]) == over
    winners = [p for p, won in zip(game.players, games.winners.tolist()[number], strict=True) if won]
    assert tuple(winners) == state.winners
    scores = games.scores.tolist()[number]
    assert scores == ([*state.scores.values()] if over and state.scores else [0] * len(game.players))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_a_batch_plays_as_the_interpreter_does(name: str) -> None:
    plain = Game(load(name).core, name)
    games, rng = batch(load(name), GAMES, seed=name), random.Random(name)
    arrays = games._games._games
    states = [State(plain, games.state(i).position, replayed_source(0)) for i in range(GAMES)]
    for _ in range(STEPS):
        for i, state in enumerate(states):
            assert games.state(i).position.values == state.position.values
            assert_shown(games, i, state)
        seen = [games.observe(player).tolist() for player in plain.players]
        for i, state in enumerate(states):
            assert [rows[i] for rows in seen] == [[*state.observation(player)] for player in plain.players]
            if not state.is_over:
                assert games.observe().tolist()[i] == seen[plain.players.index(state.to_move)][i]
        chosen = [rng.choice(state.legal_numbers() or [0]) for state in states]
        for i, state in enumerate(states):
            if not state.is_over:
                chance = replayed_source(int(arrays[2][i]))
                states[i] = State(plain, state.position, chance).play(chosen[i])
        games.step(chosen)


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig-small", "kuhn-poker"])
def test_games_that_end_begin_anew_in_the_same_step(name: str) -> None:
    games = batch(name, 8, seed=1, auto_reset=True)
    ended = 0
    for _ in range(60):
        games.step(games.sample())
        assert all(games.legal) and min(games.to_move) >= 0
        for i, over in enumerate(games.over):
            ended += over
            assert (games.plies[i] == 0) == bool(over) and bool(games.ended[i]) == bool(over)
            assert not games.state(i).is_over
    assert ended > 8


def test_a_seed_is_the_same_games() -> None:
    def course(games: Batch) -> list[object]:
        found: list[object] = []
        for _ in range(20):
            games.step(games.sample())
            found += [games.actions.tolist(), games.mask.tolist(), games.observe().tolist()]
        return found

    games = batch("smith-tiny", 4, seed="a", auto_reset=True)
    first = course(games)
    assert course(batch("smith-tiny", 4, seed="a", auto_reset=True)) == first
    games.reset()
    assert course(games) == first
    games.reset("b")
    assert course(games) != first
    assert len({*map(str, batch("smith-tiny", 4, seed=2).observe(1).tolist())}) > 1


def test_random_games_are_as_long_as_others_found() -> None:
    games = batch("tic-tac-toe", 4000, seed=5)
    while not all(games.over):
        games.step(games.sample())
    assert abs(sum(games.plies) / len(games) - 7.63) < 0.08  # OpenSpiel, PGX and Ludax play 7.63 plies


def test_an_illegal_action_changes_no_game() -> None:
    games = batch("tic-tac-toe", 3, seed=1)
    games.step([0, 1, 2])
    before = games.mask.tolist()
    with pytest.raises(IllegalAction, match=r"put\.empty") as found:
        games.step([1, 1, 1])
    assert "cannot be played in game 1 of the batch" in str(found.value) and found.value.row == 1
    for wrong in (9, -1):
        with pytest.raises(UnknownAction, match="numbered from 0 to 8"):
            games.step([1, 2, wrong])
    with pytest.raises(UnknownAction, match="in game 0 of the batch"):
        games.step([1 << 40, 1, 1])
    with pytest.raises(ValueError, match="3 games take 3 actions, not 2"):
        games.step([1, 2])
    assert games.mask.tolist() == before and games.plies.tolist() == [1, 1, 1]


def test_states_of_a_batch_have_chance_of_their_own() -> None:
    games = batch("pig", 40, seed=1)
    begun = [games.state(i) for i in range(40)]
    assert len({state.seed for state in begun}) == 40 and len({state.play("roll") for state in begun}) == 6
    assert games.state(3).play("roll") == begun[3].play("roll")
    games.step(games.sample())
    assert not {games.state(i).seed for i in range(40)} & {state.seed for state in begun}
    games.reset()
    assert [games.state(i).seed for i in range(40)] == [state.seed for state in begun]


def test_a_batch_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="pickle or copy `state"):
        pickle.dumps(batch("tic-tac-toe", 1))


def test_games_that_are_over_stay_as_they_are() -> None:
    games = batch("tic-tac-toe", 2, seed=1)
    for number in (0, 3, 1, 4, 2):
        games.step([number, number + 1 if number < 4 else 8])
    assert games.over.tolist() == [1, 0] and games.winners.tolist() == [[1, 0], [0, 0]]
    assert games.state(0).winners == (1,) and games.to_move.tolist() == [-1, 1]
    held = games.state(0)
    games.step([7, games.mask.tolist()[1].index(1)])
    assert games.state(0) == held and games.plies.tolist() == [5, 6]
    assert games.sample()[0] == -1


def test_a_fault_ends_a_game(tmp_path: Path) -> None:
    (tmp_path / "counting.yaml").write_text(COUNTING)
    games = batch(str(tmp_path / "counting.yaml"), 2, seed=1)
    games.step([0, 1])
    assert games.ended.tolist() == [0, 1]
    games.step([1, 0])
    assert games.ended.tolist() == [-1, 1] and games.ends[-1] == "fault"
    assert games.state(0).ended_by == "fault" and games.state(0).values["n"] == 2
    assert games.winners.tolist() == [[0, 0], [1, 0]]


def test_the_buffer_of_legal_actions_grows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))  # for code that counts on less room
    monkeypatch.setattr("rulespec.code.move_generation.action_rows.FIRST_MOVES", 4)
    game = rulespec.load("nim", parameters={"piles": [9, 7, 11]})  # others have code for more room
    games = batch(game, 3, seed=1)
    assert games.legal.tolist() == [27] * 3
    games.step(games.sample())
    assert games.mask.tolist() == [[*games.state(i).mask()] for i in range(3)]


def test_what_is_shown_outlives_the_batch() -> None:
    games = batch("hex", 64, seed=1)
    mask, seen = games.mask, games.observe()
    wanted = mask.tolist(), seen.tolist()
    del games
    gc.collect()
    others = [batch("hex", 64, seed=i) for i in range(3)]
    assert (mask.tolist(), seen.tolist()) == wanted and len(others[0]) == 64


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooManyActions, match="more than a billion"):
        batch("draughts", 2)
    with pytest.raises(ValueError, match="at least one game, not 0"):
        batch("nim", 0)
    with pytest.raises(IndexError, match="numbered from 0 to 1"):
        batch("nim", 2).state(2)
    with pytest.raises(ValueError, match="3"):
        batch("nim", 2).observe(3)
    monkeypatch.setattr("rulespec.code.execution.instance.can_run", lambda: False)
    with pytest.raises(ValueError, match="wasmtime"):
        batch("nim", 2)


def test_what_step_trusts_cannot_be_written() -> None:
    """A mask that a learner changed in place let `step` take an illegal action."""
    games = batch("tic-tac-toe", 2, seed=1)
    for array in (games.mask, games.to_move, games.over, games.scores):
        assert memoryview(array).readonly
    games.actions[0] = 4
