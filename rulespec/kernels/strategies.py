"""Breadth-first exploration of the plays in which one player follows a strategy.

States are found as in `exploration`, but in an order that does not depend on how actions are listed: the
successors of a state come in ascending order, each once. A choice is a position among them.
"""

from __future__ import annotations

from .chance import next_picks
from .exploration import (
    ACTION,
    BATCH,
    ENOUGH,
    HELD,
    OUTCOMES,
    OUTS,
    OUTS_FULL,
    PAUSED,
    PLACE,
    WAYS,
    WAYS_FULL,
    absorb,
    store_legal_actions,
    take_with,
)
from .game import KEY, MARK, MAXIMISERS, MOVER_AT, PASSES, ROW
from .kit import fast, part
from .packed_rows import copy_row
from .shapes import Growing, Images, Now, Numbers, Strategy, Words

CHANCE, UNCHOSEN = ENOUGH - 1, ENOUGH - 2
"""Further statuses: an action has chance in it; a choice exceeds the successors of its state."""
SIDE, CHOSEN = 0, 1
"""The settings of a strategy: 1 if player 1 follows it, else -1; number of choices made."""


@part
def is_marked(rows: Words, at: int) -> bool:
    """True if the state of a row is marked as one in which nobody can act."""
    for i in range(ROW):
        if rows[at + i] & ~KEY[i] != MARK[i]:
            return False
    return True


@part
def precedes(rows: Words, at: int, others: Words, other: int) -> bool:
    """True if a row is less than another, ignoring the mark that nobody can act."""
    unmark = PASSES and is_marked(rows, at)
    unmark_other = PASSES and is_marked(others, other)
    for i in range(ROW):
        x, y = rows[at + i], others[other + i]
        if unmark:
            x ^= MARK[i]
        if unmark_other:
            y ^= MARK[i]
        if x != y:
            return x < y
    return False


@part
def sorted_successors(actions: int, now: Now, images: Images, after: Words) -> int:
    """Write the successors of the kept state to `after`, ascending, each once; return their number, or a
    status."""
    _, _, c, _, _, row, radix = now
    count = 0
    for k in range(actions):
        given = take_with(k, 0, now, images)
        if given < 0:
            return given
        if next_picks(c, radix, given) != 0:
            return CHANCE
        at = count
        while at > 0 and precedes(row, 0, after, (at - 1) * ROW):
            at -= 1
        if at == 0 or precedes(after, (at - 1) * ROW, row, 0):
            for i in range(count * ROW - 1, at * ROW - 1, -1):
                after[i + ROW] = after[i]
            copy_row(after, at * ROW, row, 0)
            count += 1
    return count


@fast
def expand_strategy(
    last: int, most: int, strategy: Strategy, after: Words, growing: Growing, into: Numbers
) -> int:
    """Expand states like `exploration.expand`, but only the chosen successor if the strategy's player acts.

    Choices are used one by one, in the order in which states are expanded. Ways must be kept.
    """
    known, _, edges, _, _ = growing
    status = absorb(known, growing[4], into, edges[2])
    if status == 0:
        status = follow_strategy(last, most, strategy, after, growing, into)
        held = absorb(known, growing[4], into, edges[2])
        if held < 0:
            return held
    return status


@part
def follow_strategy(
    last: int, most: int, strategy: Strategy, after: Words, growing: Growing, into: Numbers
) -> int:
    """Like `expand_strategy`, but the last successors stay in the batch."""
    known, now, edges, images, batch = growing
    choices, plan = strategy
    rows, (firsts, ways, outs, _) = known[1], edges
    pause = into[PLACE] + into[OUTCOMES] + most
    while into[PLACE] < last:
        if into[PLACE] + into[OUTCOMES] >= pause:
            return PAUSED
        i = into[PLACE]
        n = store_legal_actions(rows, i, now)
        if n < 0:
            return n
        own = n > 0 and ((MAXIMISERS >> now[0][MOVER_AT]) & 1 == 1) == (plan[SIDE] == 1)
        n = sorted_successors(n, now, images, after)
        if n < 0:
            return n
        first = 0
        if own:
            if plan[CHOSEN] == len(choices):
                return UNCHOSEN
            first = choices[plan[CHOSEN]]
            if first < 0 or first >= n:
                return UNCHOSEN
            n = first + 1
        if into[ACTION] == 0:
            firsts[i] = into[WAYS]
        while first + into[ACTION] < n:
            if into[HELD] == BATCH:
                status = absorb(known, batch, into, outs)
                if status < 0:
                    return status
            if into[WAYS] + 1 >= len(ways):
                return WAYS_FULL
            if into[OUTS] == len(outs):
                return OUTS_FULL
            ways[into[WAYS]] = into[OUTS]
            copy_row(batch[0], into[HELD] * ROW, after, (first + into[ACTION]) * ROW)
            batch[2][into[HELD]] = i
            into[WAYS] += 1
            into[OUTS] += 1
            into[HELD] += 1
            into[OUTCOMES] += 1
            into[ACTION] += 1
        if own:
            plan[CHOSEN] += 1
        into[PLACE] += 1
        into[ACTION] = 0
    return 0
