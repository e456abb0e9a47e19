"""Numbers of action sequences and plays to the end, against counts from somewhere else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import handmade
import pytest
from playouts import playout, random_playout

from rulespec.code.execution import sequence_counting
from rulespec.play.face import Game, State, load
from rulespec.play.perft import ByCode, ByRules, perft


@cache
def nim_sequences(left: tuple[int, ...], most: int, depth: int) -> int:
    """Sequences of exactly `depth` takes from these heaps, counted without the library."""
    if depth == 0:
        return 1
    return sum(
        nim_sequences((*left[:i], heap - k, *left[i + 1 :]), most, depth - 1)
        for i, heap in enumerate(left)
        for k in range(1, min(heap, most) + 1)
    )


@pytest.mark.parametrize(("heaps", "most"), [((1, 2), 2), ((3, 4, 5), 3), ((2, 2, 2, 2), 2)])
def test_counts_of_nim_are_those_of_a_count_by_hand(heaps: tuple[int, ...], most: int) -> None:
    depth = sum(heaps) + 1
    expected = {k: nim_sequences(heaps, most, k) for k in range(1, depth + 1)}
    assert perft(Game(handmade.nim(heaps, most)), depth) == expected
    assert expected[depth] == 0


def walked(state: State, depth: int) -> int:
    """Sequences of exactly this length, one by one through the public face."""
    return 1 if depth == 0 else sum(walked(state.play(action), depth - 1) for action in state.actions())


@pytest.mark.parametrize("name", sorted(handmade.all_games()))
def test_counts_are_those_of_playing_every_sequence(name: str) -> None:
    game = Game(handmade.all_games()[name])
    assert perft(game, 3, seed=11) == {k: walked(game.start(seed=11), k) for k in (1, 2, 3)}


def test_chance_is_fixed_by_the_seed_alone() -> None:
    game = Game(handmade.race())
    assert perft(game, 6, seed=2) == perft(game, 6, seed=2)
    assert len({tuple(perft(game, 6, seed=s).values()) for s in range(8)}) > 1


def test_progress_ends_with_every_position_of_every_depth() -> None:
    seen: list[tuple[int, int, int]] = []
    perft(Game(handmade.nim()), 3, progress=lambda *step: seen.append(step), by=ByRules)
    assert [(ply, done) for ply, done, of in seen if done == of] == [(1, 1), (2, 3), (3, 3)]


def test_counting_may_begin_in_a_position() -> None:
    game = Game(handmade.nim())
    start = game.position({"left": {"a": 0, "b": 2}})
    assert perft(game, 2, start=start.position) == {1: 2, 2: 1}


def test_random_plays_are_fixed_by_their_seed_and_reach_all_ends() -> None:
    game = Game(handmade.ziggurat())
    plays = [random_playout(game, seed) for seed in range(60)]
    assert all(state.is_over for state in plays)
    assert plays == [random_playout(game, seed) for seed in range(60)]
    assert {state.ended_by for state in plays} == {"complete", "stuck"}


def test_a_playout_stops_after_so_many_plies() -> None:
    endless = replace(handmade.nim((2, 2)), ends=())
    assert len(playout(Game(endless).start(), 1, most=3).plays) == 3


@pytest.mark.parametrize("name", sorted(handmade.all_games()))
def test_code_counts_what_the_interpreter_counts(name: str) -> None:
    game = Game(handmade.all_games()[name])
    for seed in (3, 4):
        assert perft(game, 4, seed, by=ByCode) == perft(game, 4, seed, by=ByRules)


def test_what_has_no_code_is_counted_all_the_same() -> None:
    game = load("breakthrough", parameters={"width": 26, "height": 99})
    assert perft(game, 1) == {1: 76}


@pytest.mark.parametrize("room", [64, sequence_counting.MOST_POSITIONS], ids=["little room", "room"])
def test_code_counts_all_layers_at_once(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence_counting, "MOST_POSITIONS", room)
    game, seen = load("tic-tac-toe"), list[tuple[int, int, int]]()
    found = perft(game, 6, progress=lambda *step: seen.append(step), by=ByCode)
    assert found == perft(game, 6, by=ByRules)
    assert seen[-1] == (1, 1, 1)


def test_code_draws_as_the_seed_says() -> None:
    game = Game(handmade.race())
    for seed in range(4):
        assert perft(game, 6, seed, by=ByCode) == perft(game, 6, seed, by=ByRules)
