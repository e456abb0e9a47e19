"""Random plays by the interpreter, for pages that play them again. Chance is that of the machine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.code.execution.runner import spread_seed
from rulespec.code.program import Program
from rulespec.core.game import Choice
from rulespec.core.types import Scalar, Value
from rulespec.play.face import Game
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import replayed_source

LONGEST = 60
"""Plays are left after so many plies, and others are begun."""
TRIED = 6
"""The number of actions at random, most of them illegal, that are tried in a position."""


@dataclass
class Played:
    """A play by the interpreter: the seed of chance, actions by number, positions, and all outcomes."""

    seed: int
    chosen: list[int]
    course: list[Position]
    outcomes: list[str]
    tried: list[list[Move]]
    """In each position some actions, legal or not."""


def plays(game: Game, plies: int) -> Iterator[Played]:
    """Random plays by the interpreter."""
    left, seed = plies, 0
    while left > 0:
        seed += 1
        chance, rng = replayed_source(spread_seed(seed)), random.Random(seed)
        ply = game.machine.start(chance)
        played = Played(seed, [], [ply.position], [*ply.outcomes], [tried(game, rng)])
        while len(played.chosen) < min(left, LONGEST) and (moves := [*game.machine.moves(ply.position)]):
            played.chosen.append(rng.randrange(len(moves)))
            ply = game.machine.play(ply.position, moves[played.chosen[-1]], chance)
            played.course.append(ply.position)
            played.outcomes += ply.outcomes
            played.tried.append(tried(game, rng))
        left -= max(1, len(played.chosen))
        yield played


def tried(game: Game, rng: random.Random) -> list[Move]:
    """Some actions, with any values of the types of their choices."""
    found = []
    for _ in range(TRIED):
        action = rng.choice([*game.core.actions.values()])
        found.append(Move(action.id, tuple(_value(choice, rng) for choice in action.choices)))
    return found


def _value(choice: Choice, rng: random.Random) -> Value:
    if choice.chain is None:
        assert isinstance(choice.var.type, Scalar)
        return rng.choice(choice.var.type.values)
    size = rng.randint(0, min(3, choice.chain.type.cap))
    assert isinstance(choice.chain.step.type, Scalar)
    return tuple(rng.choice(choice.chain.step.type.values) for _ in range(size))


def row(program: Program, move: Move) -> list[int]:
    """An action as the page has it: its number, then its choices."""
    actions = list(program.game.actions)
    found = [actions.index(move.action)]
    for choice, value in zip(program.game.actions[move.action].choices, move.args, strict=True):
        found += program.flat(choice.chain.type if choice.chain else choice.var.type, value)
    return found
