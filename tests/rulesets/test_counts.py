"""The counts kept beside rulesets: a number that changes is a rule that changed, or was wrong before.

`make perft` also counts what takes longer.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from math import inf
from typing import Any

import pytest
from recount import SEED, table_of
from shipped_games import load

from rulespec.language import shipped_rulesets
from rulespec.play.chance import Chance
from rulespec.play.face import Game
from rulespec.play.perft import ByRules, perft
from rulespec.play.position import Position

TABLES = {
    path: json.loads(path.read_text("utf-8")) for path in map(table_of, shipped_rulesets()) if path.is_file()
}
KEPT = {name: kept for table in TABLES.values() for name, kept in table.items()}

SLOW = bool(os.environ.get("RULESPEC_SLOW"))
MOST, MOST_GAMES = (400_000, inf) if SLOW else (2_000, 300_000)
"""The largest number that is counted again of those from elsewhere, and the most complete games."""
MOST_KEPT = inf if SLOW else 500
"""The largest number that is counted again of those kept beside rulesets."""
ELSEWHERE = [
    (name, given)
    for name, kept in KEPT.items()
    for given in kept.get("elsewhere", ())
    if given.get("games", 0) <= MOST_GAMES
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(KEPT))
def test_counts_are_those_kept(name: str) -> None:
    kept = {int(depth): count for depth, count in KEPT[name]["counts"].items()}
    deepest = max((depth for depth, count in kept.items() if count <= MOST_KEPT), default=min(kept))
    counted = {depth: count for depth, count in kept.items() if depth <= deepest}
    assert perft(load(name), deepest, SEED, by=ByRules) == counted


def test_every_game_has_its_counts() -> None:
    assert KEPT.keys() == shipped_rulesets().keys(), "run `python tests/rulesets/recount.py NAME`"


def complete(game: Game) -> int:
    """How many plays there are from the start to an end."""
    chance, ended = Chance(str(SEED)), 0
    layer = Counter([game.machine.start(chance).position])
    while layer:
        after: Counter[Position] = Counter()
        for position, ways in layer.items():
            ended += ways if position.is_over else 0
            for move in game.machine.moves(position):
                after[game.machine.play(position, move, chance).position] += ways
        layer = after
    return ended


@pytest.mark.parametrize(("name", "given"), ELSEWHERE, ids=[given["source"] for _, given in ELSEWHERE])
def test_others_counted_the_same(name: str, given: dict[str, Any]) -> None:
    game = load(name, parameters=given.get("parameters", {}))
    wanted = {
        int(depth): number
        for kind in ("counts", "positions")
        for depth, number in given.get(kind, {}).items()
        if number <= MOST
    }
    if "counts" in given:
        assert perft(game, max(wanted), SEED) == wanted
    elif "positions" in given:
        assert positions(game, max(wanted)) == wanted
    else:
        assert complete(game) == given["games"]


def positions(game: Game, depth: int) -> dict[int, int]:
    """How many positions there are after 1, 2, … actions."""
    chance = Chance(str(SEED))
    layer, found = {game.machine.start(chance).position}, {}
    for ply in range(1, depth + 1):
        moves = ((position, move) for position in layer for move in game.machine.moves(position))
        layer = {game.machine.play(position, move, chance).position for position, move in moves}
        found[ply] = len(layer)
    return found
