"""Random walks: long random plays, tested at every ply for a condition."""

from __future__ import annotations

from .game import asked, row_of, step
from .kit import FAULT, as_word, choose, fast, mixed
from .playouts import set_out
from .shapes import Numbers, Word, Words

NO_PLAY = 1 << 40
"""Replaces the number of legal actions before a play has begun."""


@fast
def stroll(
    first: Numbers,
    words: Words,
    s: Numbers,
    b: Words,
    c: Words,
    m: Numbers,
    base: Word,
    most: int,
    found: Numbers,
    steps: int,
) -> int:
    """Go on with random plays until one meets the condition (1) or so many steps were made (0).

    found: the number of the play, its plies so far, and the number of its legal actions; NO_PLAY before it
    has begun.
    """
    while steps > 0:
        steps -= 1
        n = found[2]
        if n == NO_PLAY:
            n = set_out(first, words, s, b, c, m, mixed(base ^ mixed(as_word(found[0]))))
            found[1] = 0
        else:
            n = step(s, b, c, m, row_of(m, choose(c, n)))
            found[1] += 1
        found[2] = n
        if n >= 0 and asked(s, b) != 0:
            found[2] = NO_PLAY
            return 1
        if n <= 0 or found[1] >= most:
            found[2] = NO_PLAY
            if n < FAULT:
                return n
            found[0] += 1
    return 0
