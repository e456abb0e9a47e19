"""The hand-written yardsticks of the benchmarks play by the rules of the shipped rulesets.

Their sequences are as many as ours, from the same deal; random games are as long on average, and are won as
often by the player who begins. Nothing is said about how long anything takes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.__main__ import main
from benchmarks.limits import best_play, library, random_games
from benchmarks.limits.library import MOST_SACRED_PLIES, Unavailable, Yardsticks, yardsticks
from rulespec.code import Runner, write
from rulespec.core.types import Value
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.face import load as load_for_play
from rulespec.play.machine import Machine
from rulespec.play.perft import perft
from rulespec.solver.explore import CodeStates

DEPTHS = {
    "tic-tac-toe": 9,
    "connect-four": 7,
    "breakthrough": 4,
    "othello": 7,
    "kalah": 6,
    "draughts": 7,
    "leistiko": 3,
    "sacred-alignment": 3,
}
GAMES = 100_000
FEWER_GAMES = {"sacred-alignment": 20_000}
DOMINOES = [(low, high) for low in range(7) for high in range(low, 7)]
SEED = "0"


@pytest.fixture(scope="module")
def hand_written() -> Yardsticks:
    try:
        return yardsticks()
    except Unavailable as why:
        pytest.skip(f"the yardsticks need a compiler: {why}")


def deal(name: str) -> list[int] | None:
    """The deal of the seed as the yardstick takes it; None for a game without one."""
    game = load(name)
    values: dict[str, Value] = dict(
        zip(game.state, Machine(game).start(Chance(SEED)).position.values, strict=True)
    )
    if name == "leistiko":
        return [next(p for p, hand in enumerate(values["hand"]) if domino in hand) for domino in DOMINOES]
    if name == "sacred-alignment":
        return [DOMINOES.index(domino) for domino in [*values["hand"], *reversed(values["pile"])]]
    return None


@pytest.mark.parametrize("name", DEPTHS)
def test_a_yardstick_counts_the_sequences_that_we_count(name: str, hand_written: Yardsticks) -> None:
    ours = perft(load_for_play(name), DEPTHS[name], SEED)
    assert {depth: hand_written.perft(name, depth, deal(name)) for depth in ours} == ours


@pytest.mark.parametrize("name", random_games.BARS)
def test_random_games_of_a_yardstick_are_like_ours(name: str, hand_written: Yardsticks) -> None:
    games = FEWER_GAMES.get(name, GAMES)
    most = MOST_SACRED_PLIES if name == "sacred-alignment" else random_games.MOST_PLIES
    ours = Runner(write(load(name))).playouts(games, 1, most)
    plies, won = hand_written.play(name, games, 1)
    assert plies / games == pytest.approx(ours.plies / games, rel=0.01)
    assert won / games == pytest.approx(ours.wins[1] / games, abs=0.01)


@pytest.mark.parametrize("name", ["tic-tac-toe", "eight-puzzle"])
def test_a_yardstick_explores_as_many_states(name: str, hand_written: Yardsticks) -> None:
    game = load(name)
    start = Machine(game).start(Chance(SEED)).outcomes if game.has_chance else None
    ours = CodeStates(game, None, start)
    while ours.deeper(lambda: "", 1_000_000):
        pass
    states, taken = hand_written.explore(name, 1_000_000)
    assert states == ours.states
    assert taken >= states / 8


def test_the_exploration_of_connect_four_ends_where_it_is_told(hand_written: Yardsticks) -> None:
    states, taken = hand_written.explore("connect-four", 10_000)
    assert 10_000 <= states < 10_000 + 7
    assert taken >= 8 * states


@pytest.mark.parametrize("side", [4, 5])
def test_alpha_beta_finds_the_value_that_is_claimed(side: int, hand_written: Yardsticks) -> None:
    value, positions = hand_written.solve_connect_four(side, side)
    assert value == 0
    assert positions > side**2


def test_a_tiny_run_prints_the_tables(hand_written: Yardsticks, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["limits", "--tiny"]) == 0
    printed = capsys.readouterr().out
    assert "Random games beside hand-written C++" in printed
    assert "connect-four-small: best-play, 4x4" in printed


@pytest.fixture
def without_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(library, "COMPILER", "no-such-compiler")
    yardsticks.cache_clear()
    yield
    yardsticks.cache_clear()


@pytest.mark.usefixtures("without_compiler")
def test_without_a_compiler_the_tables_are_left_out_with_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert random_games.measure(0.01) == []
    assert best_play.measure() == []
    assert capsys.readouterr().err.count("there is no no-such-compiler here") == 2
