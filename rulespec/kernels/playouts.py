"""The beginning of a random play, for the kernels that play many."""

from __future__ import annotations

from .game import SETTING_UP, step
from .kit import ASKED, GIVEN, ONE, RANDOM, STATE, USED, ZERO, part
from .shapes import Numbers, Word, Words


@part
def set_out(first: Numbers, words: Words, s: Numbers, b: Words, c: Words, m: Numbers, state: Word) -> int:
    """Set up, with a generator in a state that is this play's own; the legal actions then, as `step` does."""
    for i in range(len(first)):
        s[i] = first[i]
    for i in range(len(words)):
        b[i] = words[i]
    c[STATE] = state | ONE
    c[RANDOM] = ONE
    c[GIVEN] = ZERO
    c[USED] = ZERO
    c[ASKED] = ZERO
    m[0] = SETTING_UP
    return step(s, b, c, m, 0)
