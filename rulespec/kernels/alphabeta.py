"""Alpha-beta search with a transposition table and null windows.

A test asks whether play comes to at least `gamma`, player 1 wanting the most and player 2 the least. One of
them, the `prover` (1 or -1), has to show so within so many plies, and what is open after these counts against
that player. Bounds are shown, never guessed: those of a state rest on bounds that were shown before, and
who comes to a state that lies on the way there already gives up, so no bound rests on itself.
"""

from __future__ import annotations

from .chance import actions_of, take_action
from .exploration import ROOM
from .game import MOVER_AT, OVER_AT, ROW, WIDTH, worth
from .kit import ASKED, FAULT, ZERO, as_number, as_word, fast, mixed, part
from .packed_rows import alike, copy_row, hash_of, pack, unpack
from .shapes import Images, Now, Numbers, Small, Words
from .symmetries import elements_of, fold, turn

PLY, PHASE, FOLLOWED, KNOWN, LOW, HIGH = range(6)
"""The places of `into`: the ply of the way that is looked at; 0 where its actions are to be followed, 1 where
they were; how many states' actions were followed; how many states the table holds; the bounds found."""

FRAME = 10
BEGINS, ENDS, NEXT, SIDE, BEST_LOW, BEST_HIGH, LEFT, BEGAN, BEST, SETTLED = range(FRAME)
"""The places in the frame of a ply: where the states that lie open begin and end, which of them is next, who
acts (1 or -1), the bounds so far, the plies left, how many states had been followed before, the number of the
best action, and whether no further action matters."""

NOTES = 4
"""Numbers in the table entry of a state: its bounds, the test and the plies for which it was left open last,
and the number of the best action."""

ACTS, ANSWERS = 1 << 12, 1 << 16
"""Sizes of the history tables, by action and by pair of actions; collisions only worsen the move order."""

NEAR = 16
"""Successors are compared with the states so many plies back; states that are followed, with all."""

UNKNOWN = (1 << 30) - 1
"""The upper bound of a state without known bounds; the lower one is its negation."""

LONGEST = (1 << 16) - 1
"""A test of so many plies follows every play to its end."""

PAUSED, NARROW, DEEP, CYCLE, CHANCE, FAULTY, UNEVEN, WILD = range(-7, -15, -1)
"""Further statuses of a test, beside those of plies, `DONE` and `ROOM`: its slice is over; more room is
needed for the states that lie open, or for the way; a position came back; chance has a part in an action; a
play ended with a fault; an image of an end is worth something else; a number is too large."""

Table = tuple[Words, Small, Small]
"""The transposition table: the rows of states, the work that each took, and notes."""
Way = tuple[Words, Numbers]
"""The rows of the states on the way, and a frame for each."""
Open = tuple[Words, Numbers, Numbers, Small]
"""The states that lie open: their rows, ranks, places in the history tables, and the actions that lead
there."""


@part
def found_at(table: Table, rows: Words, first: int) -> int:
    """The seat in the table of the row that begins at a place among rows, -1 where it has none."""
    keys, works, _ = table
    at = as_number(hash_of(rows, first, ZERO) & as_word(len(works) - 1))
    for _ in range(8):
        if works[at] == 0:
            return -1
        if alike(keys, at * ROW, rows, first):
            return at
        at = (at + 1) & (len(works) - 1)
    return -1


@part
def seat_of(table: Table, rows: Words, first: int, into: Numbers) -> int:
    """A seat for a row that has none: of eight a free one, else that of the state that took least work."""
    keys, works, _ = table
    at = as_number(hash_of(rows, first, ZERO) & as_word(len(works) - 1))
    least = at
    for _ in range(8):
        if works[at] == 0:
            into[KNOWN] += 1
            least = at
            break
        if works[at] < works[least]:
            least = at
        at = (at + 1) & (len(works) - 1)
    copy_row(keys, least * ROW, rows, first)
    return least


@fast
def move_all(old: Table, table: Table, into: Numbers) -> None:
    """Move all states of a table to another one."""
    (old_keys, old_works, old_notes), (_, works, notes) = old, table
    into[KNOWN] = 0
    for number in range(len(old_works)):
        if old_works[number] != 0:
            at = seat_of(table, old_keys, number * ROW, into)
            works[at] = old_works[number]
            for i in range(NOTES):
                notes[NOTES * at + i] = old_notes[NOTES * number + i]


@fast
def bounds_of(table: Table, row: Words, into: Numbers) -> int:
    """Put the bounds of a state into `into`, and give what work it took, 0 where nothing is known of it."""
    _, works, notes = table
    into[LOW], into[HIGH] = -UNKNOWN, UNKNOWN
    at = found_at(table, row, 0)
    if at < 0:
        return 0
    into[LOW], into[HIGH] = notes[NOTES * at], notes[NOTES * at + 1]
    return works[at]


@part
def act_of(m: Numbers, first: int, side: int) -> int:
    """Where it is counted how often an action was right."""
    h = ZERO
    for i in range(WIDTH):
        h = mixed(h ^ as_word(m[first + i] & 0xFFFF))
    return as_number(h & as_word(ACTS - 1)) + (ACTS if side == 1 else 0)


@part
def answer_of(act: int, before: int) -> int:
    """Where it is counted how often an action was right after another."""
    return 2 * ACTS + as_number(mixed(as_word(act * 2 * ACTS + before)) & as_word(ANSWERS - 1))


@part
def put(open_: Open, first: int, last: int, row: Words, rank: int, act: int, num: int) -> None:
    """Put a state among those that lie open, the highest rank first."""
    kids, ranks, acts, nums = open_
    i = last
    while i > first and ranks[i - 1] < rank:
        ranks[i], acts[i], nums[i] = ranks[i - 1], acts[i - 1], nums[i - 1]
        copy_row(kids, i * ROW, kids, (i - 1) * ROW)
        i -= 1
    ranks[i], acts[i], nums[i] = rank, act, num
    copy_row(kids, i * ROW, row, 0)


@part
def passed(path: Words, begin: int, ply: int, rows: Words, first: int) -> bool:
    """True if a row is that of a state on the way, from one ply to another."""
    for other in range(begin, ply + 1):
        if alike(path, other * ROW, rows, first):
            return True
    return False


@part
def uneven(s: Numbers, b: Words, row: Words, x: int, images: Images) -> bool:
    """True if an image of an end that is worth x is worth something else."""
    image = images[2]
    if elements_of(images) > 0:
        pack(s, b, row)
        for element in range(1, elements_of(images)):
            turn(row, 0, element, images, image, 0)
            unpack(image, 0, s, b)
            if worth(s, b) != x:
                return True
    return False


@part
def enough(side: int, prover: int, gamma: int, low: int, high: int, child_low: int, child_high: int) -> bool:
    """True if no further action matters, by the bounds so far and those of the state looked at last."""
    if (low >= gamma) if side == 1 else (high < gamma):
        return True
    return side != prover and child_low < gamma and child_high >= gamma


@part
def opened(
    gamma: int,
    prover: int,
    number: int,
    way: Way,
    open_: Open,
    table: Table,
    history: Numbers,
    now: Now,
    images: Images,
    into: Numbers,
) -> int:
    """Follow all actions of the last state of the way, and lay open in order what must be looked at."""
    (path, frame), (_, ranks, acts, _), (_, _, notes) = way, open_, table
    s, b, c, m, kept, row, _ = now
    ply = into[PLY]
    f = FRAME * ply
    n = actions_of(path, ply, s, b, m, kept)
    if n < 0:
        return n
    side = 1 if s[MOVER_AT] == 1 else -1
    first = frame[f + BEGINS]
    if first + n > len(ranks):
        return NARROW
    left, before = frame[f + LEFT], acts[frame[f - FRAME + NEXT]] if ply > 0 else 0
    at = found_at(table, path, ply * ROW)
    best = notes[NOTES * at + 3] if at >= 0 else -1
    low, high = (-UNKNOWN, -UNKNOWN) if side == 1 else (UNKNOWN, UNKNOWN)
    last, settled, frame[f + BEST] = first, 0, -1
    into[FOLLOWED] += 1
    for k in range(n):
        found = take_action(path, ply, k, 0, s, b, c, m, kept)
        if c[ASKED] != ZERO:
            return CHANCE
        if found < 0:
            return FAULTY if found == FAULT else found
        if s[OVER_AT] != 0:
            x = worth(s, b)
            if x >= UNKNOWN or x <= -UNKNOWN:
                return WILD
            if uneven(s, b, row, x, images):
                return UNEVEN
            child_low, child_high = x, x
        else:
            turns = (s[MOVER_AT] == 1) != (side == 1)
            pack(s, b, row)
            fold(row, images)
            child_low, child_high, tried = -UNKNOWN, UNKNOWN, 0
            at = found_at(table, row, 0)
            if at >= 0:
                child_low, child_high, tried = notes[NOTES * at], notes[NOTES * at + 1], notes[NOTES * at + 2]
            if child_low < gamma and child_high >= gamma and passed(path, max(0, ply - NEAR), ply, row, 0):
                return CYCLE
            if (
                child_low < gamma
                and child_high >= gamma
                and left > 1
                and (tried >> 16 != number or tried & LONGEST < left - 1)
            ):
                act = act_of(kept, k * WIDTH, side)
                rank = 256 * (history[act] + 8 * history[answer_of(act, before)]) - (found if turns else 0)
                put(open_, first, last, row, rank if k != best else 1 << 60, act, k)
                last += 1
                continue
        if side == 1:
            low, high = max(low, child_low), max(high, child_high)
        else:
            low, high = min(low, child_low), min(high, child_high)
        if enough(side, prover, gamma, low, high, child_low, child_high):
            frame[f + BEST], settled = k, 1
            break
    frame[f + ENDS], frame[f + NEXT], frame[f + SIDE] = last, first, side
    frame[f + BEST_LOW], frame[f + BEST_HIGH], frame[f + SETTLED] = low, high, settled
    return 0


@part
def entered(number: int, gamma: int, way: Way, kids: Words, table: Table, into: Numbers) -> int:
    """Go on to the next state that lies open.

    0 where that was done; 1 where its bounds suffice, which are put into `into`; else what is wrong.
    """
    (path, frame), notes = way, table[2]
    ply = into[PLY]
    f = FRAME * ply
    k, left = frame[f + NEXT], frame[f + LEFT]
    into[LOW], into[HIGH], tried = -UNKNOWN, UNKNOWN, 0
    at = found_at(table, kids, k * ROW)
    if at >= 0:
        into[LOW], into[HIGH], tried = notes[NOTES * at], notes[NOTES * at + 1], notes[NOTES * at + 2]
    if into[LOW] >= gamma or into[HIGH] < gamma or (tried >> 16 == number and tried & LONGEST >= left - 1):
        return 1
    if (ply + 2) * ROW > len(path):
        return DEEP
    if passed(path, 0, ply, kids, k * ROW):
        return CYCLE
    copy_row(path, (ply + 1) * ROW, kids, k * ROW)
    frame[f + FRAME + BEGINS], frame[f + FRAME + BEGAN] = frame[f + ENDS], into[FOLLOWED]
    frame[f + FRAME + LEFT] = left - 1 if left < LONGEST else left
    into[PLY], into[PHASE] = ply + 1, 0
    return 0


@part
def left_behind(number: int, way: Way, table: Table, into: Numbers) -> None:
    """Note the bounds of the last state of the way, and put them into `into`."""
    (path, frame), (_, works, notes) = way, table
    ply = into[PLY]
    f = FRAME * ply
    low, high = frame[f + BEST_LOW], frame[f + BEST_HIGH]
    if frame[f + SETTLED] == 1 and frame[f + SIDE] == 1:
        high = UNKNOWN
    elif frame[f + SETTLED] == 1:
        low = -UNKNOWN
    at = found_at(table, path, ply * ROW)
    if at >= 0:
        low, high = max(low, notes[NOTES * at]), min(high, notes[NOTES * at + 1])
    else:
        at = seat_of(table, path, ply * ROW, into)
    notes[NOTES * at], notes[NOTES * at + 1], notes[NOTES * at + 2] = (
        low,
        high,
        (number << 16) + frame[f + LEFT],
    )
    notes[NOTES * at + 3], works[at] = frame[f + BEST], min(into[FOLLOWED] - frame[f + BEGAN], UNKNOWN)
    into[LOW], into[HIGH] = low, high
    into[PLY] = ply - 1


@fast
def test(
    gamma: int,
    prover: int,
    number: int,
    upto: int,
    most: int,
    way: Way,
    open_: Open,
    table: Table,
    history: Numbers,
    now: Now,
    images: Images,
    into: Numbers,
) -> int:
    """Go on with a test until it is over, or `upto` states were followed, or more than `most` are known."""
    frame, (kids, _, acts, nums) = way[1], open_
    while True:
        if into[PHASE] == 0:
            if into[FOLLOWED] >= upto:
                return PAUSED
            if into[KNOWN] > most:
                return ROOM
            code = opened(gamma, prover, number, way, open_, table, history, now, images, into)
            if code != 0:
                return code
            into[PHASE] = 1
        f = FRAME * into[PLY]
        if frame[f + SETTLED] == 0 and frame[f + NEXT] < frame[f + ENDS]:
            code = entered(number, gamma, way, kids, table, into)
            if code < 0:
                return code
            if code == 0:
                continue
        else:
            left_behind(number, way, table, into)
            if into[PLY] < 0:
                return 0
            f -= FRAME
        k, low, high = frame[f + NEXT], into[LOW], into[HIGH]
        frame[f + NEXT] = k + 1
        side = frame[f + SIDE]
        if side == 1:
            frame[f + BEST_LOW], frame[f + BEST_HIGH] = (
                max(frame[f + BEST_LOW], low),
                max(frame[f + BEST_HIGH], high),
            )
        else:
            frame[f + BEST_LOW], frame[f + BEST_HIGH] = (
                min(frame[f + BEST_LOW], low),
                min(frame[f + BEST_HIGH], high),
            )
        if enough(side, prover, gamma, frame[f + BEST_LOW], frame[f + BEST_HIGH], low, high):
            frame[f + BEST], frame[f + SETTLED] = nums[k], 1
            history[acts[k]] += 1
            history[answer_of(acts[k], acts[frame[f - FRAME + NEXT]] if f > 0 else 0)] += 1
