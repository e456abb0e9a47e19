"""What each construct of formal text means: expressions over a small game and the values they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.evaluate import Context, evaluate
from rulespec.core.types import Value
from rulespec.language import load

GOOD = Path(__file__).parent / "good"

VALUES: dict[str, Value] = {
    "2 + 3 * 4": 14,
    "7 div 2": 3,
    "7 mod 2": 1,
    "(0 - 7) div 2": -4,
    "(0 - 7) mod 2": 1,
    "1 div 0 otherwise 5": 5,
    "min(3, 2)": 2,
    "max(3, 2)": 3,
    "abs(2 - 5)": 3,
    "sum(k * k for k in 1..3)": 14,
    "count(a in 1..3, b in 1..3 where a < b)": 3,
    "size({1, 2, 2})": 2,
    "size({a + b for a in 1..3, b in 1..3})": 5,
    "{1, 2} + {3} - {2}": frozenset({1, 3}),
    "{1, 2} & {2, 3}": frozenset({2}),
    "those k in 1..6 where k mod 2 = 0": frozenset({2, 4, 6}),
    "first k in 1..6 where k > 3": 4,
    "first k in 1..6 where k > 9": None,
    "the k in 1..6 where k > 5": 6,
    "first k in 1..6 with most k mod 4": 3,
    "fold t: 0..99 from 0 over k in 1..4 to min(t + k, 99)": 10,
    "[3, 1, 2][2]": 1,
    "[3, 1, 2][4]": None,
    "[3, 1, 2][2..3]": (1, 2),
    "[k * k for k in 1..3]": (1, 4, 9),
    "let k be 3; k * k": 9,
    "if 1 < 2 then 5 else 6": 5,
    "follow q from 1 to q + 1 while true at most 5 times": 6,
    "follow q from 7 to (q + 1) mod 9 while true at most 500 times": 3,
    "follow q from 7 to q - 1 while q > 3 at most 2 times": 5,
    "follow q from 0 to 0 - q while true at most 40 times": 0,
    "every k in 1..3 satisfies k < 4": True,
    "some k in 1..3 satisfies k > 3": False,
    "no k in 1..3 satisfies k > 3": True,
    "3 in 1..4 and 5 not in {1, 2}": True,
    "none is none": True,
    "{} is empty": True,
    "not true or false": False,
}


def value(formal: str, folder: Path) -> Value:
    """The value of an expression in a game with nothing else in it."""
    text = (GOOD / "frame.yaml").read_text("utf-8")
    path = folder / "game.yaml"
    path.write_text(text.replace("EXPRESSION", formal), "utf-8")
    return evaluate(load(path).functions["asked"].body, {}, Context())


@pytest.mark.parametrize("formal", VALUES)
def test_value(formal: str, tmp_path: Path) -> None:
    assert value(formal, tmp_path) == VALUES[formal]
