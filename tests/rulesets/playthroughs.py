"""Record the playthroughs of shipped rulesets anew: `make playthroughs`; read the difference, then commit it.

    python tests/rulesets/playthroughs.py [NAME ...]

`playthroughs/` beside a ruleset holds for it and for each of its variants a random play, recorded in full:
every legal action and everything that each player sees, ply by ply. `rulespec replay FILE` checks one. At
random some games take thousands of plies: that play is broken off, and another one goes from a late position
to the end.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from playouts import playout
from recount import table_of
from shipped_games import load

from rulespec.core.storage.atomic_files import make_folder, write_text
from rulespec.language import outline, shipped_rulesets
from rulespec.play.face import Game, State

SEED = 0
MOST_PLIES = 300
"""Longer plays are not kept."""
BROKEN_OFF = 150
"""After so many plies they are broken off."""
LEAST_PLIES = 50
"""From a late position no sooner end is wanted, so that there is something to see."""
LEAST_CHEATED = 10
"""The same of a ziggurat that wants its last domino: cheats at random soon leave nothing that fits."""
ZIGGURATS = json.loads(Path(__file__).with_name("late_ziggurats.json").read_text("utf-8"))
"""Finished but for the last domino, which is in the hand."""

HOME = {"Y": ("d5", "d6"), "G": ("e5", "f5"), "R": ("e4", "e3"), "B": ("d4", "c4")}
"""Where in the race a colour comes home, and the square before it."""


def late(game: Game) -> dict[str, Any] | None:
    """A position not far from the end, for games that take too long at random.

    In a race each colour has all but one of its pieces home; in the puzzle one tile is not in its place; of a
    ziggurat one domino is missing.
    """
    if game.id == "eight-puzzle":
        return {"tile": "1 2 3\n4 5 6\n7 . 8"}
    if game.id in ZIGGURATS:
        return dict(ZIGGURATS[game.id])
    if "special" not in game.core.state:
        return None
    placed: dict[str, list[str]] = {}
    for stack in game.start(seed=SEED).to_data()["stack"].values():
        last, *others = sorted(stack)
        goal, before = HOME[last[0]]
        placed |= {goal: others, before: [last]}
    return {"mover": 1, "moves": 3, "special": "aim", "stack": placed}


@dataclass(frozen=True)
class Wanted:
    """A game to be played through, from its start or from a position."""

    game: Game
    given: dict[str, Any] | None = None

    def played(self) -> State:
        """The play that is kept; from a position by the first seed with which it ends not too soon."""
        if self.given is None:
            start = self.game.start(seed=SEED)
            whole = playout(start, SEED, MOST_PLIES)
            return whole if whole.is_over else playout(start, SEED, BROKEN_OFF)
        plays = (playout(self.game.position(self.given, seed=seed), seed, MOST_PLIES) for seed in count(SEED))
        least = LEAST_CHEATED if self.game.id in ZIGGURATS else LEAST_PLIES
        return next(state for state in plays if state.is_over and len(state.plays) >= least)


def file_of(name: str, players: int | None = None, part: str = "") -> Path:
    """Where the playthrough of a ruleset is kept, for a number of players where it is not the default."""
    number = f"-{players}-players" if players else ""
    return table_of(name).parent / "playthroughs" / f"{name}{number}{part}.json"


def wanted(name: str) -> dict[Path, Wanted]:
    """The games of a ruleset that are played through; if it is no variant, with 2, 3 and 4 players too."""
    games: dict[int | None, Game] = {None: load(name)}
    head, usual = outline(name), games[None].core.players
    for players in () if head.extends else range(2, 5):
        if players in head.players and players != usual:
            games[players] = load(name, players=players)
    starts = {file_of(name, players): Wanted(game) for players, game in games.items()}
    ends = {file_of(name, players, "-end"): Wanted(game, late(game)) for players, game in games.items()}
    return starts | {path: wanted for path, wanted in ends.items() if wanted.given}


def main() -> None:
    """Write the playthroughs of the rulesets that are named, or of all."""
    for name in sys.argv[1:] or shipped_rulesets():
        for path, one in wanted(name).items():
            make_folder(path.parent)
            write_text(path, one.played().record(full=True).to_json())


if __name__ == "__main__":
    main()
