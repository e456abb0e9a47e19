"""Sequences of actions counted in a second (perft), beside OpenSpiel from Python counting the same."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from rulespec.code.engine import can_compile
from rulespec.play.face import Game, load
from rulespec.play.perft import ByCode, ByRules, Counter, perft

from .peers import GAMES, has, one_core
from .report import Table, spread

DEPTHS = {
    "tic-tac-toe": 9,
    "connect-four": 7,
    "breakthrough": 4,
    "hex": 3,
    "othello": 8,
    "nine-mens-morris": 4,
    "draughts": 8,
    "kalah": 7,
}
"""How deep compiled code and OpenSpiel count; plain code counts one ply less, the interpreter two."""
ROUNDS = 3

WORDS = (
    "Sequences of so many actions counted in a second on one core, in thousands: the medians of "
    f"{ROUNDS} rounds (least and greatest behind them), in each of which the ways take turns; writing and "
    "compiling code is not counted. Nobody plays the last action of a sequence. We visit equal positions "
    "once for each depth; OpenSpiel, from Python, visits every sequence. Plain code counts sequences of one "
    "action less, the interpreter of two less. Then how many times as many compiled code counts as OpenSpiel "
    "in the same round, where both have the same count; where not, its rules are others."
)


class Compiled(ByCode):
    """Counts by compiled code from the first layer on."""

    def expect(self, seconds: float) -> None:
        """Compile, whatever lies ahead."""
        super().expect(float("inf"))


class Plain(ByCode):
    """Counts by code in plain Python."""

    def expect(self, seconds: float) -> None:
        """Never compile."""
        super().expect(0.0)


def measure(less: int = 0, names: tuple[str, ...] = tuple(DEPTHS)) -> list[Table]:
    """Each game to its depth, less so many plies."""
    columns = ["game", "plies", "sequences", "interpreter", "plain", "compiled", "OpenSpiel", "ratio"]
    table = Table("Counting sequences", WORDS, columns)
    with one_core():
        for name in names:
            table.rows.append([name, *_row(name, DEPTHS[name] - less)])
    return [table]


def _row(name: str, depth: int) -> Iterator[str]:
    game = load(name)
    ways: dict[str, Callable[[], int]] = {
        "interpreter": _ours(game, depth - 2, ByRules(game, "0")),
        "plain": _ours(game, depth - 1, Plain(game, "0")),
    }
    if can_compile():
        ways["compiled"] = _ours(game, depth, Compiled(game, "0"))
        ways["compiled"]()
    if GAMES[name].spiel and has("pyspiel"):
        spiel: Any = importlib.import_module("pyspiel")
        theirs = spiel.load_game(GAMES[name].spiel)
        ways["OpenSpiel"] = lambda: _theirs(theirs.new_initial_state(), depth)
    speeds: dict[str, list[float]] = {way: [] for way in ways}
    counts: dict[str, int] = {}
    for _ in range(ROUNDS):
        for way, count in ways.items():
            began = time.perf_counter()
            counts[way] = count()
            speeds[way].append(counts[way] / (time.perf_counter() - began) / 1000)
    yield from (str(depth), f"{counts['compiled']:,}" if "compiled" in counts else "–")
    for way in ("interpreter", "plain", "compiled", "OpenSpiel"):
        yield spread(speeds[way], 0) if way in speeds else "–"
    if "compiled" in counts and counts.get("OpenSpiel") == counts["compiled"]:
        pairs = zip(speeds["compiled"], speeds["OpenSpiel"], strict=True)
        yield f"{median(ours / theirs for ours, theirs in pairs):.0f}"
    else:
        yield "–"


def _ours(game: Game, depth: int, counter: Counter) -> Callable[[], int]:
    return lambda: perft(game, depth, by=lambda game, seed: counter)[depth]


def _theirs(state: Any, depth: int) -> int:
    """Sequences of exactly this length from a state of OpenSpiel."""
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(_theirs(state.child(a), depth - 1) for a in actions)
