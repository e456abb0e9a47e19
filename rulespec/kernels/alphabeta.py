"""Alpha-beta search with a transposition table and null windows.

A test asks whether the value of play is at least `gamma`; player 1 maximises and player 2 minimises. Bounds
are proved, never guessed: the bounds of a state rest on bounds proved before, and a test that meets a
repeated position is abandoned, so no bound rests on itself.

All actions of a state are played before any is searched deeper, so an end that suffices is met at once. The
action that led to it is the first reply tried against the other actions of the state before, since most of
them do not prevent it. Other actions are ordered by a measure of states, learned from random plays and then
from the results of the search, and by how often they were right.
"""

from __future__ import annotations

from .exploration import ROOM
from .game import (
    CHANCY,
    ENDED_AT,
    MAXIMISERS,
    MOVER_AT,
    OVER_AT,
    PASSES,
    ROW,
    STUCK,
    WIDTH,
    able,
    act,
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
from .shapes import Images, Now, Numbers, Transpositions, Word, Words
from .starts import copy_action, draw_again, same_action
from .symmetries import elements_of, fold, turn
from .transpositions import (
    UNKNOWN,
    found_at,
    high_of,
    low_of,
    note_in,
    note_of,
    take_seat,
    work_of,
    write_note,
)

PLY, PHASE, FOLLOWED, KNOWN, LOW, HIGH, PLIES = range(7)
"""The places of `into`: the ply of the path being searched; 0 if its actions are yet to be played, 1 if
they were; number of states expanded; number of states in the table; the bounds found; depth limit of a
test in plies, 0 for none, negated if player 2 wants the tested value."""

FRAME = 11
BEGINS, ENDS, AFTER, NEXT, SIDE, BEST_LOW, BEST_HIGH, BEGAN, REPLIED, HASH, SEATED = range(FRAME)
"""The places in the frame of a ply: first and last open action, end of all actions of the ply, next
action, mover (1 or -1), the bounds so far, number of states expanded before, whether a reply is noted,
hash of the state's representative, and whether that had a seat in the table."""

KINDS = 1 << 10
"""Number of hash classes; states on the path are counted by class, so that few are compared with a new
one."""

LEAST_WORK = 3
"""A state with less work gets no seat, except the state of a test: it is soon evaluated again."""

HISTORY = 1 << 12
"""Size of the history table; collisions only worsen the move order."""
FINE = 1 << 36
"""Weight of a step of the measure relative to the history."""
UNIT, STEPS, SLOWNESS, WEIGHT = 1 << 24, 64, 2, 64
"""States with at least the tested value should measure `UNIT`, others its negation. Differences count in
`STEPS` of a unit. Teaching moves the measure of a state by one part in `SLOWNESS` of the error."""
LEAST_TAUGHT = 300
"""A state with at least this much work teaches the measure."""
BASE, TAUGHT, BITS = 0, 1, 2
"""The places in a measure: the constant term, 1 if the search may teach it, and the weight of a row's
first bit."""

PAUSED, NARROW, DEEP, CYCLE, CHANCE, FAULTY, UNEVEN, WILD = range(-7, -15, -1)
"""Further statuses of a test, besides those of plies, `DONE` and `ROOM`: the slice is over; more room is
needed for open actions, or for the path; a position repeats; an action has chance in it; a play ended with
a fault; an image of an end has another value; a number is too large."""

Way = tuple[Words, Words, Numbers, Numbers]
"""The rows of the states on the path, their representatives, a frame for each, and the noted replies."""
Open = tuple[Numbers, Numbers, Numbers, Words]
"""The open actions, in order: ranks, numbers and places in the history; and by number the rows that follow
them."""
Order = tuple[Numbers, Numbers]
"""The measure, by bits of a row, and the history."""
Search = tuple[Way, Open, Transpositions, Order, Numbers, Now, Images, Numbers]
"""All data of a test; the counts of the states on the path are fifth, `into` is last."""


@part
def kind_of(h: Word) -> int:
    """The class of a hash."""
    return as_number(h >> 20) & (KINDS - 1)


@fast
def begin(way: Way, counts: Numbers, now: Now, images: Images) -> None:
    """Begin the path with the state in s and b."""
    path, keys, frame, _ = way
    pack(now[0], now[1], now[5])
    copy_row(path, 0, now[5], 0)
    fold(now[5], images)
    copy_row(keys, 0, now[5], 0)
    h = hash_of(keys, 0, ZERO)
    for kind in range(KINDS):
        counts[kind] = 0
    counts[kind_of(h)] = 1
    frame[BEGINS], frame[HASH], frame[SEATED] = 0, as_number(h), 1


@fast
def bounds_of(held: Transpositions, way: Way, into: Numbers) -> int:
    """Write the bounds of the first state of the path to `into`; return its work, 0 if none are known."""
    into[LOW], into[HIGH] = -UNKNOWN, UNKNOWN
    at = found_at(held, way[1], 0, as_word(way[2][HASH]))
    if at < 0:
        return 0
    note = note_in(held[0], at)
    into[LOW], into[HIGH] = low_of(note), high_of(note)
    return work_of(note)


@fast
def wander(plies: int, way: Way, now: Now) -> int:
    """Play random plies from the first state of the path; return the number of legal actions then."""
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
    """Play `games` random games of at most `most` plies; count their ends, in total and for each bit.

    `sums` holds the number of ends, and how many more of them are worth at least `gamma` than less, then both
    for each bit of a row, over the ends in which it is set. All images of an end count.
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
    """Move the measure of a row closer to its aim (normalized least mean squares).

    A measure beyond the aim is left alone, so the weights of a correct sum stay.
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
    """The difference in measure between two rows, in steps."""
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
    """The place in the history table of the change from one row to another."""
    h = ZERO
    for i in range(ROW):
        h = ((h ^ row[i] ^ path[before + i]) * FIRST_FACTOR) & FULL_WORD
    return as_number(h >> 52)  # as many bits as `HISTORY` has places for


@part
def take_listed_action(way: Way, ply: int, k: int, now: Now) -> int:
    """Play stored action k in the state at a ply of the path; see `chance.take_action`.

    If that ends the play, also because nobody can act, the state says so.
    """
    s, b, c, m, kept, _, _ = now
    restore(way[0], ply * ROW, s, b)
    if CHANCY:
        draw_again(c, 0)
    if PASSES:
        copy_action(m, 0, kept, k)
        return min(0, play(s, b, c, m, 0))
    ended = act(s, b, c, kept, k * WIDTH)
    if ended == 0 and not able(s, b, m):
        ended = STUCK
    if ended > 0:
        s[OVER_AT], s[ENDED_AT] = 1, ended
    return min(0, ended)


@part
def uneven(x: int, now: Now, images: Images) -> bool:
    """True if the end that was reached has value x and one of its images another value."""
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
    """The reason why the end that was reached, with value x, cannot be evaluated; 0 if it can."""
    if x >= UNKNOWN or x <= -UNKNOWN:
        return WILD
    return UNEVEN if uneven(x, now, images) else 0


@part
def better(side: int, x: int, y: int) -> int:
    """The better of two values for a side."""
    return max(x, y) if side == 1 else min(x, y)


@part
def enough(side: int, gamma: int, low_bound: int, high_bound: int) -> bool:
    """True if no further action matters, given the bounds so far."""
    return low_bound >= gamma if side == 1 else high_bound < gamma


@part
def insert_action(open_: Open, first: int, last: int, rank: int, number: int, act: int) -> None:
    """Insert an action into the open ones, highest rank first."""
    ranks, nums, acts, _ = open_
    i = last
    while i > first and ranks[i - 1] < rank:
        ranks[i], nums[i], acts[i] = ranks[i - 1], nums[i - 1], acts[i - 1]
        i -= 1
    ranks[i], nums[i], acts[i] = rank, number, act


@part
def expand(gamma: int, way: Way, open_: Open, order: Order, now: Now, images: Images, into: Numbers) -> int:
    """Play all actions of the last state of the path, and list in order those that must be searched.

    Returns 1 if an end suffices, which is put into the frame; otherwise 0 or an error status.
    """
    (path, _, frame, replies), rows = way, open_[3]
    measure, history = order
    s, b, c, _, kept, row, _ = now
    ply = into[PLY]
    f, first = FRAME * ply, frame[FRAME * ply + BEGINS]
    restore(path, ply * ROW, s, b)
    n = listing(s, b, kept)
    if n < 0:
        return n
    if (first + n) * ROW > len(rows):
        return NARROW
    side = 1 if (MAXIMISERS >> s[MOVER_AT]) & 1 == 1 else -1
    best_low, best_high = (-UNKNOWN, -UNKNOWN) if side == 1 else (UNKNOWN, UNKNOWN)
    last = first
    frame[f + SIDE], frame[f + REPLIED] = side, 0
    into[FOLLOWED] += 1
    for k in range(n):
        found = take_listed_action(way, ply, k, now)
        if CHANCY and c[ASKED] != ZERO:
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
                    copy_action(replies, ply - 1, kept, k)
                return 1
        else:
            pack(s, b, row)
            copy_row(rows, (first + k) * ROW, row, 0)
            act = change_of(row, path, ply * ROW)
            rank = side * FINE * measure_of(row, path, ply * ROW, measure) + history[act]
            insert_action(open_, first, last, rank, k, act)
            last += 1
    frame[f + ENDS], frame[f + AFTER], frame[f + NEXT] = last, first + n, first
    frame[f + BEST_LOW], frame[f + BEST_HIGH] = best_low, best_high
    return 0


@part
def try_reply(gamma: int, way: Way, rows: Words, first: int, now: Now, images: Images, into: Numbers) -> int:
    """Try the noted reply of the path's last state in a row, the position after an action.

    Returns 1 if that gives a sufficient end, whose value is put into `into`; otherwise 0 or an error status.
    """
    s, b, c, m, _, _, _ = now
    restore(rows, first, s, b)
    n = listing(s, b, m)
    if n < 0:
        return n
    side = 1 if (MAXIMISERS >> s[MOVER_AT]) & 1 == 1 else -1
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
def enter_next(gamma: int, search: Search) -> int:
    """Enter the state after the next open action.

    Returns 0 if it was entered, 1 if its bounds suffice (they are put into `into`), otherwise an error
    status.
    """
    way, open_, held, _, counts, now, images, into = search
    (path, keys, frame, _), row = way, now[5]
    ply = into[PLY]
    f, after = FRAME * ply, (ply + 1) * ROW
    if after + ROW > len(path):
        return DEEP
    if into[PLIES] != 0 and ply + 1 >= max(into[PLIES], -into[PLIES]):
        into[LOW], into[HIGH] = (-UNKNOWN, gamma - 1) if into[PLIES] > 0 else (gamma, UNKNOWN)
        return 1
    number = frame[f + BEGINS] + open_[1][frame[f + NEXT]]
    if frame[f + REPLIED] != 0:
        code = try_reply(gamma, way, open_[3], number * ROW, now, images, into)
        if code != 0:
            return code
    copy_row(path, after, open_[3], number * ROW)
    copy_row(row, 0, path, after)
    fold(row, images)
    h = hash_of(row, 0, ZERO)
    into[LOW], into[HIGH] = -UNKNOWN, UNKNOWN
    at = found_at(held, row, 0, h)
    if at >= 0:
        note = note_in(held[0], at)
        into[LOW], into[HIGH] = low_of(note), high_of(note)
        if into[LOW] >= gamma or into[HIGH] < gamma:
            return 1
    if counts[kind_of(h)] > 0:
        for other in range(ply + 1):
            if alike(keys, other * ROW, row, 0):
                return CYCLE
    counts[kind_of(h)] += 1
    copy_row(keys, after, row, 0)
    frame[f + FRAME + HASH], frame[f + FRAME + SEATED] = as_number(h), 1 if at >= 0 else 0
    frame[f + FRAME + BEGINS], frame[f + FRAME + BEGAN] = frame[f + AFTER], into[FOLLOWED]
    into[PLY], into[PHASE] = ply + 1, 0
    return 0


@part
def left_behind(
    gamma: int, way: Way, held: Transpositions, measure: Numbers, counts: Numbers, into: Numbers
) -> None:
    """Store the bounds of the last state of the path, copy them to `into`, and teach the measure."""
    (path, keys, frame, _), table = way, held[0]
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
    h = as_word(frame[f + HASH])
    counts[kind_of(h)] -= 1
    if work >= LEAST_WORK or frame[f + SEATED] != 0:
        at = found_at(held, keys, ply * ROW, h)
        if at >= 0:
            note = note_in(table, at)
            low_bound, high_bound = max(low_bound, low_of(note)), min(high_bound, high_of(note))
            write_note(table, at, note_of(low_bound, high_bound, work + work_of(note)))
        elif work >= LEAST_WORK or ply == 0:
            into[KNOWN] += take_seat(held, keys, ply * ROW, h, note_of(low_bound, high_bound, work))
    into[LOW], into[HIGH] = low_bound, high_bound
    into[PLY] = ply - 1


@part
def learn_order(f: int, k: int, frame: Numbers, open_: Open, history: Numbers) -> None:
    """Record in the history table that an action was right and those tried before it were not."""
    acts, first = open_[2], frame[f + BEGINS]
    history[acts[k]] += k - first
    for i in range(first, k):
        history[acts[i]] -= 1


@fast
def test(gamma: int, upto: int, most: int, search: Search) -> int:
    """Continue a test until it is done, `upto` states are expanded or the table has more than `most`."""
    way, open_, table, order, counts, now, images, into = search
    frame = way[2]
    while True:
        code = 0
        if into[PHASE] == 0:
            if into[FOLLOWED] >= upto:
                return PAUSED
            if into[KNOWN] > most:
                return ROOM
            code = expand(gamma, way, open_, order, now, images, into)
            if code < 0:
                return code
            into[PHASE] = 1
        f = FRAME * into[PLY]
        if code == 0 and frame[f + NEXT] < frame[f + ENDS]:
            code = enter_next(gamma, search)
            if code < 0:
                return code
            if code == 0:
                continue
        else:
            left_behind(gamma, way, table, order[0], counts, into)
            if into[PLY] < 0:
                return 0
            f -= FRAME
        k, side, low_bound, high_bound = frame[f + NEXT], frame[f + SIDE], into[LOW], into[HIGH]
        frame[f + NEXT] = k + 1
        low_bound = better(side, frame[f + BEST_LOW], low_bound)
        high_bound = better(side, frame[f + BEST_HIGH], high_bound)
        frame[f + BEST_LOW], frame[f + BEST_HIGH] = low_bound, high_bound
        if enough(side, gamma, low_bound, high_bound):
            learn_order(f, k, frame, open_, order[1])
            frame[f + NEXT] = frame[f + ENDS]
