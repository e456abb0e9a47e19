"""Alpha-beta search with a transposition table and null windows.

A test asks whether play comes to at least `gamma`, player 1 wanting the most and player 2 the least. Bounds
are shown, never guessed: those of a state rest on bounds that were shown before, and a test in which a
position comes back is given up, so no bound rests on itself.

All actions of a state are followed before any is looked into, so an end that suffices is met at once. The
action that brought it about is the first reply that is tried against the other actions of the state before,
most of which do not stop it. Other actions come in the order of a measure of states, which is learned from
random plays and then from all that the search shows, and of how often they were right.
"""

from __future__ import annotations

from .exploration import ROOM
from .game import (
    ENDED_AT,
    GREATEST,
    KEY_BITS,
    LEAST,
    MOVER_AT,
    NOTE_SHIFT,
    OVER_AT,
    ROW,
    SEAT,
    VALUE_BITS,
    WIDTH,
    listing,
    pack,
    play,
    restore,
    worth,
)
from .kit import (
    ASKED,
    BIT,
    FAULT,
    FIRST_FACTOR,
    FULL_WORD,
    ONE,
    ZERO,
    as_number,
    as_word,
    choose,
    fast,
    low,
    part,
)
from .packed_rows import alike, copy_row, hash_of
from .shapes import Images, Now, Numbers, VastWords, Words
from .starts import copy_action, draw_again, same_action
from .symmetries import elements_of, fold, turn

PLY, PHASE, FOLLOWED, KNOWN, LOW, HIGH = range(6)
"""The places of `into`: the ply of the way that is looked at; 0 where its actions are to be followed, 1 where
they were; how many states' actions were followed; how many states the table holds; the bounds found."""

FRAME = 9
BEGINS, ENDS, AFTER, NEXT, SIDE, BEST_LOW, BEST_HIGH, BEGAN, REPLIED = range(FRAME)
"""The places in the frame of a ply: where the actions that lie open begin and end, where all of the ply end,
which is next, who acts (1 or -1), the bounds so far, how many states had been followed before, and whether a
reply is noted."""

NEAR = 4
"""A state lies in one of so many seats of the table: its row, and a note of its bounds and of the work that
it took, in bits that the row leaves free or in a word of its own."""

UNKNOWN = (1 << 22) - 1
"""The upper bound of a state without known bounds; the lower one is its negation."""
MOST_WORK = (1 << 16) - 1
"""The greatest work that is noted, in states followed."""

LEAST_WORK = 3
"""A state that took less work has no seat, unless it is that of a test: it is soon judged again."""

HISTORY = 1 << 12
"""Actions have so many places in the history table; collisions only worsen the move order."""
FINE = 1 << 36
"""By how much a step of the measure counts for more than the history."""
UNIT, STEPS, SLOWNESS, WEIGHT = 1 << 24, 64, 2, 64
"""A state that is worth enough is to measure `UNIT`, others its negation. Differences count in so many steps
of a unit. Teaching moves the measure of a state by one part in `SLOWNESS` of what is missing."""
LEAST_TAUGHT = 300
"""A state that took so much work teaches the measure."""
BASE, TAUGHT, BITS = 0, 1, 2
"""The places in a measure of what is added for every row, of 1 where the search may teach it, and of what is
added for the first bit of a row."""

PAUSED, NARROW, DEEP, CYCLE, CHANCE, FAULTY, UNEVEN, WILD = range(-7, -15, -1)
"""Further statuses of a test, beside those of plies, `DONE` and `ROOM`: its slice is over; more room is
needed for the actions that lie open, or for the way; a position came back; chance has a part in an action; a
play ended with a fault; an image of an end is worth something else; a number is too large."""

Way = tuple[Words, Words, Numbers, Numbers]
"""The rows of the states on the way, those that stand for them, a frame for each, and the noted replies."""
Open = tuple[Numbers, Numbers, Numbers, Numbers, Words]
"""The actions that lie open, in order: their ranks, numbers and places in the history; and all actions of
states on the way by number, and the rows of what those lead to that lie open."""
Order = tuple[Numbers, Numbers]
"""The measure, by bits of a row, and the history."""
Search = tuple[Way, Open, VastWords, Order, Now, Images, Numbers]
"""All that a test works on: the table of states is third, `into` the last."""


@part
def note_of(low_bound: int, high_bound: int, work: int) -> int:
    """The bounds of a state and the work that it took in one number; see `low_of`, `high_of`, `work_of`."""
    low_code = min(max(low_bound, LEAST), GREATEST) - LEAST
    high_code = GREATEST - min(max(high_bound, LEAST), GREATEST)
    return (low_code * (1 << VALUE_BITS) + high_code) * (MOST_WORK + 1) + min(work, MOST_WORK)


@part
def low_of(note: int) -> int:
    """The lower bound that a note holds; none where it is the least value that there is."""
    code = note // (MOST_WORK + 1) >> VALUE_BITS
    return LEAST + code if code > 0 else -UNKNOWN


@part
def high_of(note: int) -> int:
    """The upper bound that a note holds; none where it is the greatest value that there is."""
    code = note // (MOST_WORK + 1) & ((1 << VALUE_BITS) - 1)
    return GREATEST - code if code > 0 else UNKNOWN


@part
def work_of(note: int) -> int:
    """The work that a note holds."""
    return note & MOST_WORK


@part
def note_in(table: VastWords, at: int) -> int:
    """The note in the seat that begins at a place, 0 where it is free."""
    return as_number(table[at + SEAT - 1] >> as_word(NOTE_SHIFT))


@part
def noted(table: VastWords, at: int, note: int) -> None:
    """Put a note into the seat that begins at a place."""
    held = table[at + SEAT - 1] & as_word(KEY_BITS) if SEAT == ROW else ZERO
    table[at + SEAT - 1] = held | as_word(note) << as_word(NOTE_SHIFT)


@part
def first_seat(table: VastWords, rows: Words, first: int) -> int:
    """The place in the table of the first seat for the row that begins at a place."""
    seats = len(table) // SEAT
    return (as_number(hash_of(rows, first, ZERO) & as_word(seats - 1)) & ~(NEAR - 1)) * SEAT


@part
def found_at(table: VastWords, rows: Words, first: int) -> int:
    """The place in the table of the seat of a row among rows, -1 where it has none."""
    at = first_seat(table, rows, first)
    for _ in range(NEAR):
        differ = (table[at + ROW - 1] ^ rows[first + ROW - 1]) & as_word(KEY_BITS)
        for i in range(ROW - 1):
            differ |= table[at + i] ^ rows[first + i]
        if differ == ZERO:
            return at
        at += SEAT
    return -1


@part
def seated(table: VastWords, rows: Words, first: int, note: int, into: Numbers) -> None:
    """Put a row that has no seat where one is free, else in that of the state that took least work."""
    at = first_seat(table, rows, first)
    best = at
    for _ in range(NEAR):
        if note_in(table, at) == 0:
            into[KNOWN] += 1
            best = at
            break
        if work_of(note_in(table, at)) < work_of(note_in(table, best)):
            best = at
        at += SEAT
    copy_row(table, best, rows, first)
    noted(table, best, note)


@fast
def split(table: VastWords, seats: int, row: Words) -> None:
    """Let the states of a table that had so many seats, half of them, use all; `row` is scratch."""
    for number in range(seats):
        at = number * SEAT
        if note_in(table, at) != 0:
            copy_row(row, 0, table, at)
            row[ROW - 1] &= KEY_BITS
            if hash_of(row, 0, ZERO) & as_word(seats) != ZERO:
                copy_row(table, at + seats * SEAT, row, 0)
                noted(table, at + seats * SEAT, note_in(table, at))
                noted(table, at, 0)


@fast
def begin(way: Way, now: Now, images: Images) -> None:
    """Let the way begin with the state in s and b."""
    path, keys, _, _ = way
    pack(now[0], now[1], now[5])
    copy_row(path, 0, now[5], 0)
    fold(now[5], images)
    copy_row(keys, 0, now[5], 0)


@fast
def bounds_of(table: VastWords, way: Way, into: Numbers) -> int:
    """Put the bounds of the first state of the way into `into`, and give its work, 0 where none are known."""
    into[LOW], into[HIGH] = -UNKNOWN, UNKNOWN
    at = found_at(table, way[1], 0)
    if at < 0:
        return 0
    note = note_in(table, at)
    into[LOW], into[HIGH] = low_of(note), high_of(note)
    return work_of(note)


@fast
def wander(plies: int, way: Way, now: Now) -> int:
    """Play so many plies at random from the first state of the way; how many actions are legal then."""
    s, b, c, m, _, _, _ = now
    restore(way[0], 0, s, b)
    draw_again(c, 0)
    n = listing(s, b, m)
    while n > 0 and plies > 0:
        n = play(s, b, c, m, choose(c, n) * WIDTH)
        plies -= 1
    return n


@fast
def sample(gamma: int, games: int, most: int, way: Way, now: Now, images: Images, sums: Numbers) -> None:
    """Count the ends of random plays of at most so many plies that are worth enough, in all and by bits.

    `sums` holds the number of ends, and how many more are worth `gamma` than are not, then for each bit of a
    row both of those in which it is set. All images of an end count.
    """
    s, b, _, _, _, row, _ = now
    image = images[2]
    for _ in range(games):
        if wander(most, way, now) == 0 and s[OVER_AT] != 0:
            x = 1 if worth(s, b) >= gamma else -1
            s[OVER_AT], s[ENDED_AT] = 0, 0
            pack(s, b, row)
            copy_row(image, 0, row, 0)
            for element in range(max(1, elements_of(images))):
                if element > 0:
                    turn(row, 0, element, images, image, 0)
                sums[0] += 1
                sums[1] += x
                for i in range(ROW):
                    rest = image[i]
                    while rest != ZERO:
                        at = 2 * (1 + 64 * i + low(rest))
                        sums[at] += 1
                        sums[at + 1] += x
                        rest &= rest - ONE


@part
def teach(row: Words, first: int, aim: int, measure: Numbers) -> None:
    """Move the measure of a row nearer to its aim (normalized least mean squares).

    A measure beyond the aim stays: the weights of a sum that is right already move no more.
    """
    x, bits = measure[BASE], WEIGHT
    for i in range(ROW):
        rest = row[first + i]
        while rest != ZERO:
            x += measure[BITS + 64 * i + low(rest)]
            bits += 1
            rest &= rest - ONE
    step = (aim - min(max(x, -UNIT), UNIT)) // (SLOWNESS * bits)
    measure[BASE] += WEIGHT * step
    for i in range(ROW):
        rest = row[first + i]
        while rest != ZERO:
            measure[BITS + 64 * i + low(rest)] += step
            rest &= rest - ONE


@part
def measure_of(row: Words, path: Words, before: int, measure: Numbers) -> int:
    """By how many steps a row measures more than another one."""
    x = 0
    for i in range(ROW):
        rest = row[i] ^ path[before + i]
        while rest != ZERO:
            j = low(rest)
            x += measure[BITS + 64 * i + j] if row[i] & BIT[j] != ZERO else -measure[BITS + 64 * i + j]
            rest &= rest - ONE
    return x // (UNIT // STEPS)


@part
def change_of(row: Words, path: Words, before: int) -> int:
    """The place in the history of what an action changed."""
    h = ZERO
    for i in range(ROW):
        h = ((h ^ row[i] ^ path[before + i]) * FIRST_FACTOR) & FULL_WORD
    return as_number(h >> 52)  # as many bits as `HISTORY` has places for


@part
def taken(way: Way, ply: int, moves: Numbers, k: int, now: Now) -> int:
    """Take stored action k in the state at a ply of the way; see `play`."""
    s, b, c, m, _, _, _ = now
    restore(way[0], ply * ROW, s, b)
    draw_again(c, 0)
    copy_action(m, 0, moves, k)
    return play(s, b, c, m, 0)


@part
def uneven(x: int, now: Now, images: Images) -> bool:
    """True if an image of the end that was reached, which is worth x, is worth something else."""
    s, b, _, _, _, row, _ = now
    image = images[2]
    if elements_of(images) > 0:
        over, ended = s[OVER_AT], s[ENDED_AT]
        s[OVER_AT], s[ENDED_AT] = 0, 0
        pack(s, b, row)
        for element in range(1, elements_of(images)):
            turn(row, 0, element, images, image, 0)
            if not alike(row, 0, image, 0):
                restore(image, 0, s, b)
                s[OVER_AT], s[ENDED_AT] = over, ended
                if worth(s, b) != x:
                    return True
    return False


@part
def flaw_of(x: int, now: Now, images: Images) -> int:
    """Why the end that was reached, which is worth x, cannot be judged; 0 if it can."""
    if x >= UNKNOWN or x <= -UNKNOWN:
        return WILD
    return UNEVEN if uneven(x, now, images) else 0


@part
def better(side: int, x: int, y: int) -> int:
    """The one of two values that the side wants more."""
    return max(x, y) if side == 1 else min(x, y)


@part
def enough(side: int, gamma: int, low_bound: int, high_bound: int) -> bool:
    """True if no further action matters, by the bounds so far."""
    return low_bound >= gamma if side == 1 else high_bound < gamma


@part
def put(open_: Open, first: int, last: int, rank: int, number: int, act: int) -> None:
    """Put an action among those that lie open, the highest rank first."""
    ranks, nums, acts, _, _ = open_
    i = last
    while i > first and ranks[i - 1] < rank:
        ranks[i], nums[i], acts[i] = ranks[i - 1], nums[i - 1], acts[i - 1]
        i -= 1
    ranks[i], nums[i], acts[i] = rank, number, act


@part
def opened(gamma: int, way: Way, open_: Open, order: Order, now: Now, images: Images, into: Numbers) -> int:
    """Follow all actions of the last state of the way, and lay open in order those that must be looked into.

    1 where an end suffices, which is in the frame; 0 else, or what is wrong.
    """
    (path, _, frame, replies), (_, _, _, moves, rows) = way, open_
    measure, history = order
    s, b, c, m, _, row, _ = now
    ply = into[PLY]
    f, first = FRAME * ply, frame[FRAME * ply + BEGINS]
    restore(path, ply * ROW, s, b)
    n = listing(s, b, m)
    if n < 0:
        return n
    if (first + n) * WIDTH > len(moves):
        return NARROW
    for i in range(n * WIDTH):
        moves[first * WIDTH + i] = m[i]
    side = 1 if s[MOVER_AT] == 1 else -1
    best_low, best_high = (-UNKNOWN, -UNKNOWN) if side == 1 else (UNKNOWN, UNKNOWN)
    last = first
    frame[f + SIDE], frame[f + REPLIED] = side, 0
    into[FOLLOWED] += 1
    for k in range(n):
        found = taken(way, ply, moves, first + k, now)
        if c[ASKED] != ZERO:
            return CHANCE
        if found < 0:
            return FAULTY if found == FAULT else found
        if s[OVER_AT] != 0:
            x = worth(s, b)
            flaw = flaw_of(x, now, images)
            if flaw != 0:
                return flaw
            best_low, best_high = better(side, best_low, x), better(side, best_high, x)
            if enough(side, gamma, x, x):
                frame[f + BEST_LOW], frame[f + BEST_HIGH] = x, x
                if ply > 0:
                    frame[f - FRAME + REPLIED] = 1
                    copy_action(replies, ply - 1, moves, first + k)
                return 1
        else:
            pack(s, b, row)
            copy_row(rows, (first + k) * ROW, row, 0)
            act = change_of(row, path, ply * ROW)
            rank = side * FINE * measure_of(row, path, ply * ROW, measure) + history[act]
            put(open_, first, last, rank, k, act)
            last += 1
    frame[f + ENDS], frame[f + AFTER], frame[f + NEXT] = last, first + n, first
    frame[f + BEST_LOW], frame[f + BEST_HIGH] = best_low, best_high
    return 0


@part
def refuted(gamma: int, way: Way, n: int, now: Now, images: Images, into: Numbers) -> int:
    """Try the reply that is noted for the last state of the way after an action of it; n are legal then.

    1 where an end that suffices comes of it, whose worth is put into `into`; 0 else, or what is wrong.
    """
    s, b, c, m, _, _, _ = now
    side = 1 if s[MOVER_AT] == 1 else -1
    for k in range(n):
        if same_action(m, k, way[3], into[PLY]):
            draw_again(c, 0)
            if play(s, b, c, m, k * WIDTH) == 0 and c[ASKED] == ZERO and s[OVER_AT] != 0:
                x = worth(s, b)
                if enough(side, gamma, x, x):
                    into[LOW], into[HIGH] = (x, UNKNOWN) if side == 1 else (-UNKNOWN, x)
                    flaw = flaw_of(x, now, images)
                    return flaw if flaw != 0 else 1
            return 0
    return 0


@part
def entered(gamma: int, search: Search) -> int:
    """Go on to what the next action that lies open leads to.

    0 where that was done; 1 where its bounds suffice, which are put into `into`; else what is wrong.
    """
    way, open_, table, _, now, images, into = search
    (path, keys, frame, _), row = way, now[5]
    ply = into[PLY]
    f, after = FRAME * ply, (ply + 1) * ROW
    if after + ROW > len(path):
        return DEEP
    number = frame[f + BEGINS] + open_[1][frame[f + NEXT]]
    if frame[f + REPLIED] != 0:
        n = taken(way, ply, open_[3], number, now)
        code = refuted(gamma, way, n, now, images, into) if n > 0 else n
        if code != 0:
            return code
    copy_row(path, after, open_[4], number * ROW)
    copy_row(row, 0, path, after)
    fold(row, images)
    into[LOW], into[HIGH] = -UNKNOWN, UNKNOWN
    at = found_at(table, row, 0)
    if at >= 0:
        note = note_in(table, at)
        into[LOW], into[HIGH] = low_of(note), high_of(note)
        if into[LOW] >= gamma or into[HIGH] < gamma:
            return 1
    for other in range(ply + 1):
        if alike(keys, other * ROW, row, 0):
            return CYCLE
    copy_row(keys, after, row, 0)
    frame[f + FRAME + BEGINS], frame[f + FRAME + BEGAN] = frame[f + AFTER], into[FOLLOWED]
    into[PLY], into[PHASE] = ply + 1, 0
    return 0


@part
def left_behind(gamma: int, way: Way, table: VastWords, measure: Numbers, into: Numbers) -> None:
    """Note the bounds of the last state of the way, put them into `into`, and let them teach the measure."""
    path, keys, frame, _ = way
    ply = into[PLY]
    f = FRAME * ply
    low_bound, high_bound = frame[f + BEST_LOW], frame[f + BEST_HIGH]
    if enough(frame[f + SIDE], gamma, low_bound, high_bound):
        if frame[f + SIDE] == 1:
            high_bound = UNKNOWN
        else:
            low_bound = -UNKNOWN
    work = into[FOLLOWED] - frame[f + BEGAN]
    if work >= LEAST_TAUGHT and measure[TAUGHT] != 0:
        teach(path, ply * ROW, UNIT if low_bound >= gamma else -UNIT, measure)
    at = found_at(table, keys, ply * ROW)
    if at >= 0:
        note = note_in(table, at)
        low_bound, high_bound = max(low_bound, low_of(note)), min(high_bound, high_of(note))
        noted(table, at, note_of(low_bound, high_bound, work + work_of(note)))
    elif work >= LEAST_WORK or ply == 0:
        seated(table, keys, ply * ROW, note_of(low_bound, high_bound, work), into)
    into[LOW], into[HIGH] = low_bound, high_bound
    into[PLY] = ply - 1


@part
def learned(f: int, k: int, frame: Numbers, open_: Open, history: Numbers) -> None:
    """Count in the history that an action was right and those before it were not."""
    acts, first = open_[2], frame[f + BEGINS]
    history[acts[k]] += k - first
    for i in range(first, k):
        history[acts[i]] -= 1


@fast
def test(gamma: int, upto: int, most: int, search: Search) -> int:
    """Go on with a test until it is over, or `upto` states were followed, or more than `most` are known."""
    way, open_, table, order, now, images, into = search
    frame = way[2]
    while True:
        code = 0
        if into[PHASE] == 0:
            if into[FOLLOWED] >= upto:
                return PAUSED
            if into[KNOWN] > most:
                return ROOM
            code = opened(gamma, way, open_, order, now, images, into)
            if code < 0:
                return code
            into[PHASE] = 1
        f = FRAME * into[PLY]
        if code == 0 and frame[f + NEXT] < frame[f + ENDS]:
            code = entered(gamma, search)
            if code < 0:
                return code
            if code == 0:
                continue
        else:
            left_behind(gamma, way, table, order[0], into)
            if into[PLY] < 0:
                return 0
            f -= FRAME
        k, side, low_bound, high_bound = frame[f + NEXT], frame[f + SIDE], into[LOW], into[HIGH]
        frame[f + NEXT] = k + 1
        low_bound = better(side, frame[f + BEST_LOW], low_bound)
        high_bound = better(side, frame[f + BEST_HIGH], high_bound)
        frame[f + BEST_LOW], frame[f + BEST_HIGH] = low_bound, high_bound
        if enough(side, gamma, low_bound, high_bound):
            learned(f, k, frame, open_, order[1])
            frame[f + NEXT] = frame[f + ENDS]
