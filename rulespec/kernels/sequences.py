"""Counting sequences of actions (perft), layer by layer, equal positions of a layer as one."""

from __future__ import annotations

from .game import ROW, go_back, keep_state, listing, pack, play, unpack
from .kit import ASKED, DRAWS, FAULT, FIRST, ONE, WHERE, ZERO, as_number, as_word, fast, part
from .packed_rows import alike, copy_row, hash_of
from .shapes import Numbers, Play, Reals, Small, Word, Words
from .starts import copy_action, draw_again

DONE, LATER, ROOM, ASKS, WIDE = 0, 1, -3, -4, -5
"""The statuses of a count: all is followed; so many plies were played; the next layer is full; the host
must say what chance gives; chance is asked more often than is kept count of."""
MOST_DRAWS, PICKS = 1 << 12, 64
"""Of so many draws of a play it is kept what they gave, of each so many picks; in one ply there are at most
as many picks."""
PLACE, ACTION, HELD, COUNTED, DRAW, PICK, AMONG = range(7)
"""The places of `into`: the position of a layer that is followed, and its next action; how many positions the
next layer has; how many sequences were counted; what the host is asked: which pick of which draw, out of how
many."""

Layer = tuple[Words, Words, Numbers]
"""The rows of positions, the draws so far of each, and the number of ways to it."""
Layers = tuple[Layer, Layer, Small]
"""A layer, the next one, and the seats in which positions of that are found."""
Chance = tuple[Numbers, Numbers]
"""Of each pick of each draw out of how many it is, 0 where that is not known yet, and its outcome."""


@fast
def enter(now: Play, row: Words, ways: int, layer: Layer, seats: Small, into: Numbers) -> None:
    """Take a position into a layer, which has room for it, or add to the ways of its equal."""
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
    """Play action j of those in `held` from the position that is kept, chance giving what is known of it."""
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
    """Follow the positions of a layer, for so many plies, from where `into` says.

    total[0]: how many sequences were counted, as a real number.
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
