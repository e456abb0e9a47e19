"""Best-first search from one start: A* (P. Hart, N. Nilsson and B. Raphael, 1968), weighted if that is asked.

States are followed in the order of their depth and a multiple of the estimate of what is left, those with
the same sum the latest first. With the weight 1 and an estimate that is never too high, the first goal that
is met is a nearest one, and none is nearer than any sum that was come to: a state that is found again by a
shorter way is followed again.

    nodes    a table of places; the rows; of each state the one before, the depth, the estimate, and the depth
             plus one at which it was followed (0: it was not)
    queue    for each sum the last entry, of each entry the one before (numbers from 1) and its state
"""

from __future__ import annotations

from .chance import actions_of, take_action
from .exploration import DONE, PAUSED, ROOM, seat
from .game import ROW, answer
from .kit import FAULT, fast, part
from .packed_rows import alike, copy_row, pack, unpack
from .patterns import FAR, estimate
from .shapes import Numbers, Play, Small, Tables, Terms, Words

Nodes = tuple[Small, Words, Small, Small, Small, Small]
"""See above."""
Queue = tuple[Small, Small, Small]
"""See above."""

MET, DEEP = -20, -21
"""Statuses beside those of exploration: a goal was met; a sum has no place."""
COUNT, ENTRIES, SUM, AT, GOAL, OVER = range(6)
"""The places of `into`: how many states and entries there are, the sum that was come to, the state at the
goal; the questions whether a state is at the goal, and whether play is over there."""


@part
def push(number: int, weight: int, nodes: Nodes, queue: Queue, into: Numbers) -> int:
    """Let a state wait for its turn; the next sum to come to, or DEEP."""
    lasts, befores, states = queue
    total = nodes[3][number] + weight * nodes[4][number]
    if total >= len(lasts):
        return DEEP
    entry = into[ENTRIES]
    befores[entry], states[entry] = lasts[total], number
    into[ENTRIES] = entry + 1
    lasts[total] = entry + 1
    return total


@part
def reach(
    parent: int, depth: int, row: Words, weight: int, nodes: Nodes, queue: Queue, known: Tables, terms: Terms,
    into: Numbers,
) -> int:  # fmt: skip
    """Take in the state of a row that was reached at a depth; see `push`. FAR where it is not worth while.

    The row is scratch afterwards.
    """
    table, rows, parents, depths, lefts, _ = nodes
    number = seat(table, rows, row, 0)
    if number >= 0:
        if depths[number] <= depth:
            return FAR
    else:
        place, number = -1 - number, into[COUNT]
        copy_row(rows, number * ROW, row, 0)
        left = estimate(rows, number, row, known, terms)
        if left >= FAR:
            return FAR
        lefts[number] = left
        table[place] = number + 1
        into[COUNT] = number + 1
    parents[number], depths[number] = parent, depth
    return push(number, weight, nodes, queue, into)


@fast
def search(
    weight: int, most: int, now: Play, kept: Numbers, row: Words, nodes: Nodes, queue: Queue, known: Tables,
    terms: Terms, into: Numbers,
) -> int:  # fmt: skip
    """Follow at most so many states; if there are none yet, begin with that in `row`.

    DONE where there are no more; after ROOM and statuses of plies the next call goes on at the same state.
    """
    s, b, c, m = now
    rows, depths, lefts, followed = nodes[1], nodes[3], nodes[4], nodes[5]
    lasts, befores, states = queue
    if into[COUNT] == 0:
        total = reach(-1, 0, row, weight, nodes, queue, known, terms, into)
        if total < 0:
            return total
    while into[SUM] < len(lasts):
        entry = lasts[into[SUM]]
        if entry == 0:
            into[SUM] += 1
            continue
        i = states[entry - 1]
        if followed[i] == depths[i] + 1:
            lasts[into[SUM]] = befores[entry - 1]
            continue
        if most == 0:
            return PAUSED
        most -= 1
        unpack(rows, i, s, b)
        if lefts[i] == 0 and answer(into[GOAL], s, b) != 0:
            into[AT] = i
            return MET
        over = answer(into[OVER], s, b)
        n = actions_of(rows, i, s, b, m, kept)
        if n < 0:
            return n
        if into[COUNT] + n > len(depths) or into[ENTRIES] + n > len(states):
            return ROOM
        lasts[into[SUM]] = befores[entry - 1]
        if over != 0:
            n = 0
        for k in range(n):
            found = take_action(rows, i, k, 0, s, b, c, m, kept)
            if found < FAULT:
                lasts[into[SUM]] = entry
                return found
            if found == FAULT:
                continue
            pack(s, b, row)
            total = reach(i, depths[i] + 1, row, weight, nodes, queue, known, terms, into)
            if total < 0:
                return total
            into[SUM] = min(into[SUM], total)
        followed[i] = depths[i] + 1
    return DONE


@fast
def seat_again(nodes: Nodes, count: int) -> None:
    """Fill an empty table with so many states."""
    table, rows = nodes[0], nodes[1]
    for number in range(count):
        table[-1 - seat(table, rows, rows, number * ROW)] = number + 1


@fast
def way(number: int, now: Play, kept: Numbers, row: Words, nodes: Nodes) -> int:
    """The action, by its place in `kept`, that leads to a state from the one before it."""
    s, b, c, m = now
    rows, parents = nodes[1], nodes[2]
    for k in range(actions_of(rows, parents[number], s, b, m, kept)):
        if take_action(rows, parents[number], k, 0, s, b, c, m, kept) > FAULT:
            pack(s, b, row)
            if alike(rows, number * ROW, row, 0):
                return k
    return DONE - 1
