"""Stout's race with Queens compared with a model by hand, under readings drawn at random."""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any

import pytest
from queens_by_hand import QueensReading, QueensTurn, both, scattered_with_queens
from race_by_hand import name_of
from shipped_games import load
from test_stout_by_hand import FACES, as_readings, place_of
from test_stout_vectors import BY_ITSELF, ENHANCED
from test_stout_vectors import Turn as Played

from rulespec.core.plain_data import to_data
from rulespec.play.face import Game

SEEDS = range(900 if os.environ.get("RULESPEC_SLOW") else 20)
SEATS = ("Y", "G", "R", "B"), ("Y", "G", "R"), ("Y", "R"), ("YR", "GB")


@cache
def game(players: int, readings: tuple[tuple[str, str], ...]) -> Game:
    return load("stout-queen", players=players, readings=dict(readings))


class PlayedWithQueens(Played):
    """A turn of the ruleset with the dice rolled and every Queen in her place."""

    def __init__(self, players: int, given: dict[str, Any], readings: dict[str, str]) -> None:
        self.game = game(players, tuple(sorted(readings.items())))
        self.state = self.game.position({**given, "waiting": []}, seed=0)
        self.start = self.state.position
        names = list(self.game.core.state)
        self.mover, self.stack = names.index("mover"), names.index("stack")

    def written(self, positions: set[Any]) -> set[str]:
        """Positions as the game by hand writes them."""
        t = self.game.core.state["stack"].type
        found = (to_data(t, value) for value in positions)
        return {" ".join(f"{p}:{by_hand(on[p])}" for p in sorted(on, key=place_of)) for on in found}


def by_hand(stack: list[str]) -> str:
    return "".join(piece[0].lower() if piece.endswith("Q") else piece for piece in stack)


def of_ruleset(stack: str) -> list[str]:
    return [piece.upper() + "Q" if piece.islower() else piece for piece in stack]


def drawn(rng: random.Random) -> QueensReading:
    """Readings drawn at random, the default in about two of three."""
    other = [rng.random() < 0.3 for _ in range(7)]
    return QueensReading(
        goal_stack_blocks=not other[0], tip_goal=other[1], entry_corner_stops=other[2],
        run_costs_one=other[3], odd_points_spare=other[4], whole_stack_goes=other[5],
        carried_count=not other[6],
    )  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_with_queens_has_the_positions_found_by_hand(seed: int) -> None:
    rng = random.Random(f"queens {seed}")
    reading, players = drawn(rng), rng.choice(SEATS)
    player, points, face = rng.choice(players), rng.randint(1, 8), rng.choice(FACES)
    at = scattered_with_queens("".join(players), f"court {seed}", reading.tip_goal)
    turn = QueensTurn(at, both(player), reading)
    readings = as_readings(reading)
    readings |= {"two-players": "two-colours"} if len(player) > 1 else {}
    readings |= {"queen-odd-points": "spare"} if reading.odd_points_spare else {}
    readings |= {"queen-above-drones": "together"} if reading.whole_stack_goes else {}
    readings |= {} if reading.carried_count else {"queen-carried-home": "uncounted"}
    given = {
        "mover": players.index(player) + 1, "moves": points, "special": face.lower(),
        "stack": {name_of(p): of_ruleset(stack) for p, stack in turn.at.items()},
    }  # fmt: skip
    played = PlayedWithQueens(len(players), given, readings)
    movement, enhanced, by_itself, ends = turn.sets(points, face)
    found = [played.after({"move", "carry", *ENHANCED}), played.after(BY_ITSELF), played.ends()]
    assert [played.written(positions) for positions in found] == [movement | enhanced, by_itself, ends]
