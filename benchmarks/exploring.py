"""States found in a second by exploration: by the interpreter and by generated code."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from rulespec.core.game import Game
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from solver.explore import CodeStates, InterpreterStates, States

from .peers import one_core
from .report import Table, spread

GAMES: dict[str, dict[str, int]] = {
    "tic-tac-toe": {},
    "eight-puzzle": {},
    "hex": {"side": 4},
    "peg-solitaire": {},
    "connect-four": {},
    "nine-mens-morris": {},
    "smith-tiny": {},
}
ROUNDS = 3
MOST = 4_000_000
"""No exploration goes on past so many states."""

WORDS = (
    "States found in a second by breadth-first exploration on one core (from one deal), until there are no "
    f"more or the time is over: the medians of {ROUNDS} rounds (least and greatest behind them), in each of "
    "which the ways take turns; compiling is not counted. Then how many times as many generated code finds "
    "as the interpreter in the same round, and the memory that a state takes there: its row, the state "
    "before it, and its share of the table, as much of it as is free counted too."
)


def measure(seconds: float, names: tuple[str, ...] = tuple(GAMES)) -> list[Table]:
    """Each game for so many seconds a round, the ways of exploring it in turn."""
    columns = ["game", "states", "interpreter", "ours", "ratio", "bytes a state"]
    table = Table("Exploration", WORDS, columns)
    with one_core():
        for name in names:
            table.rows.append([_title(name), *_row(load(name, None, GAMES[name]), seconds)])
    return [table]


def _title(name: str) -> str:
    changed = ", ".join(f"{key} {value}" for key, value in GAMES[name].items())
    return f"{name}, {changed}" if changed else name


def _row(game: Game, seconds: float) -> Iterator[str]:
    deal = Machine(game).start(Chance("1")).outcomes if game.has_chance else None
    ways: dict[str, Callable[[], States]] = {
        "interpreter": lambda: InterpreterStates(game, None, deal),
        "ours": lambda: CodeStates(game, None, deal),
    }
    first = ways["ours"]()
    while first.deeper(lambda: "", 1):  # which compiles what is not kept
        pass
    found: dict[str, list[float]] = {way: [] for way in ways}
    states: Any = None
    for _ in range(ROUNDS):
        for way, make in ways.items():
            states = make()
            found[way].append(_explore(states, seconds))
    yield f"{states.states:,}" + ("" if states.closed else " and more")
    for way in ways:
        yield spread(found[way], 0)
    pairs = zip(found["ours"], found["interpreter"], strict=True)
    yield f"{median(ours / theirs for ours, theirs in pairs):.0f}"
    yield f"{states.bytes / states.states:.0f}"


def _explore(states: States, seconds: float) -> float:
    """Explore for so many seconds; the states found in one."""
    began = time.perf_counter()

    def limit() -> str:
        return "time" if time.perf_counter() - began > seconds else ""

    while states.deeper(limit, MOST):
        pass
    return states.states / (time.perf_counter() - began)
