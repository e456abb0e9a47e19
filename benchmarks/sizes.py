"""Random games of one game at several sizes: plies a second, and seconds before the first game.

Each family is measured by a process of its own, which forks another for each first game, so that nothing is
loaded or kept before it. Then all sizes take turns, and the greatest speed of each counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from rulespec.code import Runner, write
from rulespec.core.game import Game
from rulespec.language import Ruleset, read

from .first_game import forked, work
from .kinds import ruleset
from .limits.random_games import Batches, Play
from .peers import one_core
from .report import Table

MOST_PLIES = 10_000
"""Games are cut after so many plies."""
ROUNDS = 3
FALL = 2.0
"""A fall of speed by more than this, from one size to the next, is marked."""

WORDS = (
    "Plies of random games in a second of processor time on one core, in millions, by generated code: the "
    f"greatest of {ROUNDS} rounds in which all sizes of a family take turns. *Fall* is how many times the "
    f"speed of the size above it is, **bold** past {FALL:g}. Then seconds of work from the loaded rules to "
    "the end of the first game with an empty cache, as in *The first game*. Games are cut after "
    f"{MOST_PLIES:,} plies. `whist`, `go` and `market` are the rulesets of `benchmarks/kinds`."
)
COLUMNS = ("game", "size", "plies", "M/s", "fall", "first game s")


@dataclass(frozen=True)
class Size:
    """A setting of a ruleset, with its name in the table."""

    words: str
    parameters: Mapping[str, Any]
    players: int | None = None

    def settled(self, rules: Ruleset) -> Game:
        """The game under this setting."""
        return rules.with_settings(self.players, parameters=self.parameters)


@dataclass(frozen=True)
class Speed:
    """Random games of one size: seconds of work to the first, mean plies, and plies in a second."""

    first: float
    plies: float
    speed: float


def _parameter(name: str, *values: int) -> tuple[Size, ...]:
    return tuple(Size(f"{name} {value}", {name: value}) for value in values)


def _squares(*sides: int, **more: int) -> tuple[Size, ...]:
    names = {name.replace("_", "-"): value for name, value in more.items()}
    return tuple(Size(f"{n}x{n}", {"width": n, "height": n, **names}) for n in sides)


def _players(*numbers: int) -> tuple[Size, ...]:
    return tuple(Size(f"{n} players", {}, n) for n in numbers)


def _piles(*piles: tuple[int, int]) -> tuple[Size, ...]:
    return tuple(Size(f"{n} piles of {counters}", {"piles": [counters] * n}) for n, counters in piles)


BOARDS = (7, 8, 9, 10, 11, 12)
FAMILIES: Sequence[tuple[str, Sequence[Size]]] = (
    ("leistiko", _parameter("top-pip", 6, 7, 9, 12)),
    ("sacred-alignment", _parameter("hand-size", 3, 5, 7, 12)),
    ("smith", _players(2, 3, 4)),
    ("smith", _parameter("rows", 4, 5, 6, 7)),
    ("stout", _players(2, 3, 4)),
    ("stout", _parameter("pieces", 1, 2, 3, 4)),
    ("hex", _parameter("side", *BOARDS)),
    ("breakthrough", _squares(*BOARDS)),
    ("connect-four", _squares(*BOARDS)),
    ("tic-tac-toe", _squares(*BOARDS, in_line=5)),
    ("othello", _parameter("side", 6, 8, 10, 12)),
    ("draughts", _parameter("side", 7, 8, 9, 10)),
    ("nine-mens-morris", _parameter("rings", 2, 3)),
    ("peg-solitaire", _parameter("side", 7, 9)),
    ("eight-puzzle", _squares(3, 4, 5, 6)),
    ("kalah", _parameter("houses", 4, 6, 8)),
    (
        "nim",
        tuple(Size(f"{n} piles of {k}", {"piles": [k] * n}) for n, k in ((5, 9), (5, 60), (5, 70), (10, 99))),
    ),
    ("whist", _players(3, 4, 5)),
    ("whist", _parameter("ranks", 8, 10, 13)),
    ("go", _parameter("side", *BOARDS)),
    ("market", _players(2, 3, 4)),
    ("market", _parameter("copies", 5, 8, 9, 10, 20)),
    ("market", _parameter("hand-size", 5, 7, 10)),
)


def measure(seconds: float, families: Sequence[int] = range(len(FAMILIES))) -> list[Table]:
    """Each family, all its sizes for so many seconds a round."""
    table = Table("Random games by size", WORDS, COLUMNS)
    with one_core():
        for number in families:
            name, sizes = FAMILIES[number]
            command = [sys.executable, "-m", "benchmarks.sizes", str(number), str(seconds)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
            found = [Speed(**one) for one in json.loads(done.stdout)]
            table.rows.extend(rows(name, sizes, found))
    return [table]


def rows(name: str, sizes: Sequence[Size], found: Sequence[Speed]) -> list[list[str]]:
    """The rows of a family."""
    falls = ["", *(_fall(a.speed / b.speed) for a, b in pairwise(found))]
    return [
        [name, size.words, f"{one.plies:.1f}", f"{one.speed / 1e6:.3g}", fall, f"{one.first:.2f}"]
        for size, one, fall in zip(sizes, found, falls, strict=True)
    ]


def _fall(times: float) -> str:
    return f"**{times:.1f}**" if times > FALL else f"{times:.1f}"


# ---- the process of a family


def speeds(name: str, sizes: Sequence[Size], seconds: float) -> list[Speed]:
    """The speed at each size."""
    rules = read(ruleset(name))
    firsts = [forked(partial(_first_game, rules, size)) for size in sizes]
    batches = [Batches.of(_play(size.settled(rules))) for size in sizes]
    found = [[one.speed(seconds, number) for one in batches] for number in range(ROUNDS)]
    return [
        Speed(first, rounds[0][1], max(speed for speed, _ in rounds))
        for first, *rounds in zip(firsts, *found, strict=True)
    ]


def _play(game: Game) -> Play:
    runner = Runner(write(game))
    return lambda games, seed: runner.playouts(games, seed, MOST_PLIES).plies


def _first_game(rules: Ruleset, size: Size) -> float:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULESPEC_CACHE"] = folder
        game = size.settled(rules)
        before = work()
        Runner(write(game)).playouts(1, 1, MOST_PLIES)
        return work() - before


if __name__ == "__main__":
    family, sizes = FAMILIES[int(sys.argv[1])]
    print(json.dumps([asdict(one) for one in speeds(family, sizes, float(sys.argv[2]))]))
