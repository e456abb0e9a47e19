"""Stout's race beside one that is kept by hand, in positions and under readings that no vector shows."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from race_by_hand import COLOURS, Reading, Turn, name_of, scattered
from shipped_games import load
from test_stout_vectors import BY_ITSELF, ENHANCED, GAMES, STARTS, parted
from test_stout_vectors import Turn as Played

from rulespec.core.plain_data import to_data
from rulespec.play.face import Game, State

SLOW = bool(os.environ.get("RULESPEC_SLOW"))
GOALS = {"Y": "d5", "G": "e5", "R": "e4", "B": "d4"}
FACES = ("Aim", "Hop", "Dig", "Leap", "Swap", "Tip", "Redo", "Wild")


def place_of(name: str) -> tuple[int, int]:
    name = STARTS.get(name, name)
    return "zabcdefghi".index(name[0]), int(name[1])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["colors"])
def test_the_game_by_hand_counts_as_the_vectors_do(game: dict[str, Any]) -> None:
    before = game["start"]
    for ply in game["plies"]:
        at = {place_of(name): stack for name, stack in parted(before).items()}
        sets = Turn(at, ply["p"], Reading()).sets(ply["m"], ply["a"])
        assert [*map(len, sets)] == ply["n"], ply
        before = ply["to"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["colors"])
def test_the_one_whose_pieces_came_home_has_won(game: dict[str, Any]) -> None:
    last = game["plies"][-1]
    assert last["to"] == game["final"]
    state = Played(game["colors"], parted(game["final"]), last["p"]).state
    assert (state.ended_by, state.winners) == ("home", (game["colors"].index(game["winner"]) + 1,))


def as_readings(reading: Reading) -> dict[str, str]:
    """The readings of the ruleset, those by default left out."""
    chosen = {
        "goal-stack": "" if reading.goal_stack_blocks else "open",
        "tip-goal": "allowed" if reading.tip_goal else "",
        "entry-corner": "halts" if reading.entry_corner_stops else "",
        "action-die": "treehouse" if reading.treehouse else "",
        "hop-count": "run-costs-one" if reading.run_costs_one else "",
    }
    return {ruling: name for ruling, name in chosen.items() if name}


def written(turn: Played, positions: set[Any]) -> set[str]:
    """Positions of the ruleset as the game by hand writes them."""
    t = turn.game.core.state["stack"].type
    stacks = (to_data(t, value) for value in positions)
    return {
        " ".join(f"{name}:{''.join(on[name])}" for name in sorted(on, key=place_of)) for on in stacks
    }  # fmt: skip


READINGS = [
    Reading(), Reading(goal_stack_blocks=False), Reading(tip_goal=True), Reading(entry_corner_stops=True),
    Reading(treehouse=True), Reading(run_costs_one=True),
    Reading(goal_stack_blocks=False, tip_goal=True, entry_corner_stops=True, run_costs_one=True),
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(700 if SLOW else 84))
def test_a_turn_in_a_crowd_has_the_positions_found_by_hand(seed: int) -> None:
    rng, reading = random.Random(seed), READINGS[seed % len(READINGS)]
    seats = ("Y", "G", "R", "B"), ("Y", "G", "R"), ("Y", "R"), ("YR", "GB")
    players = seats[seed // len(READINGS) % len(seats)]
    player, points = rng.choice(players), rng.randint(1, 8)
    face = rng.choice([f for f in FACES if not (reading.treehouse and f in ("Leap", "Redo"))])
    by_hand = Turn(scattered("".join(players), f"crowd {seed}", reading.tip_goal), player, reading)
    given = {name_of(p): stack for p, stack in by_hand.at.items()}
    both = {"two-players": "two-colours"} if len(player) > 1 else {}
    readings = {**as_readings(reading), **both}
    turn = Played(players, given, player, moves=points, special=face.lower(), readings=readings)
    found = [turn.after({"move"}), turn.after(ENHANCED), turn.after(BY_ITSELF), turn.ends()]
    assert [written(turn, positions) for positions in found] == by_hand.sets(points, face)


# ---- what claims say, in the same crowds


def holds(game: Game, claim: str, stacks: dict[str, str]) -> bool:
    """Whether what a claim says holds in a position, the action die showing Wild."""
    given = {"mover": 1, "moves": 3, "special": "wild", "over": False}
    state = game.position({**given, "stack": {p: list(s) for p, s in stacks.items()}}, seed=0)
    condition = game.core.claims[claim].condition
    assert condition is not None
    return game.machine.holds(condition, game.machine.situation(state.position))


def crowds(number: int) -> list[dict[str, str]]:
    """Positions of four colours, as the ruleset writes them."""
    found = (scattered(COLOURS, f"claim {seed}") for seed in range(number))
    return [{name_of(p): stack for p, stack in at.items()} for at in found]


def at_home(state: State) -> list[int]:
    """How many pieces of each colour stand on their own Goal."""
    stack = state.to_data()["stack"]
    return [stack.get(goal, []).count(colour) for colour, goal in GOALS.items()]


def leave(readings: dict[str, str]) -> bool:
    """Whether an action of a crowd with all dice open takes somebody from the Goal."""
    game = load("stout", readings=readings)
    given = {"mover": 1, "moves": 3, "special": "wild", "over": False}
    for stacks in crowds(25):
        state = game.position({**given, "stack": {p: list(s) for p, s in stacks.items()}}, seed=0)
        before = at_home(state)
        for action in state.actions():
            if any(b > a for b, a in zip(before, at_home(state.play(action)), strict=True)):
                return True
    return False


def test_who_is_home_stays_unless_goals_may_be_tipped() -> None:
    assert not leave({})
    assert leave({"tip-goal": "allowed"})


def test_pieces_are_counted_wherever_they_are() -> None:
    game, (stacks,) = load("stout"), crowds(1)
    assert holds(game, "none-lost", stacks)
    first = min(stacks)
    assert not holds(game, "none-lost", {**stacks, first: stacks[first][1:]})
    assert not holds(game, "none-lost", {**stacks, first: stacks[first] + "Y"})


def test_positions_are_told_apart_by_place_and_order() -> None:
    assert {c: name_of(p) for c, p in zip(COLOURS, ((1, 9), (9, 8), (8, 0), (0, 1)), strict=True)} == {
        "Y": "a9", "G": "i8", "R": "h0", "B": "z1",
    }  # fmt: skip
