"""Playing actions on packed states, and enumerating the outcomes of chance.

Picks determine chance. If a pick is missing, all its outcomes follow; the denominator of the probability of
an outcome is the product of the numbers of possible outcomes.
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
"""Maximum number of picks in one draw."""
MOST_OUTCOMES = 1 << 22
"""Maximum number of outcomes of one draw."""
MOST_ODDS = 1 << 62
"""Greatest denominator of a probability."""
WIDE, DEEP = -4, -5
"""Statuses: a draw has more than `MOST_OUTCOMES` outcomes; a draw needs more than `MOST_PICKS` picks."""


@part
def add_missing_pick(c: Words, radix: Numbers, given: int) -> int:
    """Append the missing pick; return the number of picks then, or an error status if there is no room.

    `radix` has the number of outcomes of each pick, and `MOST_PICKS` places further the draw it belongs to.
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
    """The denominator of the probability of the picks; 0 if it is too large for a number."""
    odds = 1
    for j in range(given):
        if odds > MOST_ODDS // radix[j]:
            return 0
        odds *= radix[j]
    return odds


@part
def next_picks(c: Words, radix: Numbers, given: int) -> int:
    """Advance to the next combination of picks; return the number of fixed picks, 0 after the last
    combination."""
    while given > 0 and as_number(c[FIRST - 1 + given]) + 1 == radix[given - 1]:
        given -= 1
    if given > 0:
        c[FIRST - 1 + given] += ONE
    return given


@part
def put_back(rows: VastWords, number: int, now: Now) -> None:
    """Unpack a state among rows, and keep its row after that of `now`."""
    copy_row(now[5], WHOLE, rows, number * ROW)
    unpack(now[5], WHOLE, now[0], now[1])


@part
def actions_of(rows: VastWords, number: int, now: Now) -> int:
    """List and store the legal actions of the state in a row; return their number, or an error status."""
    s, b, _, _, kept, _, _ = now
    put_back(rows, number, now)
    if s[OVER_AT] != 0 or s[FAULT_AT] != 0:
        return 0
    keep_state(s, b)
    return listing(s, b, kept)


@part
def take_action(k: int, given: int, now: Now) -> int:
    """Play stored action k in the stored state, chance replaying `given` picks; returns like `actions_of`.

    Does not test whether the next player can act, unless players pass; see `settle`. If the action faults,
    the state is the one before, marked as faulted. The result is void if a pick was missing.
    """
    s, b, c, m, kept, _, _ = now
    if k > 0 or given > 0:  # else no action changed the state since it was kept
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
    """Mark the play as over if the mover cannot act.

    Returns the number of legal actions, 0 if the play is over or players pass, or a negative error status.
    """
    if PASSES or s[OVER_AT] != 0 or s[FAULT_AT] != 0:
        return 0
    n = listing(s, b, m)
    if n == 0:
        s[OVER_AT] = 1
        s[ENDED_AT] = STUCK
    return n
