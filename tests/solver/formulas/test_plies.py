"""Ply by ply, formulas and interpreter give the same legal moves and the same states after them."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from deciding import Plies, plies_of_the_interpreter
from handmade import all_games

from rulespec.core.game import Game
from rulespec.language import load, shipped
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from solver.formulas import TooWide

MOST_AFTER = 120
"""Positions with more plies after them are left out."""

QUICK = (
    "connect-four", "eight-puzzle", "kuhn-poker", "leistiko-cut-up", "nim", "nine-mens-morris",
    "peg-solitaire", "pig", "sacred-alignment-small", "smith-small", "tic-tac-toe",
)  # fmt: skip
TOO_WIDE = tuple(name for name in shipped() if name.startswith("stout"))
"""Rulesets a ply of which is too large for formulas."""

LARGE = tuple(name for name in shipped() if name not in (*QUICK, *TOO_WIDE))
"""Compared by `make agreement` only, since they take some seconds each."""

SLOW = bool(os.environ.get("RULESPEC_SLOW"))


def games() -> Iterator[Any]:
    for name in all_games():
        yield pytest.param(lambda name=name: all_games()[name], id=name)
    for name in (*QUICK, *(LARGE if SLOW else ())):
        yield pytest.param(lambda name=name: load(name), id=name)


@pytest.mark.skipif(not SLOW, reason="make agreement")
@pytest.mark.parametrize("name", TOO_WIDE)
def test_what_is_too_wide_says_so(name: str) -> None:
    with pytest.raises(TooWide, match="leads to"):
        Plies(load(name))


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
        expected = plies_of_the_interpreter(machine, position, plies.kept)
        assert plies.may_act(position) == bool(expected)
        if len(expected) <= MOST_AFTER:
            assert plies.after(position) == expected
            compared += 1
    assert compared
