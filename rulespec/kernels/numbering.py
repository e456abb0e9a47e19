"""Numbers of actions and observations, as in `core.action_numbers` and `core.observation_layout`."""

from __future__ import annotations

from .game import (
    CHOICE_LISTS,
    CHOICE_PLACE,
    CHOICE_TYPE,
    CHOICE_WAYS,
    CODES,
    FIRST_CHOICE,
    FIRST_NUMBER,
    HIDES,
    PART_CAP,
    PART_KIND,
    PART_MARK,
    PART_PLACE,
    PART_REPEAT,
    PART_STRIDE,
    PART_TYPE,
    PARTS,
    RANKS,
    TYPE_BASE,
    TYPE_BIT,
    TYPE_CODES,
    TYPE_RANKS,
    TYPE_SIZE,
    WIDTH,
    see,
)
from .kit import BIT, NONE, ZERO, part
from .shapes import Numbers, Small, Words

SCALAR, TRUTH, SET, LIST = 0, 1, 2, 3
"""The kinds of parts of an observation."""


@part
def rank_of(of: int, code: int) -> int:
    """The position of the value with a code in its type."""
    at = TYPE_RANKS[of]
    return code - TYPE_BASE[of] if at < 0 else RANKS[at + code - TYPE_BASE[of]]


@part
def code_at(of: int, rank: int) -> int:
    """The code of the value at a position of a type."""
    at = TYPE_CODES[of]
    return rank + TYPE_BASE[of] if at < 0 else CODES[at + rank]


@part
def number_of(m: Numbers, at: int) -> int:
    """The number of the action whose row lies at a place in m."""
    action = m[at]
    number = 0
    for j in range(FIRST_CHOICE[action], FIRST_CHOICE[action + 1]):
        place = at + CHOICE_PLACE[j]
        of = CHOICE_TYPE[j]
        if CHOICE_LISTS[j] == 0:
            number = number * CHOICE_WAYS[j] + rank_of(of, m[place])
        else:
            found, shorter, ways = 0, 0, 1
            for i in range(m[place]):
                found = found * TYPE_SIZE[of] + rank_of(of, m[place + 1 + i])
                shorter += ways
                ways *= TYPE_SIZE[of]
            number = number * CHOICE_WAYS[j] + shorter + found
    return FIRST_NUMBER[action] + number


@part
def put_action(m: Numbers, number: int) -> None:
    """Put the row of the action with a number at the beginning of m."""
    action = 0
    while FIRST_NUMBER[action + 1] <= number:
        action += 1
    for i in range(WIDTH):
        m[i] = 0
    m[0] = action
    left = number - FIRST_NUMBER[action]
    j = FIRST_CHOICE[action + 1] - 1
    while j >= FIRST_CHOICE[action]:
        place, of = CHOICE_PLACE[j], CHOICE_TYPE[j]
        above = left // CHOICE_WAYS[j]
        rank = left - above * CHOICE_WAYS[j]
        if CHOICE_LISTS[j] == 0:
            m[place] = code_at(of, rank)
        else:
            size, ways = 0, 1
            while rank >= ways:
                rank -= ways
                ways *= TYPE_SIZE[of]
                size += 1
            m[place] = size
            for i in range(size - 1, -1, -1):
                before = rank // TYPE_SIZE[of]
                m[place + 1 + i] = code_at(of, rank - before * TYPE_SIZE[of])
                rank = before
        left = above
        j -= 1


@part
def put_observation(s: Numbers, b: Words, viewer: int, seen: Small, first: int) -> None:
    """Write a player's observation from a place on."""
    if HIDES:
        see(s, b, viewer)
    at = first
    for e in range(PARTS):
        shown = True
        if PART_MARK[e] >= 0:
            shown = s[PART_MARK[e]] != 0
            seen[at] = 1 if shown else 0
            at += 1
        place, of, kind = PART_PLACE[e], PART_TYPE[e], PART_KIND[e]
        for _ in range(PART_REPEAT[e]):
            if kind == SET:
                for i in range(TYPE_SIZE[of]):
                    bit = code_at(of, i) - TYPE_BIT[of]
                    held = 0
                    if shown:
                        held = 1 if b[place + (bit >> 6)] & BIT[bit & 63] != ZERO else 0
                    seen[at + i] = held
                at += TYPE_SIZE[of]
            elif kind == LIST:
                size = s[place] if shown else 0
                seen[at] = size
                for i in range(PART_CAP[e]):
                    seen[at + 1 + i] = rank_of(of, s[place + 1 + i]) if i < size else -1
                at += 1 + PART_CAP[e]
            else:
                found = s[place] if shown else NONE
                if found == NONE:
                    seen[at] = 0 if kind == TRUTH else -1
                else:
                    seen[at] = rank_of(of, found)
                at += 1
            place += PART_STRIDE[e]
