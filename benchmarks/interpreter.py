"""How many sets of legal actions the interpreter lists in a second, and where the time goes."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from rulespec.core.game import Game
from rulespec.language import load, shipped_rulesets
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position

from .report import Table
from .shares import KINDS, clocks

SEEDS = 5
MOST_PLIES = 60
"""Where random plays are cut, so that mid-game stays within reach."""


def measure(seconds: float) -> Table:
    """Each shipped ruleset, timed for so many seconds of work."""
    words = (
        "Lists of legal actions made in a second of work, in positions from the middle half of random "
        f"plays ({SEEDS} seeds, cut at {MOST_PLIES} plies), with their mean length; plies played in a "
        "second from the same positions (effect, reactions, ends, turn). Then the share of each kind of "
        "work in the time of listing: definitions that read the state, static definitions that are not yet "
        "in their tables, candidates for the choices, copying the state, and the walk over the choices with "
        "its conditions (requirements, laws and `where`) and its memory."
    )
    columns = ["ruleset", "sets/s", "actions", "plies/s", *(f"{k} %" for k in KINDS)]
    table = Table("The interpreter", words, columns)
    for name, path in shipped_rulesets().items():
        if path.name == "ruleset.yaml":
            table.rows.append([name, *_row(load(name), seconds)])
    return table


def _row(game: Game, seconds: float) -> list[str]:
    machine = Machine(game)
    found = [position for seed in range(SEEDS) for position in middle(machine, seed)]
    actions = sum(len(list(machine.moves(p))) for p in found)
    sets = speed(machine, found, seconds)
    return [
        f"{sets:,.0f}",
        f"{actions / len(found):.1f}",
        f"{plies(machine, found, seconds):,.0f}",
        *(f"{100 * share:.0f}" for share in shares(machine, found)),
    ]


def middle(machine: Machine, seed: int) -> list[Position]:
    """The positions in the middle half of a random play, at most eight of them."""
    rng, chance = random.Random(f"benchmark {seed}"), Chance(str(seed))
    line: list[Position] = []
    position = machine.start(chance).position
    while not position.is_over and len(line) < MOST_PLIES:
        line.append(position)
        position = machine.play(position, rng.choice(list(machine.moves(position))), chance).position
    half = line[len(line) // 4 : len(line) - len(line) // 4]
    return half[:: max(1, len(half) // 8)][:8]


def speed(machine: Machine, positions: Sequence[Position], seconds: float) -> float:
    """Sets of legal actions in a second of work."""
    listed, began = 0, time.process_time()
    while True:
        for position in positions:
            for _ in machine.moves(position):
                pass
        listed += len(positions)
        spent = time.process_time() - began
        if spent >= seconds:
            return listed / spent


def plies(machine: Machine, positions: Sequence[Position], seconds: float) -> float:
    """Plies in a second of work, the moves being known."""
    rng, chance = random.Random("plies"), Chance("plies")
    chosen = [(p, rng.choice(list(machine.moves(p)))) for p in positions]
    played, began = 0, time.process_time()
    while True:
        for position, move in chosen:
            machine.play(position, move, chance)
        played += len(chosen)
        spent = time.process_time() - began
        if spent >= seconds:
            return played / spent


def shares(machine: Machine, positions: Sequence[Position]) -> list[float]:
    """The part of the time that goes into each kind of work, in the order of `KINDS`."""
    with clocks() as kept:
        for position in positions:
            for _ in machine.moves(position):
                pass
    total = sum(kept.seconds.values())
    return [kept.seconds[kind] / total for kind in KINDS]
