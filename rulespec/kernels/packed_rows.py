"""Rows of packed states, one after the other; `rulespec.code.packed_rows` describes a row."""

from __future__ import annotations

from .game import KEY, MARK, ROW
from .kit import ZERO, mix, part
from .shapes import Word, Words


@part
def alike(rows: Words, at: int, others: Words, other: int) -> bool:
    """True if the rows at two places are equal."""
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
    """A hash of the row at a place; different seeds `h` give different hashes."""
    for i in range(ROW):
        h = mix(h ^ rows[first + i])
    return h


@part
def same_state(rows: Words, at: int, others: Words, other: int) -> bool:
    """True if two rows show one state, apart from the mark that nobody can act.

    A finished and an unfinished play with everything else equal differ in the end, and no rule ends a play in
    the way a play without legal actions ends. So rows that differ in the mark alone show the same state.
    """
    if alike(rows, at, others, other):
        return True
    for i in range(ROW):
        if rows[at + i] ^ others[other + i] != MARK[i]:
            return False
    return True


@part
def mark_stuck(rows: Words, at: int) -> None:
    """Mark a row's state as one in which nobody can act."""
    for i in range(ROW):
        rows[at + i] ^= MARK[i]


@part
def key_of(rows: Words, at: int) -> Word:
    """A hash of the state in a row, independent of the mark."""
    h = ZERO
    for i in range(ROW):
        h = mix(h ^ rows[at + i] & KEY[i])
    return h
