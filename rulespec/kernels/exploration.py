"""Breadth-first exploration: states are found, expanded, evaluated and traced back.

Rows of states are stored one after the other, and the number of a state is its place among them. A hash table
(0 for a free seat, else a state's number plus one) finds a row.
"""

from __future__ import annotations

from .chance import (
    MOST_OUTCOMES,
    WIDE,
    actions_of,
    add_missing_pick,
    next_picks,
    odds_of,
    put_back,
    take_action,
)
from .game import (
    CHANCY,
    ENDED_AT,
    FAULT_AT,
    OVER_AT,
    ROW,
    SETTING_UP,
    WHOLE,
    answer,
    pack,
    play,
    repack,
    unpack,
)
from .kit import ASKED, FAULT, ZERO, apart, as_number, as_word, fast, part, word
from .packed_rows import copy_row, key_of, mark_stuck, same_state
from .shapes import (
    Batch,
    Growing,
    Images,
    Known,
    Now,
    Numbers,
    State,
    VastNumbers,
    VastSmall,
    VastWords,
    Word,
    Words,
)
from .starts import draw_again, put_state
from .symmetries import fold

DONE, ROOM, NOWHERE, PAUSED = 0, -3, -6, -7
STARTS_FULL, WAYS_FULL, OUTS_FULL, UNLIKELY, TABLE_FULL, ENOUGH = range(-16, -22, -1)
"""Statuses besides those of plies and of `chance`: all done; rows of states are full; no predecessor;
requested work done; room for outcomes of the setup, for ways, for outcomes of ways is full; an outcome has
a probability below one in `MOST_ODDS`; the table is full; the limit of states is reached."""
STATES, PLACE, WAYS, OUTS, BEGUN, RESUMED, OUTCOMES, ACTION, PICKS, BRANCHES, HELD, SEEN, MOST = range(13)
"""The places of `into`: number of known states; place of the state to expand; number of ways (actions) and
of outcomes of ways written; outcomes of the setup, and number of picks with which the next begins;
outcomes played; for the state at that place the action to play, the picks with which it resumes, its
outcomes so far; number of outcomes waiting in the batch, and how many of these are numbered; limit of
states."""
PLACES = 13
FILLED_FROM, FILLED_OF = 3, 5
"""Maximum share of the seats of a table that are taken."""
BATCH = 128
"""Maximum number of outcomes that wait for their numbers."""
PARTS, PART_SHIFT = 64, 26
"""A table is filled in `PARTS` parts; the lower half of a hash, shifted by `PART_SHIFT`, selects one."""
LOW_HALF = word(0xFFFFFFFF)
SAMPLE = 64
"""The predecessor that first reached a state is noted for every state whose number is a multiple of this."""


@part
def numbers_below(table: VastSmall) -> int:
    """Mask of the bits of a table entry for a state's number plus one; the other bits are for its hash."""
    mask = len(table)
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    return mask | mask >> 16


@part
def seat_of(table: VastSmall, h: Word) -> int:
    """First seat for a hash."""
    return as_number((h & LOW_HALF) * as_word(len(table)) >> 32)


@part
def seat(table: VastSmall, rows: VastWords, other: Words, first: int, h: Word, mask: int) -> int:
    """The number of the state in `other`, found from a seat on; -1 minus its free seat if it is unknown."""
    at, size = seat_of(table, h), len(table)
    x = table[at]
    while x != 0:
        if (x ^ as_number(h) >> 32) & ~mask == 0:
            number = (x & mask) - 1
            if same_state(rows, number * ROW, other, first):
                return number
        at += 1
        if at == size:
            at = 0
        x = table[at]
    return -1 - at


@part
def entry_of(number: int, h: Word, mask: int) -> int:
    """The table entry of a state."""
    return as_number(h) >> 32 & ~mask | number + 1


@part
def room_for(known: Known, into: Numbers) -> int:
    """Number of states for which there is room."""
    return min(into[MOST], len(known[1]) // ROW, FILLED_FROM * len(known[0]) // FILLED_OF)


@part
def missing_room(known: Known, into: Numbers) -> int:
    """The status that names the array without room for another state."""
    if into[STATES] >= into[MOST]:
        return ENOUGH
    return ROOM if (into[STATES] + 1) * ROW > len(known[1]) else TABLE_FULL


@part
def take_in(known: Known, count: int, row: Words, at: int, h: Word, found: int, mask: int) -> None:
    """Add a row as state number `count`, for which there is room. `found` is the result of `seat`."""
    copy_row(known[1], count * ROW, row, at)
    known[0][-1 - found] = entry_of(count, h, mask)


@fast
def number_of(known: Known, row: Words, into: Numbers) -> int:
    """The number of a row; an unknown row is added as a state in which plays begin."""
    h, mask, count = key_of(row, 0), numbers_below(known[0]), into[STATES]
    found = seat(known[0], known[1], row, 0, h, mask)
    if found >= 0:
        return found
    if count >= room_for(known, into):
        return missing_room(known, into)
    take_in(known, count, row, 0, h, found, mask)
    if count % SAMPLE == 0:
        known[2][count // SAMPLE] = -1
    into[STATES] = count + 1
    return count


@fast
def place_of(known: Known, row: Words) -> int:
    """The number of a row; negative if it is not known."""
    return seat(known[0], known[1], row, 0, key_of(row, 0), numbers_below(known[0]))


@fast
def seat_all(table: VastSmall, rows: VastWords, count: int, room: VastWords, ends: Numbers) -> None:
    """Fill an empty table with `count` rows, all different.

    Entries wait in the room until many belong to the same part of the table, which keeps memory accesses
    close together (cf. Manegold, Boncz, Kersten 2002). `ends` has a number for each part.
    """
    mask, each = numbers_below(table), len(room) // PARTS
    for at in range(PARTS):
        ends[at] = 0
    for number in range(count):
        h = key_of(rows, number * ROW)
        at = as_number((h & LOW_HALF) >> PART_SHIFT)
        place = at * each + ends[at]
        room[place] = as_word(seat_of(table, h)) << 32 | as_word(entry_of(number, h, mask)) & LOW_HALF
        ends[at] += 1
        if ends[at] == each:
            seat_part(table, room, at * each, ends[at])
            ends[at] = 0
    for at in range(PARTS):
        seat_part(table, room, at * each, ends[at])


@part
def seat_part(table: VastSmall, room: VastWords, first: int, count: int) -> None:
    """Insert entries into the table, given the first seat of each."""
    for i in range(first, first + count):
        at = as_number(room[i] >> 32)
        while table[at] != 0:
            at += 1
            if at == len(table):
                at = 0
        table[at] = as_number((room[i] & LOW_HALF) << 32) >> 32


@apart
def absorb(known: Known, batch: Batch, into: Numbers, outs: VastSmall) -> int:
    """Number the outcomes that wait in the batch; new states follow all known ones.

    First the seats where the searches begin are read, then the rows there, so that these accesses to memory
    overlap. Most known states lie there.
    """
    table, rows, sources = known
    found, hashes, places = batch
    mask, count, most = numbers_below(table), into[STATES], room_for(known, into)
    for j in range(into[SEEN], into[HELD]):
        h = key_of(found, j * ROW)
        hashes[j] = h
        places[BATCH + j] = seat_of(table, h)
    for j in range(into[SEEN], into[HELD]):
        places[BATCH + j] = table[places[BATCH + j]]
    for j in range(into[SEEN], into[HELD]):
        x = places[BATCH + j]
        number = max(1, x & mask if (x ^ as_number(hashes[j]) >> 32) & ~mask == 0 else 1) - 1
        differing = ZERO
        for i in range(ROW):
            differing |= rows[number * ROW + i] ^ found[j * ROW + i]
        places[BATCH + j] = number if as_number(differing) == 0 else -1
    keep, first = len(outs) > 0, into[OUTS] - into[HELD]
    for j in range(into[SEEN], into[HELD]):
        number = places[BATCH + j]
        if number < 0:
            number = seat(table, rows, found, j * ROW, hashes[j], mask)
        if number < 0:
            if count >= most:
                into[SEEN], into[STATES] = j, count
                return missing_room(known, into)
            take_in(known, count, found, j * ROW, hashes[j], number, mask)
            if count % SAMPLE == 0:
                sources[count // SAMPLE] = places[j]
            number = count
            count += 1
        if keep:
            outs[first + j] = number
    into[HELD], into[SEEN], into[STATES] = 0, 0, count
    return 0


@part
def reset(first: State, s: Numbers, b: Words) -> None:
    """Restore the first state, in which play has neither ended nor faulted."""
    put_state(first[0], first[1], 0, s, b)
    s[ENDED_AT], s[FAULT_AT] = 0, 0


@part
def set_up(first: State, now: Now, given: int) -> int:
    """Put the state after the setup into the row of `now`, chance replaying `given` picks; see
    `take_with`."""
    s, b, c, m, _, row, radix = now
    while given >= 0:
        reset(first, s, b)
        draw_again(c, given)
        m[0] = SETTING_UP
        n = play(s, b, c, m, 0)
        if c[ASKED] == ZERO:
            if n < FAULT:
                return n
            if n == FAULT:
                reset(first, s, b)
                s[FAULT_AT] = 1
            pack(s, b, row)
            break
        given = add_missing_pick(c, radix, given)
    return given


@part
def take_with(k: int, given: int, now: Now, images: Images) -> int:
    """Put the state after stored action k of the stored state into the row of `now`, chance replaying picks.

    Appends the first outcome of each missing pick; returns the number of picks then, or an error status. The
    row is not marked if nobody can act.
    """
    s, b, c, _, _, row, radix = now
    while given >= 0:
        found = take_action(k, given, now)
        if CHANCY and c[ASKED] != ZERO:
            given = add_missing_pick(c, radix, given)
            continue
        if found < 0:
            return found
        repack(row, WHOLE, s, b, row)
        if len(images[1]) > 0:
            fold(row, images)
        break
    return given


@fast
def begin(
    first: State, known: Known, now: Now, into: Numbers, begun: VastSmall, odds: VastNumbers, last: int
) -> int:
    """Find the states after the setup, or pause after `last` outcomes; into[0] is the number of known states.

    If `begun` has room, it gets the state of each outcome, and `odds` the denominators of the probabilities;
    into[4] is the number of outcomes, into[5] the number of picks with which the next one begins. These picks
    are in c, each below its entry of `radix`; both must stay unchanged between calls.
    """
    _, _, c, _, _, row, radix = now
    while into[BEGUN] != last:
        given = set_up(first, now, into[RESUMED])
        if given < 0:
            return given
        into[RESUMED] = given
        found = number_of(known, row, into)
        if found < 0:
            return found
        if len(begun) > 0:
            if into[BEGUN] == len(begun):
                return STARTS_FULL
            begun[into[BEGUN]] = found
            odds[into[BEGUN]] = odds_of(radix, given)
            if odds[into[BEGUN]] == 0:
                return UNLIKELY
        into[BEGUN] += 1
        if into[BEGUN] > MOST_OUTCOMES:
            return WIDE
        into[RESUMED] = next_picks(c, radix, given)
        if into[RESUMED] == 0:
            return 0
    return PAUSED


@fast
def expand(last: int, most: int, order: VastSmall, growing: Growing, into: Numbers) -> int:
    """Expand states, by number or in `order`, from place into[PLACE] to before `last`.

    Pauses after about `most` states and outcomes, between states or between outcomes of chance. After any
    return, the next call resumes at the same outcome; the picks are in c (see `begin`). Ways are written if
    `firsts` has room: those of state i begin at firsts[i], the outcomes of way w at ways[w]; each outcome is
    the number of a state, and has probability 1 / odds if odds are kept. With `images`, the least image
    represents a state.
    """
    known, _, edges, _, batch = growing
    status = absorb(known, batch, into, edges[2])
    if status == 0:
        status = follow(last, most, order, growing, into)
        held = absorb(known, batch, into, edges[2])
        if held < 0:
            return held
    return status


@apart
def follow(last: int, most: int, order: VastSmall, growing: Growing, into: Numbers) -> int:
    """Like `expand`, but the last outcomes stay in the batch."""
    known, now, edges, images, batch = growing
    rows, (firsts, ways, outs, odds), (_, _, c, _, _, row, radix) = known[1], edges, now
    keep, pause = len(firsts) > 0, into[PLACE] + into[OUTCOMES] + most
    while into[PLACE] < last:
        if into[PLACE] + into[OUTCOMES] >= pause:
            return PAUSED
        i = into[PLACE]
        if len(order) > 0:
            i = order[i]
        n = store_legal_actions(rows, i, now)
        if n < 0:
            return n
        if keep and into[ACTION] == 0 and into[BRANCHES] == 0:
            firsts[i] = into[WAYS]
        while into[ACTION] < n:
            if CHANCY and into[PLACE] + into[OUTCOMES] >= pause:
                return PAUSED
            if into[HELD] == BATCH:
                status = absorb(known, batch, into, outs)
                if status < 0:
                    return status
            if keep and into[BRANCHES] == 0:
                if into[WAYS] + 1 >= len(ways):
                    return WAYS_FULL
                ways[into[WAYS]] = into[OUTS]
            given = take_with(into[ACTION], into[PICKS] if CHANCY else 0, now, images)
            if given < 0:
                return given
            if keep:
                if into[OUTS] == len(outs):
                    into[PICKS] = given
                    return OUTS_FULL
                if len(odds) > 0:
                    odds[into[OUTS]] = odds_of(radix, given)
                    if odds[into[OUTS]] == 0:
                        return UNLIKELY
                into[OUTS] += 1
            copy_row(batch[0], into[HELD] * ROW, row, 0)
            batch[2][into[HELD]] = into[PLACE]
            into[HELD] += 1
            into[OUTCOMES] += 1
            if CHANCY:
                into[BRANCHES] += 1
                if into[BRANCHES] > MOST_OUTCOMES:
                    return WIDE
                into[PICKS] = next_picks(c, radix, given)
            if not CHANCY or into[PICKS] == 0:
                into[WAYS] += 1
                into[ACTION] += 1
                into[BRANCHES] = 0
        into[PLACE] += 1
        into[ACTION] = 0
    return 0


@part
def store_legal_actions(rows: VastWords, number: int, now: Now) -> int:
    """Store the legal actions of the state in a row, and mark the row if there are none; see `actions_of`."""
    n = actions_of(rows, number, now)
    if n == 0 and now[0][OVER_AT] == 0 and now[0][FAULT_AT] == 0:
        mark_stuck(rows, number * ROW)
    return n


@fast
def settle_all(first: int, last: int, rows: VastWords, now: Now) -> int:
    """Mark the states from `first` to before `last` in which nobody can act; 0, or an error status."""
    for number in range(first, last):
        n = store_legal_actions(rows, number, now)
        if n < 0:
            return n
    return 0


@fast
def origin(first: State, rows: VastWords, number: int, now: Now, images: Images) -> int:
    """Find picks in the setup that lead to a state, and leave them in c; a negative status without any."""
    _, _, c, _, _, row, radix = now
    given = 0
    while True:
        given = set_up(first, now, given)
        if given < 0:
            return given
        fold(row, images)
        if same_state(rows, number * ROW, row, 0):
            return given
        given = next_picks(c, radix, given)
        if given == 0:
            return NOWHERE


@fast
def step_from(before: Words, at: int, rows: VastWords, number: int, now: Now, images: Images) -> int:
    """Find an action, by its place in `kept`, that leads from a row to a state; its picks are left in c."""
    _, _, c, _, _, row, radix = now
    for k in range(actions_of(before, at, now)):
        given = 0
        while True:
            given = take_with(k, given, now, images)
            if given < 0:
                return given
            if same_state(rows, number * ROW, row, 0):
                return k
            given = next_picks(c, radix, given)
            if given == 0:
                break
    return NOWHERE


@fast
def source(
    first: int, last: int, order: VastSmall, rows: VastWords, number: int, now: Now, images: Images
) -> int:
    """The first state in `order` (or by number), from `first` to before `last`, that precedes a state."""
    for place in range(first, last):
        i = place
        if len(order) > 0:
            i = order[place]
        if step_from(rows, i, rows, number, now, images) >= 0:
            return i
    return NOWHERE


@fast
def scan(question: int, first: int, last: int, rows: VastWords, now: Now, notes: VastNumbers) -> None:
    """Write the answer to a question for each state from `first` to before `last`."""
    for i in range(first, last):
        put_back(rows, i, now)
        notes[i - first] = answer(question, now[0], now[1])


@fast
def load_state(row: Words, now: Now) -> None:
    """Restore the state of a row."""
    unpack(row, 0, now[0], now[1])
