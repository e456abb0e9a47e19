"""Random games through the public interface: ply by ply from Python, and in batches."""

from __future__ import annotations

import copy
import pickle
import random
import time
from collections.abc import Callable, Mapping, Sequence

import rulespec
from rulespec.code import Runner, write
from rulespec.language import load as load_core

from .peers import one_core
from .report import Table, spread

GAMES = (
    "tic-tac-toe", "connect-four", "breakthrough", "hex", "othello", "nine-mens-morris", "draughts", "kalah",
    "pig", "sacred-alignment", "leistiko", "smith", "stout",
)  # fmt: skip
ROUNDS = 3
WARM = 1.5
"""Seconds of play before anything is measured: code is written once the interpreter has had some work."""
WORDS = (
    f"Random plies in a second of work on one core: medians of {ROUNDS} rounds in which the ways take turns."
    " *Runner* is the generated code stepped from Python with positions as they lie in the machine; the "
    "others are the public loops: until `state.is_over`, then `state.winners`, with `state.legal_numbers()`, "
    "`state.moves`, `state.actions()` or `state.mask()`, and the first with a copy and a pickle of the state "
    "at each ply. Then the ratio of the first public loop to the runner in the same round."
)
Way = Callable[[random.Random, float], tuple[int, float]]
"""Plays for about so many seconds: the plies, and the seconds of work."""


def measure(seconds: float, names: Sequence[str] = GAMES) -> list[Table]:
    """Each game for so many seconds a round, the ways in turn."""
    table = Table("The public interface", WORDS, ["game", "runner", *WAYS, "to runner"])
    with one_core():
        for name in names:
            found = rounds(name, seconds)
            row = [f"{sorted(speeds)[len(speeds) // 2]:,.0f}" if speeds else "–" for speeds in found.values()]
            first = found[next(iter(WAYS))] or found["moves"]
            ratio = spread(ours / base for ours, base in zip(first, found["runner"], strict=True))
            table.rows.append([name, *row, ratio])
    return [table]


def rounds(name: str, seconds: float) -> Mapping[str, list[float]]:
    """Of each way the plies in a second of each round; none where actions have no numbers."""
    runner, game = Runner(write(load_core(name))), rulespec.load(name)
    ways: dict[str, Way] = {"runner": lambda rng, limit: _runner(runner, rng, limit)}
    for way, choose in WAYS.items():
        ways[way] = _public(game, choose, pickled=way == "pickled")
    found: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(ROUNDS + 1):
        for way, play in ways.items():
            try:
                plies, spent = play(random.Random(number), seconds if number else min(seconds, WARM))
            except ValueError:  # too many actions for numbers
                continue
            if number:
                found[way].append(plies / spent)
    return found


def _runner(runner: Runner, rng: random.Random, seconds: float) -> tuple[int, float]:
    plies, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        node = runner.start(lambda draw: rng.randrange)
        while node.legal > 0:
            node = runner.play(node, rng.randrange(node.legal), lambda draw: rng.randrange)
            plies += 1
            if not plies % 64 and time.process_time() - began > seconds:
                break
        runner.winners(node)
    return plies, spent


def _public(
    game: rulespec.Game, choose: Callable[[random.Random, rulespec.State], rulespec.State], pickled: bool
) -> Way:
    def play(rng: random.Random, seconds: float) -> tuple[int, float]:
        plies, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            state = game.start(seed=plies)
            while not state.is_over:
                if pickled:
                    state = pickle.loads(pickle.dumps(copy.copy(state)))
                state = choose(rng, state)
                plies += 1
                if not plies % 64 and time.process_time() - began > seconds:
                    break
            _ = state.winners
        return plies, spent

    return play


def _numbers(rng: random.Random, state: rulespec.State) -> rulespec.State:
    return state.play(rng.choice(state.legal_numbers()))


def _moves(rng: random.Random, state: rulespec.State) -> rulespec.State:
    return state.play(rng.choice(state.moves))


def _actions(rng: random.Random, state: rulespec.State) -> rulespec.State:
    return state.play(rng.choice(state.actions()))


def _mask(rng: random.Random, state: rulespec.State) -> rulespec.State:
    mask = state.mask()
    return state.play(state.game.actions[rng.choice([i for i, legal in enumerate(mask) if legal])])


WAYS: Mapping[str, Callable[[random.Random, rulespec.State], rulespec.State]] = {
    "numbers": _numbers, "moves": _moves, "actions": _actions, "mask": _mask, "pickled": _moves,
}  # fmt: skip
