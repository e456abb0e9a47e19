"""The code of games in the machine does what its nodes say, each index lying where the code says it lies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from machine.evaluating import Evaluator

from rulespec.code import Runner, write
from rulespec.code.execution.instance import array_facts
from rulespec.code.execution.runner import spread_seed
from rulespec.kernels.units import game_unit, module_of
from rulespec.language import load

GAMES = [
    "tic-tac-toe", "connect-four", "kalah", "nim", "pig", "nine-mens-morris", "draughts", "othello-small",
    "leistiko-small", "sacred-alignment-small", "eight-puzzle", "kuhn-poker", "breakthrough",
]  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
def test_random_plays(name: str) -> None:
    written = write(load(name))
    unit = game_unit({**written.tables, **written.functions}, *array_facts(written.program))
    model = Evaluator(module_of(unit, (), tuple(written.entries)))
    runner, plies = Runner(written), 12
    first = [*runner._first[0]], [*runner._first[1]]
    entries = dict(zip(written.entries, model.module.entries, strict=True))
    for seed in (1, 2):
        tally = runner.playouts(2, seed, plies)
        counted = [0] * (len(written.program.game.player.values) + 1)
        s, b, m = [0] * len(first[0]), [0] * len(first[1]), [0] * written.rows.first_size
        c = [spread_seed(seed), 1, 0, 0, 0, 0, 0]
        (found,) = model.call(entries["playouts"], [*first, s, b, c, m, 2, plies, counted])
        assert found == 0
        assert [tally.plies, *tally.wins.values()] == counted
        # Nobody asks for the state that plays leave; a single play leaves a position.
        s, b, m, c = [*first[0]], [*first[1]], [0] * len(m), [spread_seed(seed), 1, 0, 0, 0, 0, 0]
        m[0] = written.constants["SETUP"]
        arrays = [make(x) for make, x in zip(kinds(runner), (s, b, c, m), strict=True)]
        (legal,) = model.call(entries["play"], [s, b, c, m, 0])
        assert runner.names["play"](*arrays, 0) == legal
        assert runner.names["rest"](*arrays, legal, plies) == tuple(
            model.call(entries["rest"], [s, b, c, m, legal, plies])
        )
        numbers, words = written.program.state_cells, written.program.state_words
        assert arrays[0].tolist()[:numbers] == s[:numbers]
        assert arrays[1].tolist()[:words] == b[:words]


def kinds(runner: Runner) -> list[Callable[[list[int]], Any]]:
    """The makers of arrays for a state, chance and legal actions in the memory of a runner."""
    numbers, words = runner.instance.numbers, runner.instance.words
    return [numbers, words, words, numbers]
