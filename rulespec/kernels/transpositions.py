"""A transposition table of states: their rows, with a note of the proved bounds of their values.

A state lies in one of a few seats given by its hash. States with the least work are replaced first.
"""

from __future__ import annotations

from .game import GREATEST, KEY_BITS, LEAST, NOTE_SHIFT, ROW, SEAT, VALUE_BITS, restore
from .kit import ONE, ZERO, as_number, as_word, fast, part
from .packed_rows import copy_row, hash_of
from .shapes import Now, Numbers, Transpositions, VastWords, Word, Words

NEAR = 4
"""Number of seats in which a state may lie. A seat holds its row and a note of its bounds and work, in
bits that the row leaves free or in a word of its own."""

UNKNOWN = (1 << 22) - 1
"""The upper bound of a state without known bounds; the lower one is its negation."""
MOST_WORK = (1 << 16) - 1
"""Maximum work in a note, in states expanded."""

MOST_FILTERED = 1 << 22
"""A table with more seats has no filter: it would fit into no cache, and cost more than it saves."""


@part
def note_of(low_bound: int, high_bound: int, work: int) -> int:
    """Pack the bounds and the work of a state into one number; see `low_of`, `high_of`, `work_of`."""
    low_code = min(max(low_bound, LEAST), GREATEST) - LEAST
    high_code = GREATEST - min(max(high_bound, LEAST), GREATEST)
    return (low_code * (1 << VALUE_BITS) + high_code) * (MOST_WORK + 1) + min(work, MOST_WORK)


@part
def low_of(note: int) -> int:
    """The lower bound in a note; unknown if it is the least possible value."""
    code = note // (MOST_WORK + 1) >> VALUE_BITS
    return LEAST + code if code > 0 else -UNKNOWN


@part
def high_of(note: int) -> int:
    """The upper bound in a note; unknown if it is the greatest possible value."""
    code = note // (MOST_WORK + 1) & ((1 << VALUE_BITS) - 1)
    return GREATEST - code if code > 0 else UNKNOWN


@part
def work_of(note: int) -> int:
    """The work in a note."""
    return note & MOST_WORK


@part
def note_in(table: VastWords, at: int) -> int:
    """The note in the seat at a place, 0 if it is free."""
    return as_number(table[at + SEAT - 1] >> as_word(NOTE_SHIFT))


@part
def write_note(table: VastWords, at: int, note: int) -> None:
    """Put a note into the seat that begins at a place."""
    held = table[at + SEAT - 1] & as_word(KEY_BITS) if SEAT == ROW else ZERO
    table[at + SEAT - 1] = held | as_word(note) << as_word(NOTE_SHIFT)


@part
def first_seat(table: VastWords, h: Word) -> int:
    """The place of the first seat for a hash."""
    seats = len(table) // SEAT
    return (as_number(h & as_word(seats - 1)) & ~(NEAR - 1)) * SEAT


@part
def may_have_seat(bloom: Words, h: Word) -> bool:
    """False if no row with this hash has a seat."""
    if len(bloom) == 0:
        return True
    at = as_number(h >> 32) & (64 * len(bloom) - 1)
    return bloom[at >> 6] >> as_word(at & 63) & ONE != ZERO


@part
def noted_in(bloom: Words, h: Word) -> None:
    """Add a hash to the filter."""
    if len(bloom) > 0:
        at = as_number(h >> 32) & (64 * len(bloom) - 1)
        bloom[at >> 6] |= ONE << as_word(at & 63)


@part
def found_at(held: Transpositions, rows: Words, first: int, h: Word) -> int:
    """The place of the seat of a row, given its hash; -1 if it has none."""
    table, bloom = held
    if not may_have_seat(bloom, h):
        return -1
    at = first_seat(table, h)
    for _ in range(NEAR):
        differ = (table[at + ROW - 1] ^ rows[first + ROW - 1]) & as_word(KEY_BITS)
        for i in range(ROW - 1):
            differ |= table[at + i] ^ rows[first + i]
        if differ == ZERO:
            return at
        at += SEAT
    return -1


@part
def take_seat(held: Transpositions, rows: Words, first: int, h: Word, note: int) -> int:
    """Put a new row into a free seat, or in place of the state with the least work.

    Returns 1 if a free seat was used, else 0.
    """
    table, bloom = held
    noted_in(bloom, h)
    at, more = first_seat(table, h), 0
    best = at
    for _ in range(NEAR):
        if note_in(table, at) == 0:
            best, more = at, 1
            break
        if work_of(note_in(table, at)) < work_of(note_in(table, best)):
            best = at
        at += SEAT
    copy_row(table, best, rows, first)
    write_note(table, best, note)
    return more


@fast
def split(held: Transpositions, seats: int, row: Words) -> None:
    """Spread the states of a table of `seats` seats over twice as many; `row` is scratch.

    The filter must be empty.
    """
    table, bloom = held
    for number in range(seats):
        at = number * SEAT
        if note_in(table, at) != 0:
            copy_row(row, 0, table, at)
            row[ROW - 1] &= KEY_BITS
            h = hash_of(row, 0, ZERO)
            noted_in(bloom, h)
            if h & as_word(seats) != ZERO:
                copy_row(table, at + seats * SEAT, row, 0)
                write_note(table, at + seats * SEAT, note_in(table, at))
                write_note(table, at, 0)


@fast
def seats_taken(held: Transpositions, first: int, last: int, found: Numbers) -> int:
    """List the taken seats from `first` to before `last`; return their number."""
    n = 0
    for number in range(first, last):
        if note_in(held[0], number * SEAT) != 0:
            found[n] = number
            n += 1
    return n


@fast
def state_in(held: Transpositions, number: int, now: Now) -> None:
    """Restore the state in a seat."""
    row = now[5]
    copy_row(row, 0, held[0], number * SEAT)
    row[ROW - 1] &= as_word(KEY_BITS)
    restore(row, 0, now[0], now[1])
