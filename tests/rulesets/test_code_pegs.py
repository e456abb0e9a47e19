"""Code pegs: the answers to guesses are those of a count by hand, and split the codes as published.

Knuth, The computer as Master Mind, Journal of Recreational Mathematics 9 (1976): among the answers to 1122
the most frequent one leaves 256 of the 1,296 codes.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import rulespec

COLOURS = "ABCDEF"


def answer(code: str, guess: str) -> tuple[int, int]:
    """The black and white pegs."""
    black = sum(a == b for a, b in zip(code, guess, strict=True))
    return black, (Counter(code) & Counter(guess)).total() - black


def test_answers_are_those_of_a_count_by_hand() -> None:
    game, rng = rulespec.load("code-pegs"), random.Random(1)
    seen = set()
    for seed in range(40):
        state = game.start(seed=seed)
        code = "".join(COLOURS[colour - 1] for colour in state.values["code"])
        for _ in range(10):
            guess = "".join(rng.choices(COLOURS, k=4))
            state = state.play(guess)
            seen.add(answer(code, guess))
            assert (state.values["black"], state.values["white"]) == answer(code, guess)
            if state.is_over:
                break
    assert len(seen) > 8


def test_two_pairs_leave_as_many_codes_as_published() -> None:
    codes = ["".join(code) for code in product(COLOURS, repeat=4)]
    assert max(Counter(answer(code, "AABB") for code in codes).values()) == 256
    assert {str(action) for action in rulespec.load("code-pegs").start(seed=1).actions()} == set(codes)
