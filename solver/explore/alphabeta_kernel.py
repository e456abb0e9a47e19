"""Kernel text of alpha-beta search with a transposition table and null windows; see `mtdf`.

A test asks whether play comes to at least `gamma`, player 1 wanting the most and player 2 the least. One of
them, the `prover` (1 or -1), has to show so within so many plies, and what is open after these counts against
that player. Bounds are shown, never guessed: those of a state rest on bounds that were shown before, and
who comes to a state that lies on the way there already gives up, so no bound rests on itself.
"""

from __future__ import annotations

from rulespec.code import Written

PLY, PHASE, FOLLOWED, KNOWN, LOW, HIGH = range(6)
"""The places of `into`: the ply of the way that is looked at; 0 where its actions are to be followed, 1 where
they were; how many states' actions were followed; how many states the table holds; the bounds found."""

FRAME = 10
"""Numbers in the frame of a ply; see `test` in the text."""

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
"""Further statuses of a test, beside `DONE`, `FULL` and `ROOM`: its slice is over; more room is needed for
the states that lie open, or for the way; a position came back; chance has a part in an action; a play
ended with a fault; an image of an end is worth something else; a number is too large."""


def alphabeta(written: Written, name: str | None) -> str:
    """The text for a game in which an end is worth what is asked by a name, or what who has won is worth."""
    if name is None:
        worth = "    w = as_number(winners(s, b))\n    return 1 if w == 2 else -1 if w == 4 else 0"
    else:
        worth = f"    x = {written.asked[name][0]}(s, b)\n    return 0 if x == NONE else x"
    mover = written.program.offsets[written.program.game.mover][1]
    head = f'@part\ndef worth(s, b):\n    """What an end is worth."""\n{worth}\n'
    constants = f"MOVER_AT = {mover}\nUNKNOWN = {UNKNOWN}\nLONGEST = {LONGEST}\nNEAR = {NEAR}\n"
    constants += f"ACTS = {ACTS}\nANSWERS = {ANSWERS}\n"
    return "\n\n".join(["", constants, head, _TABLE, _ORDER, _OPENING, _TEST])


_TABLE = '''
@part
def found_at(table, rows, first):
    """The seat in the table of the row that begins at a place among rows, -1 where it has none."""
    keys, works, _ = table
    at = as_number(hash_of(rows, first, ZERO) & as_word(len(works) - 1))
    for k in range(8):
        if works[at] == 0:
            return -1
        if alike(keys, at * ROW, rows, first):
            return at
        at = (at + 1) & (len(works) - 1)
    return -1


@part
def seat_of(table, rows, first, into):
    """A seat for a row that has none: of eight a free one, else that of the state that took least work."""
    keys, works, _ = table
    at = as_number(hash_of(rows, first, ZERO) & as_word(len(works) - 1))
    least = at
    for k in range(8):
        if works[at] == 0:
            into[3] += 1
            least = at
            break
        if works[at] < works[least]:
            least = at
        at = (at + 1) & (len(works) - 1)
    copy_row(keys, least * ROW, rows, first)
    return least


@fast
def move_all(old, table, into):
    """Move all states of a table to another one."""
    (old_keys, old_works, old_notes), (_, works, notes) = old, table
    into[3] = 0
    for number in range(len(old_works)):
        if old_works[number] != 0:
            at = seat_of(table, old_keys, number * ROW, into)
            works[at] = old_works[number]
            for i in range(4):
                notes[4 * at + i] = old_notes[4 * number + i]


@fast
def bounds_of(table, row, into):
    """Put the bounds of a state into `into`, and give what work it took, 0 where nothing is known of it."""
    _, works, notes = table
    into[4], into[5] = -UNKNOWN, UNKNOWN
    at = found_at(table, row, 0)
    if at < 0:
        return 0
    into[4], into[5] = notes[4 * at], notes[4 * at + 1]
    return works[at]
'''

_ORDER = '''
@part
def act_of(m, first, side):
    """Where it is counted how often an action was right."""
    h = ZERO
    for i in range(WIDTH):
        h = mixed(h ^ as_word(m[first + i] & 0xFFFF))
    return as_number(h & as_word(ACTS - 1)) + (ACTS if side == 1 else 0)


@part
def answer_of(act, before):
    """Where it is counted how often an action was right after another."""
    return 2 * ACTS + as_number(mixed(as_word(act * 2 * ACTS + before)) & as_word(ANSWERS - 1))


@part
def put(open_, first, last, row, rank, act, num):
    """Put a state among those that lie open, the highest rank first."""
    kids, ranks, acts, nums = open_
    i = last
    while i > first and ranks[i - 1] < rank:
        ranks[i], acts[i], nums[i] = ranks[i - 1], acts[i - 1], nums[i - 1]
        copy_row(kids, i * ROW, kids, (i - 1) * ROW)
        i -= 1
    ranks[i], acts[i], nums[i] = rank, act, num
    copy_row(kids, i * ROW, row, 0)
'''

_OPENING = '''
@part
def passed(path, begin, ply, rows, first):
    """True if a row is that of a state on the way, from one ply to another."""
    for other in range(begin, ply + 1):
        if alike(path, other * ROW, rows, first):
            return True
    return False


@part
def uneven(s, b, row, x, images):
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
def enough(side, prover, gamma, low, high, child_low, child_high):
    """True if no further action matters, by the bounds so far and those of the state looked at last."""
    if (low >= gamma) if side == 1 else (high < gamma):
        return True
    return side != prover and child_low < gamma and child_high >= gamma


@part
def opened(gamma, prover, number, way, open_, table, history, now, images, into):
    """Follow all actions of the last state of the way, and lay open in order what must be looked at."""
    (path, frame), (_, ranks, acts, _), (_, _, notes) = way, open_, table
    s, b, c, m, kept, row, _ = now
    ply = into[0]
    f = 10 * ply
    n = actions_of(path, ply, s, b, m, kept)
    if n < 0:
        return n
    side = 1 if s[MOVER_AT] == 1 else -1
    first = frame[f]
    if first + n > len(ranks):
        return -8
    left, before = frame[f + 6], acts[frame[f - 8]] if ply > 0 else 0
    at = found_at(table, path, ply * ROW)
    best = notes[4 * at + 3] if at >= 0 else -1
    low, high = (-UNKNOWN, -UNKNOWN) if side == 1 else (UNKNOWN, UNKNOWN)
    last, settled, frame[f + 8] = first, 0, -1
    into[2] += 1
    for k in range(n):
        found = take_action(path, ply, k, 0, s, b, c, m, kept)
        if c[4] != ZERO:
            return -11
        if found < 0:
            return -12 if found == -1 else found
        if s[OVER_AT] != 0:
            x = worth(s, b)
            if x >= UNKNOWN or x <= -UNKNOWN:
                return -14
            if uneven(s, b, row, x, images):
                return -13
            child_low, child_high = x, x
        else:
            turns = (s[MOVER_AT] == 1) != (side == 1)
            pack(s, b, row)
            fold(row, images)
            child_low, child_high, tried = -UNKNOWN, UNKNOWN, 0
            at = found_at(table, row, 0)
            if at >= 0:
                child_low, child_high, tried = notes[4 * at], notes[4 * at + 1], notes[4 * at + 2]
            if child_low < gamma and child_high >= gamma and passed(path, max(0, ply - NEAR), ply, row, 0):
                return -10
            if child_low < gamma and child_high >= gamma and left > 1 and (
                tried >> 16 != number or tried & LONGEST < left - 1
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
            frame[f + 8], settled = k, 1
            break
    frame[f + 1], frame[f + 2], frame[f + 3] = last, first, side
    frame[f + 4], frame[f + 5], frame[f + 9] = low, high, settled
    return 0
'''

_TEST = '''
@part
def entered(number, gamma, way, kids, table, into):
    """Go on to the next state that lies open.

    0 where that was done; 1 where its bounds suffice, which are put into `into`; else what is wrong.
    """
    (path, frame), notes = way, table[2]
    ply = into[0]
    f = 10 * ply
    k, left = frame[f + 2], frame[f + 6]
    into[4], into[5], tried = -UNKNOWN, UNKNOWN, 0
    at = found_at(table, kids, k * ROW)
    if at >= 0:
        into[4], into[5], tried = notes[4 * at], notes[4 * at + 1], notes[4 * at + 2]
    if into[4] >= gamma or into[5] < gamma or (tried >> 16 == number and tried & LONGEST >= left - 1):
        return 1
    if (ply + 2) * ROW > len(path):
        return -9
    if passed(path, 0, ply, kids, k * ROW):
        return -10
    copy_row(path, (ply + 1) * ROW, kids, k * ROW)
    frame[f + 10], frame[f + 17] = frame[f + 1], into[2]
    frame[f + 16] = left - 1 if left < LONGEST else left
    into[0], into[1] = ply + 1, 0
    return 0


@part
def left_behind(number, way, table, into):
    """Note the bounds of the last state of the way, and put them into `into`."""
    (path, frame), (_, works, notes) = way, table
    ply = into[0]
    f = 10 * ply
    low, high = frame[f + 4], frame[f + 5]
    if frame[f + 9] == 1 and frame[f + 3] == 1:
        high = UNKNOWN
    elif frame[f + 9] == 1:
        low = -UNKNOWN
    at = found_at(table, path, ply * ROW)
    if at >= 0:
        low, high = max(low, notes[4 * at]), min(high, notes[4 * at + 1])
    else:
        at = seat_of(table, path, ply * ROW, into)
    notes[4 * at], notes[4 * at + 1], notes[4 * at + 2] = low, high, (number << 16) + frame[f + 6]
    notes[4 * at + 3], works[at] = frame[f + 8], min(into[2] - frame[f + 7], UNKNOWN)
    into[4], into[5] = low, high
    into[0] = ply - 1


@fast
def test(gamma, prover, number, upto, most, way, open_, table, history, now, images, into):
    """Go on with a test until it is over, or `upto` states were followed, or more than `most` are known.

    The way is a run of rows, the table keys with the work they took and notes. Of each ply of the way `frame`
    holds where the states that lie open begin and end, which of them is next, who acts, the bounds so far,
    how many plies are left, how many states had been followed before, the number of the best action, and
    whether no further action matters.
    """
    frame, (kids, _, acts, nums) = way[1], open_
    while True:
        if into[1] == 0:
            if into[2] >= upto:
                return -7
            if into[3] > most:
                return -3
            code = opened(gamma, prover, number, way, open_, table, history, now, images, into)
            if code != 0:
                return code
            into[1] = 1
        f = 10 * into[0]
        if frame[f + 9] == 0 and frame[f + 2] < frame[f + 1]:
            code = entered(number, gamma, way, kids, table, into)
            if code < 0:
                return code
            if code == 0:
                continue
        else:
            left_behind(number, way, table, into)
            if into[0] < 0:
                return 0
            f -= 10
        k, low, high = frame[f + 2], into[4], into[5]
        frame[f + 2] = k + 1
        side = frame[f + 3]
        if side == 1:
            frame[f + 4], frame[f + 5] = max(frame[f + 4], low), max(frame[f + 5], high)
        else:
            frame[f + 4], frame[f + 5] = min(frame[f + 4], low), min(frame[f + 5], high)
        if enough(side, prover, gamma, frame[f + 4], frame[f + 5], low, high):
            frame[f + 8], frame[f + 9] = nums[k], 1
            history[acts[k]] += 1
            history[answer_of(acts[k], acts[frame[f - 8]] if f > 0 else 0)] += 1
'''
