"""Random games of generated code beside hand-written C++ of the same games."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulespec.code import Runner, write
from rulespec.language import load

from ..kinds import ruleset
from ..peers import one_core
from ..report import Table, spread
from .library import MOST_SACRED_PLIES, Unavailable, Yardsticks, compiler, yardsticks

BARS: Mapping[str, float | None] = {
    "tic-tac-toe": 0.5,
    "connect-four": 0.5,
    "breakthrough": 0.5,
    "hex": 0.5,
    "othello": 0.5,
    "nine-mens-morris": 0.5,
    "draughts": 0.5,
    "kalah": 0.5,
    "pig": None,
    "leistiko": 0.4,
    "sacred-alignment": 0.3,
    "smith": 0.25,
    "stout": None,
    "whist": 0.25,
    "go": 0.25,
    "market": 0.25,
}
"""The games, with the share of the plies of the hand-written code that ours is to play; None for none."""
ROUNDS = 5
MOST_PLIES = 100_000
BATCH_SECONDS = 0.02
"""Games are played in batches that take so long, so that the call and the clock do not count."""

WORDS = (
    "Plies of random games in a second of processor time on one core, in millions: of the generated code, "
    "and of C++ that was written for the one game by the same rules (`benchmarks/limits`, compiled by "
    f"{{compiler}}); medians of {ROUNDS} rounds (least and greatest behind them) in each of which both take "
    "a turn. Then the ratio of ours to the hand-written in the same round, and the bar for it. Games of "
    f"Sacred Alignment are cut after {MOST_SACRED_PLIES} plies in both. Whist, go and the market do not "
    "ship: they stand for kinds of games for which nothing was written (`benchmarks/kinds`)."
)

Play = Callable[[int, int], int]
"""Plays so many games from a seed; their plies in all."""


@dataclass(frozen=True)
class Batches:
    """A way to play random games, in batches of a fixed size."""

    play: Play
    games: int

    @staticmethod
    def of(play: Play) -> Batches:
        """Batches as large as takes `BATCH_SECONDS`, once what is not kept has been compiled."""
        play(1, 0)
        games = 1
        while True:
            began = time.process_time()
            play(games, games)
            if time.process_time() - began >= BATCH_SECONDS:
                return Batches(play, games)
            games *= 2

    def speed(self, seconds: float, seed: int) -> tuple[float, float]:
        """Plies in a second of work, and plies in a game."""
        batches = plies = 0
        began = time.process_time()
        while True:
            plies += self.play(self.games, seed + batches)
            batches += 1
            spent = time.process_time() - began
            if spent >= seconds:
                return plies / spent, plies / (batches * self.games)


def measure(seconds: float, names: tuple[str, ...] = tuple(BARS), rounds: int = ROUNDS) -> list[Table]:
    """Each game for so many seconds a round in both ways; no table where nothing compiles the yardsticks."""
    try:
        hand_written = yardsticks()
    except Unavailable as why:
        print(f"no random games beside hand-written C++: {why}", file=sys.stderr)
        return []
    columns = ["game", "plies", "ours M/s", "hand-written M/s", "ratio", "bar"]
    words = WORDS.format(compiler=compiler())
    table = Table("Random games beside hand-written C++", words, columns)
    with one_core():
        for name in names:
            bar = BARS[name]
            row = _row(hand_written, name, seconds, rounds)
            table.rows.append([name, *row, "–" if bar is None else f"{bar:g}"])
    return [table]


def _row(hand_written: Yardsticks, name: str, seconds: float, rounds: int) -> list[str]:
    runner = Runner(write(load(ruleset(name))))
    most = MOST_SACRED_PLIES if name == "sacred-alignment" else MOST_PLIES
    ours = Batches.of(lambda games, seed: runner.playouts(games, seed, most).plies)
    theirs = Batches.of(lambda games, seed: hand_written.play(name, games, seed)[0])
    found = [
        (ours.speed(seconds, number * 1_000_003), theirs.speed(seconds, number * 1_000_003 + 1))
        for number in range(rounds)
    ]
    return [
        f"{sum(length for (_, length), _ in found) / rounds:.1f}",
        spread((speed / 1e6 for (speed, _), _ in found), 1),
        spread((speed / 1e6 for _, (speed, _) in found), 1),
        spread(mine / other for (mine, _), (other, _) in found),
    ]
