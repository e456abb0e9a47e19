"""Counting sequences of actions (perft), layer by layer, equal positions of a layer as one."""

from __future__ import annotations

from .game import CELLS, KEPT_WORDS, PLACES, SETTLING, WIDTH, play
from .kit import (
    ASKED,
    DRAWS,
    FAULT,
    FIRST,
    FULL,
    GIVEN,
    ONE,
    WHERE,
    ZERO,
    as_number,
    as_word,
    fast,
    mixed,
    part,
)  # fmt: skip
from .shapes import Numbers, Play, Reals, Small, Words
from .starts import copy_action, draw_again

DONE, LATER, ROOM, ASKS, WIDE = 0, 1, -3, -4, -5
"""The statuses of a count: all is followed; so many plies were played; the next layer is full; the host
must say what chance gives; chance is asked more often than is kept count of."""
MOST_DRAWS, PICKS = 1 << 12, 64
"""Of so many draws of a play it is kept what they gave, of each so many picks; in one ply there are at most
as many picks."""

Layer = tuple[Numbers, Words, Words, Numbers]
"""The numbers and words of positions, the draws so far of each, and the number of ways to it."""
Layers = tuple[Layer, Layer, Small]
"""A layer, the next one, and the seats in which positions of that are found."""
Chance = tuple[Numbers, Numbers]
"""Of each pick of each draw out of how many it is, 0 where that is not known yet, and its outcome."""


@part
def take(i: int, layer: Layer, now: Play) -> None:
    """Put a position of a layer back."""
    cells, words, draws, _ = layer
    s, b, c, _ = now
    for k in range(CELLS):
        s[k] = cells[i * CELLS + k]
    for k in range(KEPT_WORDS):
        b[PLACES[k]] = words[i * KEPT_WORDS + k]
    draw_again(c, 0)
    c[DRAWS] = draws[i]


@part
def enter(now: Play, ways: int, layer: Layer, seats: Small, into: Numbers) -> None:
    """Take a position into a layer, which has room for it, or add to the ways of its equal."""
    s, b, c, _ = now
    cells, words, draws, held = layer
    h = mixed(c[DRAWS])
    for k in range(CELLS):
        h = mixed(h ^ as_word(s[k] & 0xFFFFFFFFFF))
    for k in range(KEPT_WORDS):
        h = mixed(h ^ b[PLACES[k]])
    mask = len(seats) - 1
    at = as_number(h >> ONE) & mask
    while seats[at] != 0:
        i = seats[at] - 1
        k = 0
        while k < CELLS and cells[i * CELLS + k] == s[k]:
            k += 1
        if k == CELLS and draws[i] == c[DRAWS]:
            k = 0
            while k < KEPT_WORDS and words[i * KEPT_WORDS + k] == b[PLACES[k]]:
                k += 1
            if k == KEPT_WORDS:
                held[i] += ways
                return
        at = (at + 1) & mask
    i = into[2]
    for k in range(CELLS):
        cells[i * CELLS + k] = s[k]
    for k in range(KEPT_WORDS):
        words[i * KEPT_WORDS + k] = b[PLACES[k]]
    draws[i] = c[DRAWS]
    held[i] = ways
    seats[at] = i + 1
    into[2] = i + 1


@part
def ply(i: int, j: int, layer: Layer, now: Play, held: Numbers, known: Chance, into: Numbers) -> int:
    """Play action j of those in `held` from position i, chance giving what is known of it."""
    (s, b, c, m), (asked, picks) = now, known
    given, draw, first = 0, 0, 0
    while True:
        take(i, layer, now)
        c[GIVEN] = as_word(given)
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
            into[4] = draw - 1
            into[5] = given - first
            into[6] = as_number(c[ASKED])
            return ASKS
        c[FIRST + given] = as_word(picks[at])
        given += 1


@fast
def follow(
    count: int, most: int, last: bool, layers: Layers, now: Play, held: Numbers, known: Chance,
    into: Numbers, total: Reals,
) -> int:  # fmt: skip
    """Follow the positions of a layer from number into[0], there from action into[1], for so many plies.

    into[2]: how many positions the next layer has; into[3] and total[0]: how many sequences were counted.
    """
    (layer, after, seats), (s, b, c, m) = layers, now
    plies = 0
    while into[0] < count:
        i = into[0]
        ways = layer[3][i]
        take(i, layer, now)
        m[0] = SETTLING
        n = play(s, b, c, m, 0)
        if n == FULL:
            return n
        for k in range(n * WIDTH):
            held[k] = m[k]
        while into[1] < n:
            if plies == most:
                return LATER
            if not last and into[2] == len(after[3]):
                return ROOM
            found = ply(i, into[1], layer, now, held, known, into)
            if found < FAULT:
                return found
            plies += 1
            into[1] += 1
            if found > 0:
                into[3] += ways * found
                total[0] += ways * found
                if not last:
                    enter(now, ways, after, seats, into)
        into[0] += 1
        into[1] = 0
    return DONE
