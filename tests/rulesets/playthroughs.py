"""Record the playthroughs of shipped rulesets anew: `make playthroughs`; read the difference, then commit it.

    python tests/rulesets/playthroughs.py [NAME ...]

`playthroughs/` beside a ruleset holds for it and for each of its variants a random play, recorded in full:
every legal action and everything that each player sees, ply by ply. `rulespec replay FILE` checks one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from recount import table_of

from rulespec.language import outline, shipped
from rulespec.play.face import Game, load
from rulespec.play.playouts import random_playout

SEED = 0
MOST_PLIES = 150
"""A longer play stops there: what is legal in a race goes on much like this."""


def file_of(name: str, players: int | None = None) -> Path:
    """Where the playthrough of a ruleset is kept, for a number of players where it is not the default."""
    number = f"-{players}-players" if players else ""
    return table_of(name).parent / "playthroughs" / f"{name}{number}.json"


def wanted(name: str) -> dict[Path, Game]:
    """The games of a ruleset that are played through; if it is no variant, with 2, 3 and 4 players too."""
    games = {file_of(name): load(name)}
    head, usual = outline(name), games[file_of(name)].core.players
    for players in () if head.extends else range(2, 5):
        if players in head.players and players != usual:
            games[file_of(name, players)] = load(name, players=players)
    return games


def main() -> None:
    """Write the playthroughs of the rulesets that are named, or of all."""
    for name in sys.argv[1:] or shipped():
        for path, game in wanted(name).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(random_playout(game, SEED, MOST_PLIES).record(full=True).to_json(), "utf-8")


if __name__ == "__main__":
    main()
