"""Batches of random games, with a row of numbers for each game."""

from __future__ import annotations

from .game import (
    ACTIONS,
    ENDED_AT,
    FIRST_PLAYER,
    LAST_PLAYER,
    OVER_AT,
    SCORED,
    row_of,
    score,
    step,
    winners,
)
from .kit import BIT, FAULT, FULL, ZERO, as_word, choose, fast, mix
from .shapes import Numbers, Play, State, Word
from .starts import set_out

HEAD = 3
"""Head of a row: the plies of a game, its end (or `FAULTED`, or 0), and the winners as bits.

Then, for each action, the number of times that it was taken; then the score of each player, if there are
scores.
"""
FAULTED = -1


@fast
def batch(first: State, now: Play, base: Word, number: int, games: int, most: int, rows: Numbers) -> int:
    """Play `games` games, numbered from `number`; `FULL` if the buffer m is too small for the legal actions.

    Each game has its own source of chance, derived from `base` and its number.
    """
    s, b, c, m = now
    players = LAST_PLAYER - FIRST_PLAYER + 1
    width = HEAD + ACTIONS + (players if SCORED else 0)
    for game in range(games):
        at = game * width
        for i in range(at, at + width):
            rows[i] = 0
        n = set_out(first, now, mix(base ^ mix(as_word(number + game))))
        plies = 0
        while n > 0 and plies < most:
            k = row_of(m, choose(c, n))
            rows[at + HEAD + m[k]] += 1
            n = step(s, b, c, m, k)
            plies += 1
        rows[at] = plies
        if n == FULL:
            return n
        if n == FAULT:
            rows[at + 1] = FAULTED
        elif s[OVER_AT] != 0:
            rows[at + 1] = s[ENDED_AT]
            won = winners(s, b)
            for player in range(FIRST_PLAYER, LAST_PLAYER + 1):
                if won & BIT[player] != ZERO:
                    rows[at + 2] += 1 << player
                if SCORED:
                    rows[at + HEAD + ACTIONS - FIRST_PLAYER + player] = score(s, b, player)
    return 0
