"""Sequences of actions counted in a second (perft), beside OpenSpiel from Python counting the same."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

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
"""How deep generated code and OpenSpiel count; the interpreter counts two plies less."""
ROUNDS = 3

WORDS = (
    f"Thousands of sequences of actions counted in a second on one core: medians of {ROUNDS} rounds (least"
    " and greatest in brackets) in which all ways take turns, without writing and compiling code. No way "
    "plays the last action of a sequence. rulespec visits equal positions once for each depth; OpenSpiel,"
    " driven from Python, visits every sequence. The interpreter counts sequences that are two actions "
    "shorter. Then the ratio of generated code to OpenSpiel in the same round, if both have the same "
    "count; otherwise its rules are different."
)


def measure(less: int = 0, names: tuple[str, ...] = tuple(DEPTHS)) -> list[Table]:
    """Each game to its depth, less so many plies."""
    columns = ["game", "plies", "sequences", "interpreter", "ours", "OpenSpiel", "ratio"]
    table = Table("Counting sequences", WORDS, columns)
    with one_core():
        for name in names:
            table.rows.append([name, *_row(name, DEPTHS[name] - less)])
    return [table]


def _row(name: str, depth: int) -> Iterator[str]:
    game = load(name)
    ways: dict[str, Callable[[], int]] = {
        "interpreter": _ours(game, depth - 2, ByRules(game, "0")),
        "ours": _ours(game, depth, ByCode(game, "0")),
    }
    ways["ours"]()  # which compiles what is not kept
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
    yield from (str(depth), f"{counts['ours']:,}")
    for way in ("interpreter", "ours", "OpenSpiel"):
        yield spread(speeds[way], 0) if way in speeds else "–"
    if counts.get("OpenSpiel") == counts["ours"]:
        pairs = zip(speeds["ours"], speeds["OpenSpiel"], strict=True)
        yield f"{median(ours / theirs for ours, theirs in pairs):.0f}"
    else:
        yield "–"


def _ours(game: Game, depth: int, counter: Counter) -> Callable[[], int]:
    return lambda: perft(game, depth, by=lambda game, seed: counter)[depth]


def _theirs(state: Any, depth: int) -> int:
    """Sequences of exactly this length from a state of OpenSpiel."""
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(_theirs(state.child(a), depth - 1) for a in actions)
