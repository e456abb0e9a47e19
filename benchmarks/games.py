"""Random games in a second: generated code beside the peers that are installed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import mean, median

from rulespec.code import Runner, write
from rulespec.language import load

from . import peers
from .peers import GAMES, one_core
from .report import Table, spread

PEERS = ("OpenSpiel", "PGX", "Ludax")
WAYS = ("ours", *PEERS)
NOTHING = "–"

ROUNDS = 5
SPEEDS = (
    f"Random games played to the end in a second on one core: medians of {ROUNDS} rounds (least and "
    "greatest in brackets) in which all programs take turns. *Moves* are the plies of the generated code "
    "in a second. OpenSpiel is driven from Python and chooses by `random.choice`; PGX and Ludax play "
    f"{peers.BATCH} games at a time in one loop that JAX compiles. If rules differ a little, so that games"
    " are more than a twentieth longer or shorter, their mean length follows the speed. Then the ratio of"
    " the games of the generated code to those of another program in the same round and, after a stroke, "
    "the ratio of moves if games have different lengths."
)
MOST_PLIES = 100_000


def measure(seconds: float, names: tuple[str, ...] = tuple(GAMES)) -> list[Table]:
    """Each game for so many seconds a round, the ways of running it in turn."""
    columns = ["game", "plies", *WAYS, "moves", *(f"to {peer}" for peer in PEERS)]
    speeds = Table("Random games", SPEEDS, columns)
    with one_core():
        for name in names:
            speeds.rows.append([name, *_speeds(name, seconds)])
    return [speeds]


def _speeds(name: str, seconds: float) -> list[str]:
    ways = {"ours": _ours(Runner(write(load(name))))} | peers.ways(name)
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for number in range(ROUNDS):
        for way, play in ways.items():
            found[way].append(_speed(play, seconds, number))
    row = [f"{_length('ours', found):.1f}", *(_games(way, found) for way in WAYS), _moves(found)]
    return [*row, *(_ratio(peer, found) for peer in PEERS)]


Found = Mapping[str, Sequence[tuple[float, float]]]
"""Of each way, the games in a second and the plies in a game of each round."""


def _games(way: str, found: Found) -> str:
    if way not in found:
        return NOTHING
    speeds = spread((speed for speed, _ in found[way]), 0)
    return f"{speeds}, {_length(way, found):.1f} plies" if _differs(way, found) else speeds


def _moves(found: Found) -> str:
    return spread((speed * plies for speed, plies in found["ours"]), 0)


def _ratio(peer: str, found: Found) -> str:
    if peer not in found:
        return NOTHING
    pairs = [*zip(found["ours"], found[peer], strict=True)]
    games = spread((ours / theirs for (ours, _), (theirs, _) in pairs), 1)
    moves = median(ours * here / (theirs * there) for (ours, here), (theirs, there) in pairs)
    return f"{games} / {moves:.1f}" if _differs(peer, found) else games


def _differs(way: str, found: Found) -> bool:
    """Whether the games of another are clearly longer or shorter than ours."""
    ours = _length("ours", found)
    return abs(_length(way, found) - ours) > 0.05 * ours


def _length(way: str, found: Found) -> float:
    return mean(plies for _, plies in found[way])


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
