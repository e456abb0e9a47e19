"""Rows in which some values of a type are merged: of rows equal up to an exchange of these, one is normal.

A merging is one run of numbers; an empty one merges nothing. It consists of the number of places of a row
that hold a value of the type, and the number of values; for each place its word, shift and mask; for each
value its kind; the merged values in order; room for as many; then for each place and value 1 if it is allowed
at a goal, else 0.
"""

from __future__ import annotations

from .kit import as_number, as_word, part
from .shapes import Numbers, Words

OTHER, KEPT, MERGED = 0, 1, 2
"""The kinds of a value: not exchangeable, kept apart, merged."""
HEAD = 2
"""The places of a merging come after this many numbers."""


@part
def kinds_of(merging: Numbers) -> int:
    """Where the kinds begin."""
    return HEAD + 3 * merging[0]


@part
def number_at(row: Words, at: int, merging: Numbers, i: int) -> int:
    """The number at place i of the row that begins at `at`."""
    k = HEAD + 3 * i
    return as_number(row[at + merging[k]] >> as_word(merging[k + 1]) & as_word(merging[k + 2]))


@part
def normal(row: Words, merging: Numbers) -> None:
    """Exchange merged values so that they first occur in their order."""
    numbers, kinds, given = merging[1], kinds_of(merging), 0
    order, place = kinds + numbers, kinds + 2 * numbers
    for x in range(numbers):
        merging[place + x] = -1
    for i in range(merging[0]):
        x = number_at(row, 0, merging, i)
        if merging[kinds + x] == MERGED:
            if merging[place + x] < 0:
                merging[place + x] = merging[order + given]
                given += 1
            row[merging[HEAD + 3 * i]] ^= as_word(x ^ merging[place + x]) << as_word(
                merging[HEAD + 1 + 3 * i]
            )
