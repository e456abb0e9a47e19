"""States found in a second by exploration: by the interpreter, by generated code, by hand-written C++."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rulespec.core.game import Game
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.explore import CodeStates, InterpreterStates

from .limits.library import EXPLORED, Unavailable, Yardsticks, compiler, yardsticks
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
    "States found in a second of work by breadth-first exploration on one core (from one deal), until there "
    f"are no more or the time is over: medians of {ROUNDS} rounds (least and greatest in brackets) in which "
    "all ways take turns, without compiling. The third way is C++ written for the one game "
    "(`benchmarks/limits`{compiler}), until it has found as many states as generated code; it stores no "
    "parents. Then the ratio of generated code to each of the others in the same round, and the memory of a "
    "state in generated code and in C++: its row, its parent (only in generated code), and its share of the "
    "table with the free entries."
)
INTERPRETER, OURS, HAND_WRITTEN = WAYS = ("interpreter", "ours", "hand-written")
NOTHING = "–"


def measure(seconds: float, names: tuple[str, ...] = tuple(GAMES)) -> list[Table]:
    """Each game for so many seconds a round, the ways of exploring it in turn."""
    columns = [
        "game",
        "states",
        *WAYS,
        "to interpreter",
        "to hand-written",
        "bytes a state",
        "hand-written bytes",
    ]
    try:
        hand_written, by = yardsticks(), f", {compiler()}"
    except Unavailable as why:
        print(f"no exploration by hand-written C++: {why}", file=sys.stderr)
        hand_written, by = None, ""
    table = Table("Exploration", WORDS.format(compiler=by), columns)
    with one_core():
        for name in names:
            table.rows.append([_title(name), *_row(load(name, None, GAMES[name]), seconds, hand_written)])
    return [table]


def _title(name: str) -> str:
    changed = ", ".join(f"{key} {value}" for key, value in GAMES[name].items())
    return f"{name}, {changed}" if changed else name


@dataclass(frozen=True)
class Explored:
    """The states found in a second, and the bytes that a state takes."""

    speed: float
    bytes: float


def _row(game: Game, seconds: float, hand_written: Yardsticks | None) -> Iterator[str]:
    deal = Machine(game).start(Chance("1")).outcomes if game.has_chance else None

    def ours() -> CodeStates:
        return CodeStates(game, None, deal)

    first, last = ours(), ours()
    while first.deeper(lambda: "", 1):  # which compiles what is not kept
        pass
    found: dict[str, list[Explored]] = {}
    for _ in range(ROUNDS):
        interpreted, last = InterpreterStates(game, None, deal), ours()
        found.setdefault(INTERPRETER, []).append(_explore(interpreted, seconds))
        found.setdefault(OURS, []).append(_explore(last, seconds))
        if hand_written is not None and game.id in EXPLORED:
            found.setdefault(HAND_WRITTEN, []).append(_explore_by_hand(hand_written, game.id, last.states))
    yield f"{last.states:,}" + ("" if last.closed else " and more")
    for way in WAYS:
        yield spread((one.speed for one in found[way]), 0) if way in found else NOTHING
    yield _ratio(found, INTERPRETER, 0)
    yield _ratio(found, HAND_WRITTEN, 2)
    yield f"{found[OURS][-1].bytes:.0f}"
    yield f"{found[HAND_WRITTEN][-1].bytes:.0f}" if HAND_WRITTEN in found else NOTHING


def _ratio(found: Mapping[str, Sequence[Explored]], way: str, digits: int) -> str:
    """How many times as many states ours finds as another way, the median of all rounds."""
    if way not in found:
        return NOTHING
    pairs = zip(found[OURS], found[way], strict=True)
    return f"{median(ours.speed / theirs.speed for ours, theirs in pairs):.{digits}f}"


def _explore(states: InterpreterStates | CodeStates, seconds: float) -> Explored:
    """Explore for so many seconds."""
    began = time.process_time()

    def limit() -> str:
        return "time" if time.process_time() - began > seconds else ""

    while states.deeper(limit, MOST):
        pass
    spent = time.process_time() - began
    return Explored(states.states / spent, getattr(states, "bytes", 0) / states.states)


def _explore_by_hand(hand_written: Yardsticks, game: str, most: int) -> Explored:
    """Explore until there are so many states."""
    began = time.process_time()
    states, taken = hand_written.explore(game, most)
    return Explored(states / (time.process_time() - began), taken / states)
