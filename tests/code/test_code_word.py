"""A word for all legal actions: its k-th bit is the k-th row, whatever the conditions are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from code_plays import agree
from machine.evaluating import Evaluator

from rulespec.code import Runner, write
from rulespec.code.instance import array_facts
from rulespec.kernels.units import game_unit, module_of
from rulespec.language import load

GAME = """\
rulespec: 1
id: tokens
title: Tokens
summary: Take tokens from a row.
players: 2
rules:
- id: row
  prose: Tokens lie in a row.
  formal: |
    type Token = FIRST..LAST
    state taken: map Token -> Player? = none
    state plies: 0..40 = 0
- id: take
  prose: Take a token.
  action: x in Token
  written: "{x}"
  require:
    there:
      prose: It is there.
      that: CONDITION
  do: |
    taken[x] := if taken[x] is some then none else mover
    plies := plies + 1
- id: over
  prose: It ends after forty plies.
  end: plies = 40
"""
CONDITIONS = {
    "words": "taken[x] != mover",
    "the rules alone": "x mod 2 = 1",
    "no words": "(x * x + plies) mod 3 != 1",
    "now and then": "plies mod 7 < 6 and taken[x] is none",
}


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
@pytest.mark.parametrize(
    ("first", "last", "single"), [(1, 9, True), (-4, 5, True), (1, 10, False), (2, 2, True)]
)
def test_the_kth_bit_is_the_kth_row(
    condition: str, first: int, last: int, single: bool, tmp_path: Path
) -> None:
    path = tmp_path / "tokens.yaml"
    text = GAME.replace("CONDITION", condition).replace("FIRST", str(first)).replace("LAST", str(last))
    path.write_text(text, "utf-8")
    game = load(path)
    written = write(game)
    assert written.rows.single is single
    agree(game, seeds=2, most=9)
    if not single:
        return
    unit = game_unit({**written.tables, **written.functions}, *array_facts(written.program))
    names = "word", "row_of", "listing"
    model = Evaluator(module_of(unit, (), names))
    word, row_of, listing = model.module.entries
    runner, random = Runner(written), Random(1)
    node = runner.start()
    while node.legal > 0:
        s, b = [*node.cells], [*node.words]
        rows, m = [0] * written.rows.first_size, [0] * written.rows.first_size
        (count,) = model.call(listing, [s, b, rows])
        assert count == node.legal
        assert model.call(word, [s, b, m]) == (count,)
        for k in range(count):
            (at,) = model.call(row_of, [m, k])
            assert m[at : at + 2] == rows[2 * k : 2 * k + 2]
        node = runner.play(node, random.randrange(node.legal))
