"""Counting sequences of actions (perft), layer by layer, with equal positions of a layer merged."""

from __future__ import annotations

from .game import ROW, go_back, keep_state, listing, pack, play, unpack
from .kit import ASKED, DRAWS, FAULT, FIRST, ONE, WHERE, ZERO, as_number, as_word, fast, part
from .packed_rows import alike, copy_row, hash_of
from .shapes import Numbers, Play, Reals, Small, Word, Words
from .starts import copy_action, draw_again

DONE, LATER, ROOM, ASKS, WIDE = 0, 1, -3, -4, -5
"""Statuses of a count: all done; the limit of plies was reached; the next layer is full; the host must
provide an outcome of chance; there are more draws or picks than are recorded."""
MOST_DRAWS, PICKS = 1 << 12, 64
"""Maximum number of draws in a play whose picks are recorded, and of picks in each; the latter also limits
the picks in one ply."""
PLACE, ACTION, HELD, COUNTED, DRAW, PICK, AMONG = range(7)
"""The places of `into`: the current position of a layer, and its next action; number of positions of the
next layer; number of sequences counted; the question to the host: which pick of which draw, out of how
many."""

Layer = tuple[Words, Words, Numbers]
"""Rows of positions, their numbers of draws so far, and the number of ways to each."""
Layers = tuple[Layer, Layer, Small]
"""A layer, the next one, and the hash table of the next one."""
Chance = tuple[Numbers, Numbers]
"""For each pick of each draw, its number of outcomes (0 if not known yet) and its outcome."""


@fast
def enter(now: Play, row: Words, ways: int, layer: Layer, seats: Small, into: Numbers) -> None:
    """Add a position to a layer with room, or add its number of ways to that of an equal position."""
    s, b, c, _ = now
    rows, draws, held = layer
    pack(s, b, row)
    mask = len(seats) - 1
    at = as_number(hash_of(row, 0, c[DRAWS]) >> ONE) & mask
    while seats[at] != 0:
        i = seats[at] - 1
        if draws[i] == c[DRAWS] and alike(rows, i * ROW, row, 0):
            held[i] += ways
            return
        at = (at + 1) & mask
    i = into[HELD]
    copy_row(rows, i * ROW, row, 0)
    draws[i] = c[DRAWS]
    held[i] = ways
    seats[at] = i + 1
    into[HELD] = i + 1


@part
def ply(j: int, draws: Word, now: Play, held: Numbers, known: Chance, into: Numbers) -> int:
    """Play action j in `held` from the kept position, with the known outcomes of chance."""
    (s, b, c, m), (asked, picks) = now, known
    given, draw, first = 0, 0, 0
    while True:
        go_back(s, b)
        draw_again(c, given)
        c[DRAWS] = draws
        copy_action(m, 0, held, j)
        n = play(s, b, c, m, 0)
        if c[ASKED] == ZERO:
            return n
        if as_number(c[WHERE]) != draw:
            draw = as_number(c[WHERE])
            first = given
        if draw > MOST_DRAWS or given == PICKS:
            return WIDE
        at = (draw - 1) * PICKS + given - first
        if asked[at] != as_number(c[ASKED]):
            into[DRAW] = draw - 1
            into[PICK] = given - first
            into[AMONG] = as_number(c[ASKED])
            return ASKS
        c[FIRST + given] = as_word(picks[at])
        given += 1


@fast
def follow(
    count: int, most: int, last: bool, layers: Layers, now: Play, row: Words, held: Numbers, known: Chance,
    into: Numbers, total: Reals,
) -> int:  # fmt: skip
    """Continue from the positions of a layer, from the place in `into`, for at most `most` plies.

    total[0] is the number of sequences counted, as a real number.
    """
    ((rows, draws, ways), after, seats), (s, b, _, _) = layers, now
    plies = 0
    while into[PLACE] < count:
        i = into[PLACE]
        unpack(rows, i * ROW, s, b)
        keep_state(s, b)
        n = listing(s, b, held)
        if n < 0:
            return n
        while into[ACTION] < n:
            if plies == most:
                return LATER
            if not last and into[HELD] == len(after[2]):
                return ROOM
            found = ply(into[ACTION], draws[i], now, held, known, into)
            if found < FAULT:
                return found
            plies += 1
            into[ACTION] += 1
            if found > 0:
                into[COUNTED] += ways[i] * found
                total[0] += ways[i] * found
                if not last:
                    enter(now, row, ways[i], after, seats, into)
        into[PLACE] += 1
        into[ACTION] = 0
    return DONE
