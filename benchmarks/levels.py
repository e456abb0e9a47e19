"""`python -m benchmarks.levels`: how the levels of the machine fare against one another.

In each shipped game that two can play against one another, each level plays the one below, half of the games
from each seat. All games are seeded and limited by plays tried, so they are the same on every machine. They
are stored as those of `rulespec simulate`: the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rulespec.budgets import OutOfBudget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.winners import Sharing, sharing
from rulespec.language import shipped_rulesets
from rulespec.play.face import Game, load
from rulespec.players.levels import LEVELS
from rulespec.simulation import simulate

from .report import Table, machine

TITLE = "Levels of the machine"
GAMES = 200
BAR = 0.6
"""The share of the points that a level is to win from the one below."""
LIMIT = 1_000
"""A game is a draw after this many plies."""
SEED = f"levels {[*LEVELS.values()]}"
PAIRS = tuple(pairwise(LEVELS))
WORDS = (
    f"`make levels`: the share of the points that each level wins from the one below over {GAMES} games, "
    "half of them from each seat, and after it the share from the first seat alone. A draw is half a point, "
    f"and so is a game of {LIMIT:,} plies. A level is a number of plays that the search tries for an action, "
    "and a share of actions that it draws at random without a search: "
    + ", ".join(f"*{name}* {level.plays:,} ({level.slips:.0%} at random)" for name, level in LEVELS.items())
    + ". Where chance, hidden cards or simultaneous choices take part in the result, the better player wins "
    f"less often: the second column has them. The bar is {BAR:.0%}. "
    "In brackets: the number of games, where they were fewer."
)


@dataclass(frozen=True)
class Match:
    """Games of a level against the one below, and the points of the higher one from each seat."""

    games: tuple[int, int]
    points: tuple[float, float]

    @property
    def share(self) -> float:
        """The share of the points; each seat counts alike."""
        return sum(p / max(g, 1) for p, g in zip(self.points, self.games, strict=True)) / 2

    @property
    def is_whole(self) -> bool:
        """True if all games were played."""
        return sum(self.games) >= GAMES


def competitive_games(names: Sequence[str]) -> Iterator[Game]:
    """The games, with two players where the rules allow it, in which two play against one another."""
    for name in names:
        try:
            game = load(name, 2)
        except RulesetError:
            continue
        if sharing(game.core) is not Sharing.TOGETHER:
            yield game


def play_match(game: Game, higher: str, lower: str, seconds: float) -> Match:
    """Play the games of a match, those of each seat within so many seconds."""
    games, points = [], []
    for seat, other in (game.players, game.players[::-1]):
        policies = [f"{seat}={higher}", f"{other}={lower}"]
        try:
            found = simulate(
                game, GAMES // 2, policy=policies, seed=SEED, limit=LIMIT, jobs=1, timeout=seconds
            )
        except OutOfBudget:
            games.append(0)
            points.append(0.0)
            continue
        games.append(found.games)
        points.append((found.games + found.wins[seat].count - found.wins[other].count) / 2)
    return Match((games[0], games[1]), (points[0], points[1]))


def luck(game: Game) -> str:
    """What else than skill takes part in the result of a game, in words."""
    core = game.core
    found = {
        "chance": core.has_chance,
        "hidden": any(var.hidden for var in core.state.values()),
        "at once": any(core.stage_of(action) is not None for action in core.actions),
    }
    return ", ".join(name for name, holds in found.items() if holds)


def cell(match: Match) -> str:
    """The share of a match in words."""
    if not all(match.games):
        return "–"
    first = match.points[0] / match.games[0]
    few = "" if match.is_whole else f" ({sum(match.games)})"
    return f"{match.share:.0%}, {first:.0%}{few}"


def main(argv: Sequence[str] | None = None) -> int:
    """Play the matches, print the table; the exit status is 1 if a whole match is below the bar."""
    parser = argparse.ArgumentParser(prog="benchmarks.levels", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="rulesets (default: all that are shipped)")
    parser.add_argument(
        "--each", type=float, default=math.inf, metavar="SECONDS", help="for the games from one seat"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    shown = Table(TITLE, WORDS, ("", "luck", *(f"{higher} against {lower}" for lower, higher in PAIRS)))
    missed = 0
    for game in competitive_games(arguments.games or [*shipped_rulesets()]):
        matches = [play_match(game, higher, lower, arguments.each) for lower, higher in PAIRS]
        missed += sum(match.is_whole and match.share < BAR for match in matches)
        shown.rows.append([game.id, luck(game), *map(cell, matches)])
        print(*shown.rows[-1], sep="; ", flush=True)
    if arguments.write:
        from .__main__ import write_tables

        write_tables(arguments.write, {shown.title: shown.markdown(machine())})
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
