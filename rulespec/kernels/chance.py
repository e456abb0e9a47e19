"""Taking actions on packed states, and going through the outcomes of chance.

Chance is answered by picks that are given one by one. Where a pick is missing, all that can come up there
follow, each with the product of the numbers of outcomes as the denominator of its probability.
"""

from __future__ import annotations

from .game import (
    CHANCY,
    ENDED_AT,
    FAULT_AT,
    OVER_AT,
    PASSES,
    ROW,
    STUCK,
    WHOLE,
    WIDTH,
    act,
    go_back,
    keep_state,
    listing,
    play,
    unpack,
)
from .kit import ASKED, FAULT, FIRST, ONE, WHERE, ZERO, as_number, part
from .packed_rows import copy_row
from .shapes import Now, Numbers, VastWords, Words
from .starts import copy_action, draw_again

MOST_PICKS = 512
"""The most picks of one draw."""
MOST_OUTCOMES = 1 << 22
"""The most outcomes of one draw."""
MOST_ODDS = 1 << 62
"""The greatest denominator of a probability."""
WIDE, DEEP = -4, -5
"""Statuses: a draw has more than `MOST_OUTCOMES` outcomes; a draw takes more than `MOST_PICKS` picks."""


@part
def add_missing_pick(c: Words, radix: Numbers, given: int) -> int:
    """Add the pick that was asked for to so many others; how many there are then, or why it is one too many.

    Of each pick `radix` has its number of outcomes, and `MOST_PICKS` places further the draw that it is of.
    """
    if given == MOST_PICKS:
        return DEEP
    draw, wide, first = as_number(c[WHERE]), as_number(c[ASKED]), given
    radix[given], radix[MOST_PICKS + given] = wide, draw
    c[FIRST + given] = ZERO
    while first > 0 and radix[MOST_PICKS + first - 1] == draw:
        first -= 1
        wide *= radix[first]
        if wide > MOST_OUTCOMES:
            return WIDE
    return given + 1 if wide <= MOST_OUTCOMES else WIDE


@part
def odds_of(radix: Numbers, given: int) -> int:
    """The denominator of the probability of so many picks; 0 if it is too large for a number."""
    odds = 1
    for j in range(given):
        if odds > MOST_ODDS // radix[j]:
            return 0
        odds *= radix[j]
    return odds


@part
def next_picks(c: Words, radix: Numbers, given: int) -> int:
    """Advance to the next picks; the number of picks that it fixes, 0 after the last."""
    while given > 0 and as_number(c[FIRST - 1 + given]) + 1 == radix[given - 1]:
        given -= 1
    if given > 0:
        c[FIRST - 1 + given] += ONE
    return given


@part
def put_back(rows: VastWords, number: int, now: Now) -> None:
    """Put the state of a row among rows back; its row is kept behind that of `now`."""
    copy_row(now[5], WHOLE, rows, number * ROW)
    unpack(now[5], WHOLE, now[0], now[1])


@part
def actions_of(rows: VastWords, number: int, now: Now) -> int:
    """Store the legal actions of the state in a row, and keep it; their number, or a negative status."""
    s, b, _, _, kept, _, _ = now
    put_back(rows, number, now)
    if s[OVER_AT] != 0 or s[FAULT_AT] != 0:
        return 0
    keep_state(s, b)
    return listing(s, b, kept)


@part
def take_action(k: int, given: int, now: Now) -> int:
    """Take stored action k in the state that is kept, chance replaying so many picks; negative without room.

    Whether the next player can act is not looked at, unless players pass; see `settle`. If the action faults,
    the state is the one before, marked as faulted. Nothing counts if a pick was asked for.
    """
    s, b, c, m, kept, _, _ = now
    go_back(s, b)
    if CHANCY:
        draw_again(c, given)
    if PASSES:
        copy_action(m, 0, kept, k)
        ended = min(0, play(s, b, c, m, 0))
    else:
        ended = act(s, b, c, kept, k * WIDTH)
    if ended == FAULT:
        go_back(s, b)
        s[FAULT_AT] = 1
        ended = 0
    if ended > 0:
        s[OVER_AT] = 1
        s[ENDED_AT] = ended
    return min(0, ended)


@part
def settle(s: Numbers, b: Words, m: Numbers) -> int:
    """End a play that nobody can go on with; how many legal actions there are, or a negative status."""
    if PASSES or s[OVER_AT] != 0 or s[FAULT_AT] != 0:
        return 0
    n = listing(s, b, m)
    if n == 0:
        s[OVER_AT] = 1
        s[ENDED_AT] = STUCK
    return n
