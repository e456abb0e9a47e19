"""Two words of rows of tables are united at once, and each variable has its own."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from rulespec.machine import form as f
from rulespec.machine.traversal import nodes_of
from rulespec.machine.webassembly.vectorisation import rows_to_pair

from .evaluating import Evaluator
from .running import Run, translated

ROWS = [Random(1).getrandbits(64) for _ in range(96)]
TEXT = """
    ROWS = masks({rows})
    OTHER = masks({rows})

    def united(b: Words, s: Numbers, i: int, j: int, k: int) -> int:
        i += 0
        first = ROWS[i] | ROWS[j + 32] | ROWS[k + 64]
        second = {second}
        third = ROWS[i + 2] | ROWS[j + 34] | ROWS[k + 66]
        s[0] = as_number(first)
        s[1] = as_number(second)
        s[2] = as_number(third)
        return 0
"""
PAIRED = {
    "the words next to them": "ROWS[i + 1] | ROWS[j + 33] | ROWS[k + 65]",
}
APART = {
    "one from further on": "ROWS[i + 1] | ROWS[j + 33] | ROWS[k + 66]",
    "one before": "ROWS[i + 1] | ROWS[j + 31] | ROWS[k + 65]",
    "by another place": "ROWS[i + 1] | ROWS[i + 33] | ROWS[k + 65]",
    "of another table": "ROWS[i + 1] | OTHER[j + 33] | ROWS[k + 65]",
    "in another order": "ROWS[j + 33] | ROWS[i + 1] | ROWS[k + 65]",
    "fewer": "ROWS[i + 1] | ROWS[j + 33]",
    "with something else": "ROWS[i + 1] | ROWS[j + 33] | ROWS[k + 65] & first",
    "another operation": "ROWS[i + 1] & ROWS[j + 33] & ROWS[k + 65]",
}


def pairs_of(module: f.Module) -> int:
    body = [x for x in nodes_of(module.functions["united"].body) if isinstance(x, f.Set)]
    found = [rows_to_pair(one, after, module.tables) for one, after in pairwise(body)]
    return sum(x is not None for x in found)


@pytest.mark.parametrize("second", [*PAIRED.values(), *APART.values()], ids=[*PAIRED, *APART])
def test_each_variable_has_its_words(second: str) -> None:
    module = translated(TEXT.format(rows=ROWS, second=second))
    if second in APART.values():
        assert pairs_of(module) == 0
    else:
        assert pairs_of(module) == 2  # the second and the third could go together as well
    run, model = Run(module), Evaluator(module)
    b, s = run.array(f.WORDS, [0] * 4), run.array(f.NUMBERS, [0] * 3)
    for i, j, k in [(0, 0, 0), (5, 9, 14), (29, 1, 28)]:
        held = [0, 0, 0]
        run.united(b, s, i, j, k)
        model.call("united", [[0] * 4, held, i, j, k])
        assert list(s) == held


def test_a_place_that_changes_is_asked_again() -> None:
    """The first variable is the place of the second one's words."""
    place, rows = f.Local(f.NUMBER, "at"), f.Static(f.WORDS, "rows")
    words = [f.Load(f.WORD, rows, f.Binary(f.NUMBER, "+", place, f.Const(f.NUMBER, i))) for i in range(6)]
    one, other = (
        f.Binary(f.WORD, "|", f.Binary(f.WORD, "|", a, b), c) for a, b, c in (words[::2], words[1::2])
    )
    assert rows_to_pair(f.Set("found", one), f.Set("more", other), {"rows"}) == words[::2]
    assert rows_to_pair(f.Set("at", one), f.Set("more", other), {"rows"}) is None
    assert rows_to_pair(f.Set("found", one), f.Set("more", other), set()) is None
