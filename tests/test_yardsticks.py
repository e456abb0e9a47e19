"""The hand-written yardsticks of the benchmarks play by the rules of the shipped rulesets.

Their sequences are as many as ours, from the same deal; random games are as long on average, and are won as
often by the player who begins. Nothing is said about how long anything takes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from benchmarks.__main__ import main
from benchmarks.kinds import ruleset
from benchmarks.limits import best_play, library, random_games
from benchmarks.limits.library import MOST_SACRED_PLIES, Unavailable, Yardsticks, yardsticks
from rulespec.code import Runner, write
from rulespec.core.types import Value
from rulespec.language import load
from rulespec.play.actions import Action
from rulespec.play.chance import Chance
from rulespec.play.face import State
from rulespec.play.face import load as load_for_play
from rulespec.play.machine import Machine
from rulespec.play.perft import perft
from rulespec.solver.explore import CodeStates

DEPTHS = {
    "tic-tac-toe": 7,
    "connect-four": 6,
    "breakthrough": 3,
    "othello": 6,
    "kalah": 5,
    "draughts": 6,
    "leistiko": 2,
    "sacred-alignment": 2,
    "smith": 3,
    "whist": 5,
    "go": 2,
    "market": 3,
}
GAMES = 10_000
FEWER_GAMES = {
    "sacred-alignment": 2_000,
    "stout": 100,
    "go": 2_000,
}
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
    game = load(ruleset(name))
    values: dict[str, Value] = dict(
        zip(game.state, Machine(game).start(Chance(SEED)).position.values, strict=True)
    )
    if name == "leistiko":
        return [next(p for p, hand in enumerate(values["hand"]) if domino in hand) for domino in DOMINOES]
    if name == "sacred-alignment":
        return [DOMINOES.index(domino) for domino in [*values["hand"], *reversed(values["pile"])]]
    if name == "smith":
        hands = zip(values["hand"], values["aside"], strict=True)
        cards = [*values["pyramid"], *(card for held in hands for part in held for card in part)]
        return [4 * (rank - 1) + suit - 1 for rank, suit in cards]
    if name == "whist":
        # The card that is shown is the last one dealt; else the order within a hand does not matter.
        hands = [sorted(hand, key=lambda card: card[1] == values["trumps"]) for hand in values["hand"]]
        return [13 * suit + rank - 1 for dealt in zip(*hands, strict=True) for rank, suit in dealt]
    if name == "market":
        owned = zip(values["hand"], values["deck"], strict=True)
        return [kind for hand, deck in owned for kind, _ in [*hand, *reversed(deck)]]
    return None


@pytest.mark.parametrize("name", DEPTHS)
def test_a_yardstick_counts_the_sequences_that_we_count(name: str, hand_written: Yardsticks) -> None:
    ours = perft(load_for_play(ruleset(name)), DEPTHS[name], SEED)
    assert {depth: hand_written.perft(name, depth, deal(name)) for depth in ours} == ours


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", random_games.BARS)
def test_random_games_of_a_yardstick_are_like_ours(name: str, hand_written: Yardsticks) -> None:
    games = FEWER_GAMES.get(name, GAMES)
    most = MOST_SACRED_PLIES if name == "sacred-alignment" else random_games.MOST_PLIES
    ours = Runner(write(load(ruleset(name)))).playouts(games, 1, most)
    plies, won = hand_written.play(name, games, 1)
    closeness = max(0.01, 2 / games**0.5)
    assert plies / games == pytest.approx(ours.plies / games, rel=closeness)
    assert won / games == pytest.approx(ours.wins[1] / games, abs=closeness)


def random_play(name: str) -> Iterator[tuple[State, Action]]:
    """The positions of a random play, each with the action that follows."""
    state, choose = load_for_play(ruleset(name)).start(SEED), random.Random(SEED)
    while not state.is_over:
        action = choose.choice(state.actions())
        yield state, action
        state = state.play(action)


def test_the_yardstick_of_go_lists_as_many_placements_along_a_play(hand_written: Yardsticks) -> None:
    points: list[int] = []
    for state, action in random_play("go"):
        assert hand_written.go_placements(points) == len(state.actions()) - 1
        points += [10 * (rank - 1) + file - 1 for file, rank in action.args] or [-1]
    assert len(points) > 81, "stones were taken"


def test_the_yardstick_of_stout_lists_as_many_actions_along_a_play(hand_written: Yardsticks) -> None:
    seen = set()
    for state, action in islice(random_play("stout"), 400):
        values = dict(zip(state.game.core.state, state.position.values, strict=True))
        places = state.game.core.state["stack"].type.keys.values
        stacks = {
            10 * file + rank: stack for (file, rank), stack in zip(places, values["stack"], strict=True)
        }
        special = 0 if values["special"] is None else values["special"] + 1
        position = [values["mover"] - 1, values["moves"] or 0, special, values["rerolled"]]
        for place in range(100):
            colours = [colour for (colour,) in stacks.get(place, ())]
            position += [len(colours), *colours, *[0] * (12 - len(colours))]
        assert hand_written.stout_actions(position) == len(state.actions())
        seen.add(action.id)
    assert len(seen) > 8


@pytest.mark.parametrize("name", ["tic-tac-toe", "eight-puzzle"])
def test_a_yardstick_explores_as_many_states(name: str, hand_written: Yardsticks) -> None:
    game = load(ruleset(name))
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
