"""States packed into rows of words, one behind the other, and back; the fields of a row are tables of the
game."""

from __future__ import annotations

from .game import (
    CELL_AT,
    CELL_BITS,
    CELL_FIELDS,
    CELL_LOW,
    CELL_ROW,
    CELL_SHIFT,
    CELL_SPAN,
    PLANES,
    ROW,
    SPOT,
    WORD_AT,
    WORD_BITS,
    WORD_FIELDS,
    WORD_ROW,
    WORD_SHIFT,
    WORD_VALUE,
    beside,
)  # fmt: skip
from .kit import BIT, NONE, ONE, ZERO, as_number, as_word, fast, low, mixed, part
from .shapes import Numbers, Word, Words


@part
def alike(rows: Words, at: int, others: Words, other: int) -> bool:
    """True if the rows that begin at two places are the same."""
    for i in range(ROW):
        if rows[at + i] != others[other + i]:
            return False
    return True


@part
def copy_row(to: Words, at: int, rows: Words, first: int) -> None:
    """Copy a row from one place to another."""
    for i in range(ROW):
        to[at + i] = rows[first + i]


@part
def hash_of(rows: Words, first: int, h: Word) -> Word:
    """A hash of the row that begins at a place; other beginnings `h` give other hashes."""
    for i in range(ROW):
        h = mixed(h ^ rows[first + i])
    return h


@fast
def pack(s: Numbers, b: Words, row: Words) -> None:
    """Put a state into a row."""
    for i in range(ROW):
        row[i] = ZERO
    for i in range(CELL_FIELDS):
        x = s[CELL_AT[i]]
        x = CELL_SPAN[i] if x == NONE else x - CELL_LOW[i]
        row[CELL_ROW[i]] |= as_word(x) << CELL_SHIFT[i]
    for i in range(WORD_FIELDS):
        row[WORD_ROW[i]] |= b[WORD_AT[i]] << WORD_SHIFT[i]


@fast
def unpack(rows: Words, at: int, s: Numbers, b: Words) -> None:
    """Put the state of a row among rows back, with the words that are kept beside it."""
    first = at * ROW
    for i in range(CELL_FIELDS):
        x = as_number(rows[first + CELL_ROW[i]] >> CELL_SHIFT[i] & CELL_BITS[i])
        s[CELL_AT[i]] = NONE if x == CELL_SPAN[i] and CELL_BITS[i] != ZERO else x + CELL_LOW[i]
    for i in range(WORD_FIELDS):
        b[WORD_AT[i]] = rows[first + WORD_ROW[i]] >> WORD_SHIFT[i] & WORD_BITS[i]
    beside(s, b)


@fast
def restore(rows: Words, first: int, s: Numbers, b: Words) -> None:
    """Make a state that of the row that begins at a place; of maps that lie in words, where these differ.

    The words that are kept beside the state before must be right.
    """
    for i in range(CELL_FIELDS):
        x = as_number(rows[first + CELL_ROW[i]] >> CELL_SHIFT[i] & CELL_BITS[i])
        s[CELL_AT[i]] = NONE if x == CELL_SPAN[i] and CELL_BITS[i] != ZERO else x + CELL_LOW[i]
    for i in range(WORD_FIELDS):
        held = rows[first + WORD_ROW[i]] >> WORD_SHIFT[i] & WORD_BITS[i]
        if WORD_VALUE[i] != NONE:
            rest = b[WORD_AT[i]] ^ held
            while rest != ZERO:
                spot = SPOT[64 * i + low(rest)]
                if held & BIT[low(rest)] != ZERO:
                    s[spot] = WORD_VALUE[i]
                elif s[spot] == WORD_VALUE[i]:
                    s[spot] = NONE
                rest &= rest - ONE
        b[WORD_AT[i]] = held
    if PLANES == 0:
        beside(s, b)
