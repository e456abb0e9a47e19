"""Joined words are what bit by bit operations give, whatever of them is constant."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_, or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.machine import form as f
from rulespec.machine.builder import FULL, combine
from rulespec.machine.constant_evaluation import NotConstant, evaluate_expression
from rulespec.machine.traversal import nodes_of

Bitwise = Callable[[int, int], int]
NAMES = "xy"
WORDS = st.integers(0, FULL)


def moved(e: f.Expr, distance: int, op: str = ">>") -> f.Expr:
    """A word moved by some bits."""
    return f.Binary(f.WORD, op, e, f.Const(f.NUMBER, distance)) if distance else e


@st.composite
def parts(draw: st.DrawFn) -> f.Expr:
    """A constant, or a variable, moved and cut maybe."""
    if draw(st.integers(0, 5)) == 0:
        return f.Const(f.WORD, draw(WORDS))
    step = draw(st.sampled_from((1, 5, 6, 7)))
    op = draw(st.sampled_from((">>", ">>", ">>", "<<")))
    e = moved(f.Local(f.WORD, draw(st.sampled_from(NAMES))), step * draw(st.integers(0, 6)), op)
    if draw(st.booleans()):
        e = f.Binary(f.WORD, "&", e, f.Const(f.WORD, draw(WORDS)))
    return e


@pytest.mark.parametrize(("op", "does"), [("&", and_), ("|", or_)])
@given(words=st.lists(parts(), min_size=1, max_size=8), x=WORDS, y=WORDS)
def test_words_are_joined_bit_by_bit(op: str, does: Bitwise, words: list[f.Expr], x: int, y: int) -> None:
    held = {"x": [x], "y": [y]}
    expected = reduce(does, [word for e in words for word in evaluate_expression(e, held)])
    made = combine(op, words)
    assert evaluate_expression(made, held) == [expected]


def test_masks_become_one() -> None:
    of = f.Local(f.WORD, "x")
    words = [f.Binary(f.WORD, "&", moved(of, i), f.Const(f.WORD, 0xFF << i)) for i in (0, 2, 3)]
    made = combine("&", words)
    assert [e.value for e in nodes_of(made) if isinstance(e, f.Const) and e.type is f.WORD] == [0xF8]


def test_what_only_the_machine_works_out_is_open() -> None:
    load = f.Load(f.WORD, f.Local(f.WORDS, "b"), f.Const(f.NUMBER, 0))
    for e in (load, f.Call(f.WORD, "g", ()), f.Const(f.REAL, 1.5), f.Local(f.WORD, "x")):
        with pytest.raises((NotConstant, KeyError)):
            evaluate_expression(e, {})
