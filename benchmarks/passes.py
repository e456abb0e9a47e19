"""The share of speed that each pass of the machine earns: random games and exploration with the pass left out.

A pass is left out by a function in its place that does nothing. The code of a game is written and compiled
once with all passes and once without each; then all of them take turns in every round.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from importlib import import_module
from math import exp, fsum, log
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rulespec.code import Runner, write
from rulespec.core.game import Game
from rulespec.language import load
from rulespec.machine import form as f
from rulespec.machine import runtime
from rulespec.machine.narrowing import FULL
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.explore import CodeStates, exploration_code

from .peers import one_core
from .report import Table

UNTUNED = Path(__file__).parent.parent / "tests" / "documents" / "untuned"
GOOD = UNTUNED.parent.parent / "language" / "good"
YARDSTICK = (
    "tic-tac-toe", "eight-puzzle", "connect-four", "breakthrough", "hex", "othello", "nine-mens-morris",
    "draughts", "kalah", "pig", "leistiko", "sacred-alignment",
)  # fmt: skip
"""The games for which there is hand-written code to compare with."""
ROUNDS = 10
BATCH_SECONDS = 0.05
"""Random games of a round take so long."""
STATES = 30_000
"""So many states are explored in a round."""
MOST_PLIES = 300

WORDS = (
    "What the code of a game keeps of its speed with one pass of the machine left out, 1 being the speed with "
    "all passes; so a pass earns what is missing to 1. Geometric means over the twelve games for which there "
    "is hand-written code, and over rulesets to which nothing was tuned (`tests/documents/untuned`); then the "
    f"game that loses most. Random games, and exploration of {STATES:,} states; of all passes in turn in each "
    f"of {ROUNDS} rounds, the shortest time of each."
)

Patches = Mapping[str, Any]
"""The functions that take the place of others, by `module.name`."""


def _same(x: Any, *_: Any) -> Any:
    return x


def _second(_: Any, x: Any) -> Any:
    return x


def _no(*_: Any) -> bool:
    return False


def _none(*_: Any) -> None:
    return None


def _straight(module: f.Module, function: f.Function, _: tuple[int, ...]) -> None:
    module.functions[function.name] = function


PASSES: Mapping[str, Patches] = {
    "all passes": {},
    "nothing": {},
    "memoisation in a state": {"subset.remembering": _straight},
    "memory versions": {"subset.seldom": _same},
    "unread definitions": {"optimising.without_unread": _same},
    "memoised functions and loops": {"optimising.cached": _same},
    "memoised loops": {"optimising.outlined": _same},
    "inlining": {"optimising.inlined": _same},
    "folding": {"optimising.folded": _same},
    "dead store elimination": {"optimising.without_unread_stores": lambda facts: facts.module},
    "load hoisting": {"optimising.read_once": _second},
    "scalar replacement": {"optimising.kept": _second},
    "if-conversion": {"instructions.is_plain": _no, "instructions.is_open": _no, "instructions.as_range": _none},
    "narrow tables": {
        "encode.widths": lambda m: {name: FULL[x.type] for name, x in (m.rooms | m.tables).items()},
    },
    "vectorising": {"instructions.paired_rows": _none},
    "doubling along lines": {"joining._in_lines": _same},
    "masks": {"joining.within": lambda *_: (1 << 64) - 1, "folding.within": lambda *_: (1 << 64) - 1},
}
"""The passes that can be left out, each with what takes their place."""


class Variant:
    """A way to translate the code of games: with all passes, or with one left out."""

    def __init__(self, patches: Patches) -> None:
        self.patches = patches
        self.compiled: dict[str, runtime.Compiled] = {}
        self.codes = lru_cache(maxsize=None)(exploration_code._kept.__wrapped__)

    def _compiled(self, made_from: str, made: Callable[[], Any]) -> runtime.Compiled:
        if made_from not in self.compiled:
            self.compiled[made_from] = runtime.compiled(made())
        return self.compiled[made_from]

    @contextmanager
    def chosen(self) -> Iterator[None]:
        """All code is translated in this way meanwhile."""
        with ExitStack() as stack:
            for place, function in self.patches.items():
                module, _, name = place.rpartition(".")
                module = module if "." in module else f"machine.{module}"
                held = import_module(f"rulespec.{module}")
                assert hasattr(held, name)
                stack.enter_context(patch.object(held, name, function))
            stack.enter_context(patch.object(runtime, "kept", self._compiled))
            stack.enter_context(patch.object(exploration_code, "_kept", self.codes))
            yield


def measure(
    names: Sequence[str] = YARDSTICK, passes: Sequence[str] = tuple(PASSES), rounds: int = ROUNDS
) -> list[Table]:
    """Random games and exploration of each game, with all passes and without each."""
    untuned = [load(path) for path in _untuned()]
    shares: dict[str, dict[tuple[str, str], float]] = {name: {} for name in passes}
    with one_core():
        for group, games in (("yardstick", [load(name) for name in names]), ("untuned", untuned)):
            for game in games:
                print(game.id, flush=True)
                for kind, work in (("games", _games), ("exploration", _exploration)):
                    times = _times(game, work, passes, rounds)
                    for name, seconds in times.items():
                        shares[name][f"{group} {kind}", game.id] = times["all passes"] / seconds
                print({k: {(a[0][0]+a[1][:1], b): round(s, 2) for (a, b), s in v.items() if b == game.id} for k, v in shares.items()}, flush=True)
    kinds = [f"{group} {kind}" for group in ("yardstick", "untuned") for kind in ("games", "exploration")]
    table = Table("Passes of the machine", WORDS, ["without", "lines", *kinds, "all", "most lost"])
    for name in passes:
        held = shares[name]
        if name == "all passes":
            continue
        row = [_mean(x for (k, _), x in held.items() if k == kind) for kind in kinds]
        (worst_kind, worst_game), worst = min(held.items(), key=lambda item: item[1])
        table.rows.append([name, "", *row, _mean(held.values()), f"{worst:.2f} {worst_game}, {worst_kind.split()[1]}"])
    return [table]


def _untuned() -> list[Path]:
    return [*sorted(UNTUNED.glob("*.yaml")), *(GOOD / f"{name}.yaml" for name in ("fortunes", "jumps", "piles", "squares"))]


def _mean(shares: Any) -> str:
    logs = [log(x) for x in shares]
    return f"{exp(fsum(logs) / len(logs)):.2f}" if logs else "–"


Work = Callable[[Game], Callable[[], None]]


def _times(game: Game, work: Work, passes: Sequence[str], rounds: int) -> dict[str, float]:
    """The shortest time that some work takes with all passes, and without each."""
    variants = {name: Variant(PASSES[name]) for name in passes}
    works: dict[str, Callable[[], float]] = {}
    for name, variant in variants.items():
        with variant.chosen():
            works[name] = work(game)
    size = dict.fromkeys(passes, 0.0)
    found = {name: [] for name in passes}
    order = random.Random(game.id)
    for number in range(rounds):
        for name in order.sample([*passes], len(passes)):
            with variants[name].chosen():
                found[name].append(works[name](number))
    return {name: min(times) for name, times in found.items()}


def _games(game: Game) -> Callable[[int], float]:
    runner = Runner(write(game))
    runner.playouts(1, 0, MOST_PLIES)
    state = {}

    def play(number: int) -> float:
        began = time.process_time()
        runner.playouts(_batch(game), 1, MOST_PLIES)
        return time.process_time() - began

    return play


_batches: dict[int, int] = {}


def _batch(game: Game) -> int:
    """The number of random games that take `BATCH_SECONDS`, with all passes."""
    if id(game) not in _batches:
        games, runner = 1, Runner(write(game))
        while True:
            began = time.process_time()
            runner.playouts(games, 1, MOST_PLIES)
            if time.process_time() - began >= BATCH_SECONDS:
                break
            games *= 2
        _batches[id(game)] = games
    return _batches[id(game)]


def _exploration(game: Game) -> Callable[[int], float]:
    deal = Machine(game).start(Chance("1")).outcomes if game.has_chance else None

    def explore(number: int) -> float:
        spent, done = 0.0, 0
        while done < STATES:
            states = CodeStates(game, None, deal)
            began = time.process_time()
            while states.states < STATES and states.deeper(lambda: "", STATES):
                pass
            spent += time.process_time() - began
            done += max(states.states, STATES // 30)
        return spent

    explore(0)
    return explore
