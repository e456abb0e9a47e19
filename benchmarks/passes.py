"""Speed of random games and exploration with one pass of the machine left out.

A pass is left out by putting a function in its place that does nothing. The code of a game is written and
compiled once with all passes and once without each; then all of them take turns, in another order each round.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from statistics import geometric_mean
from typing import Any
from unittest.mock import patch

from rulespec.code import Runner, write
from rulespec.core.game import Game
from rulespec.language import load
from rulespec.machine import form as f
from rulespec.machine import runtime
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.explore import CodeStates, exploration_code

from .peers import one_core
from .report import Table

TESTS = Path(__file__).parent.parent / "tests"
YARDSTICK = (
    "tic-tac-toe", "eight-puzzle", "connect-four", "breakthrough", "hex", "othello", "nine-mens-morris",
    "draughts", "kalah", "pig", "leistiko", "sacred-alignment",
)  # fmt: skip
"""The games for which there is hand-written code to compare with."""
UNTUNED = (
    *sorted((TESTS / "documents/untuned").glob("*.yaml")),
    *(TESTS / f"language/good/{name}.yaml" for name in ("fortunes", "jumps", "piles", "squares")),
)
"""Rulesets to which nothing was tuned."""
ALL, NOTHING = "all passes", "nothing"
ROUNDS = 30
BATCH_SECONDS = 0.008
"""The random games of a round take about so long: short enough that other work disturbs only some rounds."""
STATES = 5_000
"""So many states are explored in a round."""
MOST_PLIES = 300
KINDS = ("games", "exploration")

WORDS = (
    "The share of its speed that the code of a game keeps with one pass left out, so a pass earns what is "
    "missing to 1: geometric means over the twelve games for which there is hand-written code, and over "
    "eight rulesets to which nothing was tuned (`tests/documents/untuned`, `tests/language/good`); then the "
    f"game that loses most. Random games, and breadth-first exploration of {STATES:,} states; processor "
    f"time, the shortest of {ROUNDS} rounds in which all take turns. *{NOTHING}* is all passes again: its "
    "distance from 1 is noise."
)

Patches = Mapping[str, Any]
"""By `room.module.name` below `rulespec.machine`: what takes the place of a function."""


def _first(x: Any, *_: Any) -> Any:
    return x


def _second(_: Any, x: Any) -> Any:
    return x


def _never(*_: Any) -> bool:
    return False


def _none(*_: Any) -> None:
    return None


def _without_memo(module: f.Module, function: f.Function, _: tuple[int, ...]) -> None:
    module.functions[function.name] = function


PASSES: Mapping[str, Patches] = {
    NOTHING: {},
    "memoisation in a state": {"subset.translator.memoise_in_state": _without_memo},
    "state versions": {"subset.translator.reduce_state_versions": _first},
    "memoisation": {"passes.pipeline.memoise_recursion": _first},
    "memoised loops": {"passes.pipeline.memoise_loops": _first},
    "inlining": {"passes.pipeline.inline_calls": _first},
    "constant folding": {"passes.pipeline.fold_constants": _first},
    "load hoisting": {"passes.pipeline.hoist_loads": _second},
    "scalar replacement": {"passes.pipeline.replace_scalars": _second},
    "if-conversion": {
        "webassembly.instructions.is_cheap": _never, "webassembly.instructions.is_unpredictable": _never,
        "webassembly.instructions.as_range": _none,
    },
}  # fmt: skip
"""The passes, each with what takes the places of its functions."""


class Variant:
    """A way to translate the code of games: with all passes, or without one."""

    def __init__(self, patches: Patches) -> None:
        self.patches = patches
        self.compiled: dict[str, runtime.CompiledModule] = {}
        self.codes = lru_cache(maxsize=None)(exploration_code._cached_code.__wrapped__)

    def _load_or_compile(self, made_from: str, made: Callable[[], Any]) -> runtime.CompiledModule:
        if made_from not in self.compiled:
            self.compiled[made_from] = runtime.compile_module(made())
        return self.compiled[made_from]

    @contextmanager
    def active(self) -> Iterator[None]:
        """Translate all code in this way meanwhile."""
        with ExitStack() as stack:
            for place, function in self.patches.items():
                module, _, name = place.rpartition(".")
                owner = import_module(f"rulespec.machine.{module}")
                stack.enter_context(patch.object(owner, name, function))
            stack.enter_context(patch.object(runtime, "load_or_compile", self._load_or_compile))
            stack.enter_context(patch.object(exploration_code, "_kept", self.codes))
            yield


def measure(
    names: Sequence[str] = YARDSTICK,
    untuned: Sequence[Path] = UNTUNED,
    passes: Mapping[str, Patches] = PASSES,
    rounds: int = ROUNDS,
) -> list[Table]:
    """Measure random games and exploration of each game, with all passes and without each."""
    shares: dict[str, dict[tuple[str, str, str], float]] = {name: {} for name in passes}
    groups = {"yardstick": [*map(load, names)], "untuned": [*map(load, untuned)]}
    with one_core():
        for group, games in groups.items():
            for game in games:
                for kind, times in zip(KINDS, _both_times(game, passes, rounds), strict=True):
                    for name in passes:
                        shares[name][group, kind, game.id] = times[ALL] / times[name]
    kinds = [(group, kind) for group in groups for kind in KINDS]
    columns = ["without", *(f"{group}, {kind}" for group, kind in kinds), "all", "least"]
    table = Table("Passes of the machine", WORDS, columns)
    for name, held in shares.items():
        means = (_mean(x for key, x in held.items() if key[:2] == kind) for kind in kinds)
        (_, kind, game_id), least = min(held.items(), key=lambda item: item[1])
        table.rows.append([name, *means, _mean(held.values()), f"{least:.2f} ({game_id}, {kind})"])
    return [table]


def _mean(shares: Iterable[float]) -> str:
    listed = [*shares]
    return f"{geometric_mean(listed):.2f}" if listed else "–"


def _both_times(game: Game, passes: Mapping[str, Patches], rounds: int) -> Iterator[Mapping[str, float]]:
    """The shortest times of random games, then of exploration, of all variants."""
    variants = {ALL: Variant({}), **{name: Variant(patches) for name, patches in passes.items()}}
    games = _number_of_games(game)
    works: list[Callable[[], Callable[[], float]]] = [
        partial(_random_games, game, games),
        partial(_exploration, game),
    ]
    for work in works:
        runs: dict[str, Callable[[], float]] = {}
        for name, variant in variants.items():
            with variant.active():
                runs[name] = work()
        times: dict[str, list[float]] = {name: [] for name in variants}
        order = random.Random(game.id)
        for _ in range(rounds):
            for name in order.sample([*variants], len(variants)):
                with variants[name].active():
                    times[name].append(runs[name]())
        yield {name: min(found) for name, found in times.items()}


def _number_of_games(game: Game) -> int:
    """The number of random games that take `BATCH_SECONDS` with all passes."""
    games, runner = 1, Runner(write(game))
    while True:
        began = time.process_time()
        runner.playouts(games, 1, MOST_PLIES)
        if time.process_time() - began >= BATCH_SECONDS:
            return games
        games *= 2


def _random_games(game: Game, games: int) -> Callable[[], float]:
    runner = Runner(write(game))
    runner.playouts(1, 0, MOST_PLIES)  # which compiles

    def play() -> float:
        began = time.process_time()
        runner.playouts(games, 1, MOST_PLIES)
        return time.process_time() - began

    return play


def _exploration(game: Game) -> Callable[[], float]:
    deal = Machine(game).start(Chance("1")).outcomes if game.has_chance else None

    def explore() -> float:
        spent, done = 0.0, 0
        while done < STATES:  # several times where a game has few states
            states = CodeStates(game, None, deal)
            began = time.process_time()
            while states.states < STATES and states.deeper(lambda: "", STATES):
                pass
            spent += time.process_time() - began
            done += max(states.states, STATES // 30)
        return spent

    explore()  # which compiles
    return explore
