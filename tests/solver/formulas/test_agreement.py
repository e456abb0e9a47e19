"""The symbolic meaning agrees with the interpreter: operator by operator, and ply by ply.

A symbolic state is made of two reachable states and a free literal that chooses between them, so
every operator meets unions; under each value of the literal the result must be what the interpreter
finds in that state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from deciding import decode, simulated
from handmade import nim, race, ziggurat

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.traversal import nodes_within
from rulespec.core.types import Scalar, Value
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.engines import choose
from rulespec.solver.formulas import Unrolling
from rulespec.solver.formulas.aig import Gates
from rulespec.solver.formulas.context import Moment
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.symbolic_evaluation import SymbolicEvaluator
from rulespec.solver.formulas.values import lift, mux

GOOD = Path(__file__).parents[2] / "language" / "good"
GAMES = {
    "nim": nim,
    "race": race,
    "ziggurat": ziggurat,
    **{
        name: lambda name=name: load(GOOD / f"{name}.yaml")
        for name in (
            "names",
            "turns",
            "phases",
            "limits",
            "bags",
            "derived",
            "stages",
            "grown-sets",
            "shuffles",
        )
    },  # type: ignore[misc]
    "sacred-alignment-small": lambda: load("sacred-alignment-small"),
    "strange readings": lambda: load(
        "sacred-alignment-small",
        readings={
            "alignment": "domino",
            "covered-halves": "visible",
            "support": "bridge",
            "first-domino": "tier",
        },
    ),
}


@lru_cache
def positions(name: str) -> tuple[Game, Machine, tuple[Position, ...]]:
    """Positions of some random plays of a game."""
    game = GAMES[name]()
    machine = Machine(game)
    rng = random.Random(name)
    found: list[Position] = []
    for play in range(6):
        at = machine.start(Chance(f"{play}")).position
        while not at.is_over and len(found) < 40 * (play + 1):
            found.append(at)
            at = machine.play(at, rng.choice(list(machine.moves(at))), Chance(f"{play}")).position
    return game, machine, tuple(found)


def questions(game: Game, rng: random.Random) -> Iterator[tuple[n.Expr, dict[n.Var, Value]]]:
    """Expressions of a game, with random values for their choices."""
    for action in game.actions.values():
        if any(c.chain for c in action.choices):
            continue
        env: dict[n.Var, Value] = {}
        for choice in action.choices:
            yield choice.source, dict(env)
            assert isinstance(choice.var.type, Scalar)
            env[choice.var] = rng.choice(choice.var.type.values)
            if choice.where is not None:
                yield choice.where, dict(env)
        for requirement in action.requirements:
            yield requirement.condition, env
    for end in game.ends:
        yield end.condition, {}
    for claim in game.claims.values():
        if claim.condition is not None:
            yield claim.condition, {}
    for function in game.functions.values():
        args = [rng.choice(p.type.values) for p in function.params if isinstance(p.type, Scalar)]
        if len(args) == len(function.params):
            yield function.body, dict(zip(function.params, args, strict=True))


@pytest.mark.parametrize("name", GAMES)
def test_expressions_agree_in_either_of_two_states(name: str) -> None:
    game, _, found = positions(name)
    rng = random.Random(name)
    for _ in range(4):
        pair = rng.sample(found, 2) if len(found) > 1 else [found[0], found[0]]
        gates = Gates()
        which = gates.free()
        state = {
            var: mux(gates, var.type, [(which, lift(var.type, a)), (-which, lift(var.type, b))])
            for var, a, b in zip(game.state.values(), pair[0].values, pair[1].values, strict=True)
        }
        symbolic = SymbolicEvaluator(gates, Dependencies(game))
        asked = [
            (e, env, symbolic(e, {v: lift(v.type, x) for v, x in env.items()}, Moment(state)))
            for e, env in questions(game, rng)
            if not _asks_can(e)
        ]
        for position, true in zip(pair, ({which}, set()), strict=True):
            values = simulated(gates, true)
            context = Context(dict(zip(game.state.values(), position.values, strict=True)))
            for e, env, symbol in asked:
                assert decode(e.type, symbol, values) == evaluate(e, env, context), game.spans.get(e)


def _asks_can(e: n.Expr) -> bool:
    return any(isinstance(node, n.Can) for node in nodes_within(e))


@pytest.mark.parametrize("name", ["nim", "race", "sacred-alignment-small"])
def test_plays_that_formulas_find_are_legal_and_end_where_they_say(name: str) -> None:
    game, machine, _ = positions(name)
    unrolling = Unrolling(game, start="initial", ask=[], engine=choose())
    for _ in range(3):
        unrolling.extend()
    assert unrolling.solve([], 60.0)
    outcomes, moves = unrolling.moves()
    chance = Chance(given=outcomes)
    at = machine.start(chance).position
    for move in moves:
        assert machine.is_legal(at, move)
        at = machine.play(at, move, chance).position


@pytest.mark.parametrize("name", ["nim", "race"])
def test_as_many_first_plies_as_the_interpreter_knows(name: str) -> None:
    game, machine, _ = positions(name)
    start = machine.start(Chance("3"))
    unrolling = Unrolling(game, start="initial", chance=start.outcomes, ask=[], engine=choose())
    unrolling.extend()
    found: set[Any] = set()
    blocked: list[int] = []
    while unrolling.solve(blocked, 60.0):
        _, moves = unrolling.moves()
        assert moves[0] not in found
        found.add(moves[0])
        (case,) = (
            case
            for case in unrolling.taken[0].cases
            if case.action.id == moves[0].action
            and all(
                moves[0].args[i] == case.settled[c.var]
                for i, c in enumerate(case.action.choices)
                if c.var in case.settled
            )
        )
        blocked.append(-case.literal)
    assert {m.action for m in found} == {m.action for m in machine.moves(start.position)}
    assert found <= set(machine.moves(start.position))
