"""The machine that asks generated code whether anybody can act plays as the machine does."""

from __future__ import annotations

import random

import pytest

from rulespec.code import Runner, write
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.players.rules import Quick


@pytest.mark.parametrize("name", ["smith-tiny", "kuhn-poker"])
def test_whether_anybody_can_act_is_the_same(name: str) -> None:
    game = load(name)
    machine, quick = Machine(game), Quick(game, Runner(write(game)))
    for seed in range(4):
        rng, chance = random.Random(seed), Chance(str(seed))
        position = machine.start(chance).position
        assert quick.start(chance).position == position
        while not position.is_over:
            move = machine.draw(position, rng)
            ply = machine.play(position, move, chance)
            assert quick.play(position, move, chance) == ply
            position = ply.position
