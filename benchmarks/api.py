"""Random games through the public interface: ply by ply from Python, and in batches."""

from __future__ import annotations

import copy
import pickle
import random
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import rulespec
from rulespec.code import Runner, write
from rulespec.core.action_numbers import TooManyActions
from rulespec.language import load as load_core

from . import peers
from .report import Table, spread

GAMES = (
    "tic-tac-toe", "connect-four", "breakthrough", "hex", "othello", "nine-mens-morris", "draughts", "kalah",
    "pig", "sacred-alignment", "leistiko", "smith", "stout",
)  # fmt: skip
ROUNDS = 3
WARM = 1.5
"""Seconds of play before anything is measured: code is written once the interpreter has had some work."""
BATCH = 512
SPEEDS = (
    f"Random plies in a second of work on one core: medians of {ROUNDS} rounds in which the ways take turns. "
    "*Runner* is the generated code stepped from Python, with positions as they lie in the machine. The next "
    "are public loops: `state.play` until `state.is_over`, then `state.winners`, with "
    "`state.legal_numbers()`, `state.moves`, `state.actions()` or `state.mask()`, and with a copy "
    f"and a pickle of the state at each ply. *Batch* is `rulespec.batch` of {BATCH} games by "
    f"`step(sample())`, *PGX* plays {peers.BATCH} games in one loop that JAX compiles. Then ratios within a "
    "round: the loop with numbers (with moves, where actions have none) to the runner, and the batch to that "
    "loop and to PGX."
)
NOTHING = "–"
Way = Callable[[random.Random, float], tuple[int, float]]
"""Plays for about so many seconds: the plies, and the seconds of work."""
Found = Mapping[str, Sequence[float]]
"""Of each way the plies in a second of each round; none where it does not have the game."""


def measure(seconds: float, names: Sequence[str] = GAMES) -> list[Table]:
    """Each game for so many seconds a round, the ways in turn."""
    columns = ["game", *WAYS, "numbers to runner", "batch to numbers", "batch to PGX"]
    table = Table("The public interface", SPEEDS, columns)
    with peers.one_core():
        for name in names:
            found = rounds(name, seconds)
            loop = "numbers" if found["numbers"] else "moves"
            speeds = (f"{median(found[way]):,.0f}" if found[way] else NOTHING for way in WAYS)
            pairs = ((loop, "runner"), ("batch", loop), ("batch", "PGX"))
            table.rows.append([name, *speeds, *(_ratio(found, *pair) for pair in pairs)])
    return [table]


def _ratio(found: Found, way: str, other: str) -> str:
    if not found[way] or not found[other]:
        return NOTHING
    return spread(ours / theirs for ours, theirs in zip(found[way], found[other], strict=True))


def rounds(name: str, seconds: float) -> Found:
    """The speeds of all ways in turn."""
    ways = {"runner": _runner(name)}
    game = rulespec.load(name)
    for way, choose in LOOPS.items():
        ways[way] = _public(game, choose, pickled=way == "pickled")
    ways["batch"] = _batch(game)
    if (pgx := peers.ways(name).get("PGX")) is not None:
        ways["PGX"] = _peer(pgx)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for number in range(ROUNDS + 1):
        for way, play in ways.items():
            try:
                plies, spent = play(random.Random(number), seconds if number else min(seconds, WARM))
            except TooManyActions:
                continue
            if number:
                found[way].append(plies / spent)
    return found


def _batch(game: rulespec.Game) -> Way:
    def play(rng: random.Random, seconds: float) -> tuple[int, float]:
        games = rulespec.batch(game, BATCH, seed=rng.randrange(1 << 30), auto_reset=True)
        plies, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            games.step(games.sample())
            plies += BATCH
        return plies, spent

    return play


def _peer(way: peers.Way) -> Way:
    def play(rng: random.Random, seconds: float) -> tuple[int, float]:
        plies, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            plies += way(rng.randrange(1 << 30))[1]
        return plies, spent

    return play


def _runner(name: str) -> Way:
    runner = Runner(write(load_core(name)))

    def play(rng: random.Random, seconds: float) -> tuple[int, float]:
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

    return play


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


LOOPS: Mapping[str, Callable[[random.Random, rulespec.State], rulespec.State]] = {
    "numbers": _numbers, "moves": _moves, "actions": _actions, "mask": _mask, "pickled": _moves,
}  # fmt: skip
WAYS = ("runner", *LOOPS, "batch", "PGX")
