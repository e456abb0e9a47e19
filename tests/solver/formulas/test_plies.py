"""Ply by ply, formulas and interpreter give the same legal moves and the same states after them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from deciding import Plies, plies_of_the_interpreter
from handmade import all_games

from rulespec.core.game import Game
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position

MOST_AFTER = 120
"""Positions with more plies after them are left out."""

SHIPPED = (
    "connect-four", "eight-puzzle", "kuhn-poker", "nine-mens-morris", "peg-solitaire", "pig",
    "sacred-alignment-small", "smith-small", "tic-tac-toe",
)  # fmt: skip


def games() -> Iterator[Any]:
    for name in all_games():
        yield pytest.param(lambda name=name: all_games()[name], id=name)
    for name in SHIPPED:
        yield pytest.param(lambda name=name: load(name), id=name)


def positions(machine: Machine, rng: random.Random) -> Iterator[Position]:
    """A few positions of some random plays, the last ones among them."""
    for seed in range(3):
        chance = Chance(f"{seed}")
        at, trail = machine.start(chance).position, []
        while not at.is_over and len(trail) < 100:
            trail.append(at)
            at = machine.play(at, rng.choice(list(machine.moves(at))), chance).position
        yield from [*rng.sample(trail[:-1], min(1, len(trail) - 1)), *trail[-1:]]


@pytest.mark.parametrize("make", list(games()))
def test_formulas_and_interpreter_go_on_alike(make: Callable[[], Game]) -> None:
    game = make()
    machine, plies = Machine(game), Plies(game)
    compared = 0
    for position in positions(machine, random.Random(game.id)):
        expected = plies_of_the_interpreter(machine, position)
        assert plies.may_act(position) == bool(expected)
        if len(expected) <= MOST_AFTER:
            assert plies.after(position) == expected
            compared += 1
    assert compared
