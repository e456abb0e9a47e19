"""Samples of a number over random plays with equally likely legal actions."""

from __future__ import annotations

from .game import answer, row_of, step
from .kit import NONE, as_word, choose, fast, mix
from .shapes import Numbers, Play, State
from .starts import set_out

MOST_TOTAL = 1 << 61
"""Limit of the sum over the plies of one play."""
LONG, LARGE = -3, -4
"""Further statuses of a sample: a play has more than `most` plies, or a sum exceeds `MOST_TOTAL`."""


@fast
def sample(
    first: State,
    now: Play,
    begun: int,
    games: int,
    seed: int,
    most: int,
    summed: int,
    asked: int,
    values: Numbers,
) -> int:
    """Write the numbers of `games` plays, from number `begun` on.

    These are answers to questions: those to the first `summed` questions are added up over the plies of a
    play, those to the other `asked` questions are given at its end.
    """
    s, b, c, m = now
    for i in range(games):
        n = set_out(first, now, mix(mix(as_word(seed + 1)) ^ as_word(begun + i)))
        plies, at = 0, i * asked
        for question in range(summed):
            values[at + question] = 0
        while n > 0:
            if plies == most:
                return LONG
            for question in range(summed):
                x = answer(question, s, b)
                total = values[at + question] + (0 if x == NONE else x)
                if total > MOST_TOTAL or total < -MOST_TOTAL:
                    return LARGE
                values[at + question] = total
            plies += 1
            n = step(s, b, c, m, row_of(m, choose(c, n)))
        if n < 0:
            return n
        for question in range(summed, asked):
            x = answer(question, s, b)
            values[at + question] = 0 if x == NONE else x
    return 0
