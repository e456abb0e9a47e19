"""Random plays by generated code and by the interpreter at once: at every ply they must say the same."""

from __future__ import annotations

import random
from functools import cache
from itertools import count
from typing import Any

from machine.evaluating import Evaluator
from python_instance import PythonInstance, Start

from rulespec.code import FAULT, GameCode, Runner, write
from rulespec.code.execution.instance import array_facts
from rulespec.code.execution.runner import Answer, Node
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import scalar_of
from rulespec.kernels.units import game_unit, module_of
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position

FEW = 12
"""Of so many legal actions each is looked at, of more some."""


def seeded(seed: str) -> Answer:
    """Chance as the interpreter draws it from a seed."""
    return lambda draw: random.Random(f"{seed}/{draw}").randrange


def agree(game: Game, seeds: int, most: int, started: Start = PythonInstance) -> None:
    """Play at random from some seeds, for at most so many plies each, and compare everything.

    What the claims speak of is compared where a play begins and where it was left. `started` runs the code.
    """
    written = written_of(game)
    machine, runner = Machine(game), Runner(written, started(written))
    for seed in range(seeds):
        chance, answer, rng = Chance(str(seed)), seeded(str(seed)), random.Random(seed)
        at, node = machine.start(chance).position, runner.start(answer)
        _asked(machine, runner, at, node)
        for _ in range(most):
            moves = _same(machine, runner, at, node)
            if not moves:
                break
            move = rng.choice(sorted(moves, key=repr))
            at = machine.play(at, move, chance).position
            node = runner.play(node, moves[move], answer)
        _same(machine, runner, at, node)
        _asked(machine, runner, at, node)


@cache
def written_of(game: Game) -> GameCode:
    """The code of a game with what its claims speak of, written once for both ways to run it."""
    return write(game, spoken_of(game))


def spoken_of(game: Game) -> dict[str, n.Expr]:
    """The conditions, numbers and premises of a game's claims."""
    said = {claim.id: claim.condition for claim in game.claims.values()}
    said |= {f"{claim.id}-when": claim.options.get("when") for claim in game.claims.values()}
    return {name: e for name, e in said.items() if n.is_expression(e) and scalar_of(e.type) is not None}


def _asked(machine: Machine, runner: Runner, at: Position, node: Node) -> None:
    """Compare what the expressions of claims say of a position."""
    if not at.fault:
        found = {name: runner.ask(name, node) for name in runner.written.asked}
        situation = machine.situation(at)
        expected = {name: evaluate(e, {}, situation) for name, (_, e) in runner.written.asked.items()}
        assert found == expected


def _same(machine: Machine, runner: Runner, at: Position, node: Node) -> dict[Any, int]:
    """Compare a position; where each legal move lies in the buffer of the code."""
    assert runner.decode(node.cells, node.words) == at.values
    assert node.draws == at.draws
    if at.fault:
        assert node.legal == FAULT
        return {}
    assert runner.ended(node) == at.ended
    moves = {move: i for i, move in enumerate(runner.moves(node))}
    assert len(moves) == node.legal, "an action is listed twice"
    expected = list(machine.moves(at))
    assert set(moves) == {tuple(move) for move in expected}
    _able(runner, at, node)
    _judged(machine, runner, at, node)
    _comes_back(runner, node)
    return {move: moves[tuple(move)] for move in expected}  # type: ignore[index]


def _able(runner: Runner, at: Position, node: Node) -> None:
    """Whether an action is legal is said without a list of those that are."""
    instance = runner.instance
    if not at.ended and isinstance(instance, PythonInstance):
        state = instance.numbers(node.cells), instance.words(node.words)
        room = instance.room("numbers", runner.written.rows.first_size)
        assert bool(instance.own["able"](*state, room)) == (node.legal != 0)


def _judged(machine: Machine, runner: Runner, at: Position, node: Node) -> None:
    scores = machine.scores(at)
    assert {p: runner.score(node, p) for p in scores} == scores
    if at.ended:
        assert runner.winners(node) == machine.winners(at)


def _comes_back(runner: Runner, node: Node) -> None:
    """A state put into code anew is the state that the code made of it, the words kept beside it too."""
    cells, words = runner.encode(runner.decode(node.cells, node.words))
    program = runner.program
    assert list(cells[: program.state_cells]) == list(node.cells[: program.state_cells])
    kept = [*range(program.state_words)]
    for var, place in program.planes.items():
        kept += range(place.at, place.at + program.plane_size(var))
    assert [words[i] for i in kept] == [node.words[i] for i in kept]


def blocks_are_rows(written: GameCode) -> None:
    """A play of the code of a game with one action: in every fourth position the blocks of legal actions, or
    the word for all of them, evaluated node by node, must say the same as the rows.
    """
    unit = game_unit({**written.tables, **written.functions}, *array_facts(written.program))
    names = "word" if written.rows.single else "blocks", "row_of", "listing"
    model = Evaluator(module_of(unit, (), names))
    blocks, row_of, listing = model.module.entries
    runner, rng, width = Runner(written), random.Random(1), written.width

    def compare(node: Node) -> None:
        s, b = [*node.cells], [*node.words]
        rows, m = [0] * written.rows.first_size, [0] * written.rows.first_size
        (number,) = model.call(listing, [s, b, rows])
        assert number == node.legal
        assert rows[: width * number] == [*node.moves]
        assert model.call(blocks, [s, b, m]) == (number,)
        some = range(number) if number <= FEW else {0, number - 1, *(rng.randrange(number) for _ in range(8))}
        for k in some:
            (at,) = model.call(row_of, [m, k])
            assert m[at : at + width] == rows[width * k : width * (k + 1)]

    node, positions = runner.start(), count()
    while node.legal > 0:
        if next(positions) % 4 == 0:
            compare(node)
        node = runner.play(node, rng.randrange(node.legal))
