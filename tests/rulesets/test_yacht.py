"""Yacht: what dice are worth in each box, by hand, and how often five dice fit a box at once."""

from __future__ import annotations

from collections import Counter
from itertools import product

import rulespec
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate

BOXES = (
    "ones", "twos", "threes", "fours", "fives", "sixes", "full-house", "four-alike", "little-straight",
    "big-straight", "choice", "yacht",
)  # fmt: skip
EXPECTED = {"full-house": 300, "four-alike": 156, "little-straight": 120, "big-straight": 120, "yacht": 6}
"""The throws of 7,776 that count: 6 * 5 * 10; 6 * (5 * 5 + 1); 5!; 5!; 6."""


def worth(dice: Counter[int], box: str) -> int:
    """The points of a throw in a box."""
    counts = sorted(dice.values())
    if box in BOXES[:6]:
        face = BOXES.index(box) + 1
        return face * dice[face]
    if box == "four-alike":
        return 4 * next((face for face, count in dice.items() if count >= 4), 0)
    fits = {
        "full-house": (counts == [2, 3], sum(dice.elements())),
        "little-straight": (set(dice) == {1, 2, 3, 4, 5}, 30),
        "big-straight": (set(dice) == {2, 3, 4, 5, 6}, 30),
        "choice": (True, sum(dice.elements())),
        "yacht": (counts == [5], 50),
    }[box]
    return fits[1] if fits[0] else 0


def test_every_throw_is_worth_in_each_box_what_it_is_by_hand() -> None:
    game = rulespec.load("yacht").core
    dice = next(var for name, var in game.state.items() if name == "dice")
    counting = Counter[str]()
    throws = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=5))
    for throw, times in throws.items():
        faces = Counter(throw)
        state = {var: var.initial.value for var in game.state.values() if hasattr(var.initial, "value")}
        context = Context({**state, dice: tuple(faces[face] for face in range(1, 7))})
        for number, box in enumerate(BOXES):
            function = game.functions["worth"]
            found = evaluate(function.body, {function.params[0]: number}, context)
            assert found == worth(faces, box), (throw, box)
            counting[box] += times * (found > 0)
    assert {box: counting[box] for box in EXPECTED} == EXPECTED
