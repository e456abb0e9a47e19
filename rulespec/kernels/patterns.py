"""Pattern databases: distances to a goal when most values of one type are merged; see `merging`.

A ply costs 1 if it moves values that the pattern keeps apart, so costs of disjoint patterns add up, unless a
ply moves values of two patterns: then each ply costs 1 (`unit`), and the greatest distance counts (J.
Culberson and J. Schaeffer, Pattern Databases, 1998; R. Korf and A. Felner, Disjoint Pattern Database
Heuristics, 2002).
"""

from __future__ import annotations

from .chance import actions_of, take_action
from .exploration import numbers_below, seat
from .game import ROW, WHOLE, repack
from .kit import fast, part
from .merging import kinds_of, normal, number_at
from .packed_rows import copy_row, key_of
from .shapes import Back, Known, Now, Numbers, VastNumbers, VastSmall, VastWords, Words

KEPT_MOVED, BOTH_MOVED = 2, 6
"""The bits for values that a ply moved: one kept apart; one kept apart and a merged one."""


@part
def moved_kinds(rows: VastWords, i: int, row: Words, at: int, merging: Numbers) -> int:
    """The kinds of the values that differ in place between row i and the row at `at`, as bits."""
    found, kinds = 0, kinds_of(merging)
    for j in range(merging[0]):
        x, y = number_at(rows, i * ROW, merging, j), number_at(row, at, merging, j)
        if x != y:
            found |= 1 << merging[kinds + x] | 1 << merging[kinds + y]
    return found


@fast
def mixes(count: int, rows: VastWords, now: Now, merging: Numbers) -> int:
    """1 if a ply from one of `count` states moves values kept apart and merged ones, else 0."""
    s, b, _, _, _, row, _ = now
    for i in range(count):
        n = actions_of(rows, i, now)
        for k in range(n):
            if take_action(k, 0, now) == 0:
                repack(row, WHOLE, s, b, row)
                if moved_kinds(rows, i, row, 0, merging) & BOTH_MOVED == BOTH_MOVED:
                    return 1
    return 0


@part
def may_be_goal(rows: VastWords, i: int, merging: Numbers) -> bool:
    """True if a normal row may represent a goal state."""
    fits = kinds_of(merging) + 3 * merging[1]
    for j in range(merging[0]):
        if merging[fits + j * merging[1] + number_at(rows, i * ROW, merging, j)] == 0:
            return False
    return True


@part
def label_predecessors(
    i: int, cost: int, unit: int, found: int, rows: VastWords, back: Back, merging: Numbers, row: Words,
    far: VastNumbers, order: VastSmall,
) -> int:  # fmt: skip
    """Label the states from which a ply of a cost leads to state i; return the number of labelled states."""
    into, sources = back
    copy_row(row, 0, rows, i * ROW)
    for k in range(into[i], into[i + 1]):
        source = sources[k]
        if far[source] < 0 and (
            cost == 1 or (unit == 0 and moved_kinds(rows, source, row, 0, merging) & KEPT_MOVED == 0)
        ):
            far[source] = far[i] + cost
            order[found] = source
            found += 1
    return found


@fast
def label(
    count: int, unit: int, rows: VastWords, back: Back, merging: Numbers, row: Words, far: VastNumbers,
    order: VastSmall,
) -> None:  # fmt: skip
    """Label each state with the least cost of a path to a possible goal state, -1 if there is none."""
    first, found = 0, 0
    for i in range(count):
        far[i] = -1
        if may_be_goal(rows, i, merging):
            far[i] = 0
            order[found] = i
            found += 1
    while first < found:
        i = first
        while i < found:
            found = label_predecessors(order[i], 0, unit, found, rows, back, merging, row, far, order)
            i += 1
        last = found
        for i in range(first, last):
            found = label_predecessors(order[i], 1, unit, found, rows, back, merging, row, far, order)
        first = last


@fast
def estimate(
    first: int, last: int, unit: int, states: VastWords, known: Known, merging: Numbers, row: Words,
    far: VastNumbers, notes: VastNumbers,
) -> None:  # fmt: skip
    """Merge the estimates of a table into the notes on states: a number of plies at most, -1 for no path.

    A state missing from the table gets no estimate.
    """
    table, rows, _ = known
    mask = numbers_below(table)
    for i in range(first, last):
        if notes[i - first] < 0:
            continue
        copy_row(row, 0, states, i * ROW)
        normal(row, merging)
        number = seat(table, rows, row, 0, key_of(row, 0), mask)
        if number >= 0:
            x = far[number]
            if x < 0:
                notes[i - first] = -1
            elif unit == 0:
                notes[i - first] += x
            else:
                notes[i - first] = max(x, notes[i - first])
