"""Random games in a second: generated code, plain and compiled, beside OpenSpiel where it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulespec.code import Runner, write
from rulespec.code.compiling import Compiled
from rulespec.language import load

from .report import Table, spread

PEERS = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex(board_size=11)",
    "othello": "othello",
    "nine-mens-morris": "nine_mens_morris",
    "draughts": "checkers",
    "kalah": "",
    "pig": "",
    "sacred-alignment": "",
    "leistiko": "",
    "smith": "",
    "stout": "",
}
"""What each game is called in OpenSpiel, where it has it by nearly the same rules."""
ROUNDS = 5
MOST_PLIES = 100_000


def measure(seconds: float, names: tuple[str, ...] = tuple(PEERS)) -> Table:
    """Each game for so many seconds a round, the ways of running it in turn."""
    words = (
        f"Whole games at random in a second on one core, the medians of {ROUNDS} rounds (least and greatest "
        "behind them); in each round the ways of running a game take turns, and the ratio is the median of "
        "those of the rounds. OpenSpiel is driven from Python, choosing by `random.choice`. Its rules of "
        "nine men's morris and of draughts differ a little, so its games have another length. `compiling` is "
        "the first call with an empty cache, in seconds; `again` the first call of another run."
    )
    columns = ["game", "plies", "plain", "compiled", "OpenSpiel", "its plies", "ratio", "compiling", "again"]
    table = Table("Random games", words, columns)
    with _empty_cache():
        for name in names:
            table.rows.append([name, *_row(name, seconds)])
    return table


def _row(name: str, seconds: float) -> list[str]:
    written = write(load(name))
    plain = Runner(written)
    ways: list[Callable[[int], tuple[int, int]]] = [_ours(plain)]
    first = again = "–"
    if _has("numba"):
        compiled, first = _first(written)
        again = _first(written, other_module=True)[1]
        ways.append(_ours(compiled))
    peer = PEERS[name] if _has("pyspiel") else ""
    if peer:
        ways.append(_theirs(peer))
    found = [[_speed(way, seconds, i) for way in ways] for i in range(ROUNDS)]
    columns = list(zip(*found, strict=True))
    speeds = [spread((speed for speed, _ in column), 0) for column in columns]
    plies = [f"{statistics.mean(length for _, length in column):.1f}" for column in columns]
    fast = len(ways) > 1 and _has("numba")
    ratio = "–"
    if peer and fast:
        ratio = f"{statistics.median(round_[1][0] / round_[2][0] for round_ in found):.1f}"
    return [
        plies[0],
        speeds[0],
        speeds[1] if fast else "–",
        speeds[-1] if peer else "–",
        plies[-1] if peer else "–",
        ratio,
        first,
        again,
    ]


def _ours(runner: Runner) -> Callable[[int], tuple[int, int]]:
    def play(seed: int, games: int = 1) -> tuple[int, int]:
        found = runner.playouts(games, seed, MOST_PLIES)
        return found.games, found.plies

    state = {"games": 1}

    def batch(seed: int) -> tuple[int, int]:
        began = time.perf_counter()
        found = play(seed, state["games"])
        # Batches of about 20 ms, so that the call and the clock do not count.
        if time.perf_counter() - began < 0.02:
            state["games"] *= 2
        return found

    return batch


def _theirs(name: str) -> Callable[[int], tuple[int, int]]:
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game(name)
    rng = random.Random(0)

    def play(seed: int) -> tuple[int, int]:
        plies = 0
        for _ in range(10):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                plies += 1
        return 10, plies

    return play


def _speed(way: Callable[[int], tuple[int, int]], seconds: float, seed: int) -> tuple[float, float]:
    """Games in a second, and plies in a game."""
    games = plies = 0
    began = time.perf_counter()
    while True:
        more, longer = way(seed * 1_000_003 + games)
        games, plies = games + more, plies + longer
        spent = time.perf_counter() - began
        if spent >= seconds:
            return games / spent, plies / games


def _first(written: Any, other_module: bool = False) -> tuple[Runner, str]:
    if other_module:
        Compiled.forget(written)
    began = time.perf_counter()
    runner = Runner(written, Compiled)
    runner.playouts(1, 1, MOST_PLIES)
    return runner, f"{time.perf_counter() - began:.2f}"


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


@contextmanager
def _empty_cache() -> Iterator[None]:
    before = os.environ.get("RULESPEC_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULESPEC_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["RULESPEC_CACHE"]
            else:
                os.environ["RULESPEC_CACHE"] = before
