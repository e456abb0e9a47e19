"""Rows of packed states, one behind the other; `rulespec.code.packed_rows` describes a row."""

from __future__ import annotations

from .game import KEY, MARK, ROW
from .kit import ZERO, mix, part
from .shapes import Word, Words


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
        h = mix(h ^ rows[first + i])
    return h


@part
def same_state(rows: Words, at: int, others: Words, other: int) -> bool:
    """True if two rows are of one state, be it marked as one in which nobody can act, or not yet.

    Where all else is the same, a play that is over and one that goes on differ in how it ended; and no rule
    ends one as it ends if nobody can act. So what differs in the mark alone is the same state.
    """
    if alike(rows, at, others, other):
        return True
    for i in range(ROW):
        if rows[at + i] ^ others[other + i] != MARK[i]:
            return False
    return True


@part
def mark_stuck(rows: Words, at: int) -> None:
    """Mark the state of a row as one in which nobody can act."""
    for i in range(ROW):
        rows[at + i] ^= MARK[i]


@part
def key_of(rows: Words, at: int) -> Word:
    """A hash of the state in a row, the same with the mark and without it."""
    h = ZERO
    for i in range(ROW):
        h = mix(h ^ rows[at + i] & KEY[i])
    return h
