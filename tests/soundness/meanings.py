"""The meanings of a game beside each other, winners and ends included: interpreter, code, formulas.

Code runs in Python, where arrays check every index, and in the machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from code_plays import agree
from deciding import Plies, plies_of_the_interpreter

from rulespec.code import Instance
from rulespec.core.game import Game
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.formulas import TooWide

SEEDS, MOST_PLIES = 4, 12
"""Plays for code, and the plies of each."""
POSITIONS, MOST_AFTER = 3, 60
"""Positions for formulas; those with more plies after them are left out."""


def differences(game: Game) -> Iterator[tuple[str, str]]:
    """Which meanings differ from the interpreter's, each with the error that says in what."""
    compared = (("code", _by_code), ("machine", _in_the_machine), ("formulas", _by_formulas))
    for name, compare in compared:
        try:
            compare(game)
        except TooWide:
            continue
        except Exception as error:
            yield name, f"{type(error).__name__}: {str(error)[:2000]}"


def _by_code(game: Game) -> None:
    agree(game, SEEDS, MOST_PLIES)


def _in_the_machine(game: Game) -> None:
    agree(game, SEEDS, MOST_PLIES, started=Instance)


def _by_formulas(game: Game) -> None:
    machine, plies = Machine(game), Plies(game)
    for position in _positions(machine):
        expected = plies_of_the_interpreter(machine, position, plies.kept)
        if plies.may_act(position) != bool(expected):
            raise AssertionError(f"whether anybody may act at {position}")
        if len(expected) <= MOST_AFTER and plies.after(position) != expected:
            raise AssertionError(f"what follows {position}")


def _positions(machine: Machine) -> Iterator[Position]:
    """A few positions of random plays that are not over."""
    rng = random.Random(0)
    for seed in range(POSITIONS):
        chance = Chance(str(seed))
        at, trail = machine.start(chance).position, []
        while not at.is_over and len(trail) < MOST_PLIES:
            trail.append(at)
            at = machine.play(at, rng.choice(list(machine.moves(at))), chance).position
        yield from trail[:1] if not seed else []
        yield from rng.sample(trail, min(1, len(trail)))


__all__ = ["differences"]
