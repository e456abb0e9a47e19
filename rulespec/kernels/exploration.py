"""Breadth-first exploration: states are found, followed, evaluated and traced back.

Rows of states lie one behind the other, the number of a state is its place among them. A table of places
(0 for a free seat, else a number and one) finds a row.
"""

from __future__ import annotations

from .chance import MOST_OUTCOMES, WIDE, actions_of, draw_again, missing, next_picks, odds_of, take_action
from .game import FAULT_AT, ROW, SETTING_UP, answer, play
from .kit import ASKED, FAULT, ZERO, as_number, as_word, fast, part
from .packed_rows import alike, copy_row, hash_of, pack, unpack
from .shapes import Edges, Images, Known, Now, Numbers, Small, State, Words
from .symmetries import fold

DONE, ROOM, NOWHERE, PAUSED = 0, -3, -6, -7
STARTS_FULL, WAYS_FULL, OUTS_FULL, UNLIKELY = -16, -17, -18, -19
"""The statuses with which a function returns, beside those of plies and of `chance`: all is done; the rows of
states are full; nothing leads there; the requested work is done; the room for outcomes of the setup, for
ways, for outcomes of ways is full; an outcome of chance has a probability below one in `MOST_ODDS`."""


@fast
def seat(table: Small, rows: Words, other: Words, first: int) -> int:
    """The number of the row in `other` from `first` on; where it is not known, -1 less the seat for it."""
    mask = len(table) - 1
    at = as_number(hash_of(other, first, ZERO) & as_word(mask))
    while table[at] != 0:
        number = table[at] - 1
        if alike(rows, number * ROW, other, first):
            return number
        at = (at + 1) & mask
    return -1 - at


@fast
def number_of(known: Known, row: Words, parent: int, into: Numbers) -> int:
    """The number of a row, which is taken in if it is not known: ROOM without room; into[0]: how many are."""
    table, rows, parents = known
    found, count = seat(table, rows, row, 0), into[0]
    if found >= 0:
        return found
    if count == len(parents):
        return ROOM
    copy_row(rows, count * ROW, row, 0)
    table[-1 - found] = count + 1
    parents[count] = parent
    into[0] = count + 1
    return count


@fast
def seat_all(table: Small, rows: Words, count: int) -> None:
    """Fill an empty table with so many rows."""
    for number in range(count):
        table[-1 - seat(table, rows, rows, number * ROW)] = number + 1


@part
def reset(first: State, s: Numbers, b: Words) -> None:
    """Put the first state back."""
    cells, words = first
    for i in range(len(cells)):
        s[i] = cells[i]
    for i in range(len(words)):
        b[i] = words[i]


@part
def set_up(first: State, now: Now, given: int) -> int:
    """Put what the setup leads to into the row of `now`, chance replaying so many picks; see `take_with`."""
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
        given = missing(c, radix, given)
    return given


@part
def take_with(rows: Words, i: int, k: int, given: int, now: Now, images: Images) -> int:
    """Put what stored action k of a state leads to into the row of `now`, chance replaying so many picks.

    Those that are missing are added, the first of each; how many there are then, or what is wrong.
    """
    s, b, c, m, kept, row, radix = now
    while given >= 0:
        found = take_action(rows, i, k, given, s, b, c, m, kept)
        if c[ASKED] == ZERO:
            if found < FAULT:
                return found
            pack(s, b, row)
            fold(row, images)
            break
        given = missing(c, radix, given)
    return given


@part
def note_outcome(at: int, number: int, outs: Small, odds: Numbers, radix: Numbers, given: int) -> int:
    """Note the state of an outcome, and the denominator of its probability if odds are kept."""
    outs[at] = number
    if len(odds) > 0:
        odds[at] = odds_of(radix, given)
        if odds[at] == 0:
            return UNLIKELY
    return 0


@fast
def begin(first: State, known: Known, now: Now, into: Numbers, begun: Small, odds: Numbers, last: int) -> int:
    """See the states that the setup may lead to, or pause after `last` outcomes; into[0]: how many are known.

    If `begun` has room, the state of each outcome is put there and the denominator of its probability in
    `odds`; into[4]: the number of outcomes; into[5]: the number of picks that the next one begins with, which
    lie in c, each below its entry of `radix`: both must stay unchanged between calls.
    """
    _, _, c, _, _, row, radix = now
    while into[4] != last:
        given = set_up(first, now, into[5])
        if given < 0:
            return given
        into[5] = given
        found = number_of(known, row, -1, into)
        if found < 0:
            return found
        if len(begun) > 0:
            if into[4] == len(begun):
                return STARTS_FULL
            wrong = note_outcome(into[4], found, begun, odds, radix, given)
            if wrong != 0:
                return wrong
        into[4] += 1
        if into[4] > MOST_OUTCOMES:
            return WIDE
        into[5] = next_picks(c, radix, given)
        if into[5] == 0:
            return 0
    return PAUSED


@fast
def expand(
    last: int, order: Small, known: Known, now: Now, into: Numbers, edges: Edges, images: Images, most: int
) -> int:
    """Follow every action of states, those by number, or in `order`, from place into[1] on up to `last`.

    into: the number of states; the place of the one to follow; the numbers of ways (actions) and of outcomes
    of ways written; at 6, the number of outcomes followed; from 7 on, for the state at that place: the action
    to follow, the number of picks it resumes with, which lie in c (see `begin`), and the number of its
    outcomes so far. It pauses after `most` outcomes. After any return, the next call resumes at the same
    outcome. Ways are written if `firsts` has room: those of state i begin at firsts[i], the outcomes of way w
    at ways[w]; each outcome is the number of a state, and has probability 1 / odds if odds are kept. If
    there are `images`, a state is represented by the least of its own.
    """
    rows, (firsts, ways, outs, odds), (s, b, c, m, kept, row, radix) = known[1], edges, now
    keep, pause = len(firsts) > 0, into[6] + most
    while into[1] < last:
        i = into[1]
        if len(order) > 0:
            i = order[i]
        n = actions_of(rows, i, s, b, m, kept)
        if n < 0:
            return n
        if keep and into[7] == 0 and into[9] == 0:
            firsts[i] = into[2]
        while into[7] < n:
            if into[6] == pause:
                return PAUSED
            if keep and into[9] == 0:
                if into[2] + 1 >= len(ways):
                    return WAYS_FULL
                ways[into[2]] = into[3]
            given = take_with(rows, i, into[7], into[8], now, images)
            if given < 0:
                return given
            into[8] = given
            to = number_of(known, row, i, into)
            if to < 0:
                return to
            if keep:
                if into[3] == len(outs):
                    return OUTS_FULL
                wrong = note_outcome(into[3], to, outs, odds, radix, given)
                if wrong != 0:
                    return wrong
                into[3] += 1
            into[6] += 1
            into[9] += 1
            if into[9] > MOST_OUTCOMES:
                return WIDE
            into[8] = next_picks(c, radix, given)
            if into[8] == 0:
                into[2] += 1
                into[7] += 1
                into[9] = 0
        into[1] += 1
        into[7] = 0
    return 0


@fast
def look_ahead(first: int, last: int, known: Known, now: Now, images: Images, marks: Small) -> int:
    """Mark the states, the last first, of which an action can lead to a marked one; how many are left."""
    (table, rows, _), (s, b, c, m, kept, row, radix) = known, now
    left = 0
    for back in range(last - first):
        i = last - 1 - back
        if marks[i] != 0:
            continue
        for k in range(actions_of(rows, i, s, b, m, kept)):
            given = 0
            while marks[i] == 0:
                given = take_with(rows, i, k, given, now, images)
                if marks[seat(table, rows, row, 0)] != 0:
                    marks[i] = 1
                given = next_picks(c, radix, given)
                if given <= 0:
                    break
            if marks[i] != 0:
                break
        if marks[i] == 0:
            left += 1
    return left


@fast
def origin(first: State, rows: Words, number: int, now: Now, images: Images) -> int:
    """Find picks in the setup that lead to a state, and leave them in c; negative where there are none."""
    _, _, c, _, _, row, radix = now
    given = 0
    while True:
        given = set_up(first, now, given)
        if given < 0:
            return given
        fold(row, images)
        if alike(rows, number * ROW, row, 0):
            return given
        given = next_picks(c, radix, given)
        if given == 0:
            return NOWHERE


@fast
def step_to(before: Words, rows: Words, number: int, now: Now, images: Images) -> int:
    """Find an action, by its place in `kept`, that leads from a row to a state; its picks are left in c."""
    s, b, c, m, kept, row, radix = now
    for k in range(actions_of(before, 0, s, b, m, kept)):
        given = 0
        while True:
            given = take_with(before, 0, k, given, now, images)
            if given < 0:
                return given
            if alike(rows, number * ROW, row, 0):
                return k
            given = next_picks(c, radix, given)
            if given == 0:
                break
    return NOWHERE


@fast
def scan(question: int, first: int, last: int, rows: Words, s: Numbers, b: Words, notes: Numbers) -> None:
    """Note the answer to a question about each state from the first to before the last."""
    for i in range(first, last):
        unpack(rows, i, s, b)
        notes[i - first] = answer(question, s, b)
