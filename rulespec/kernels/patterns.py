"""Pattern databases: distances to a goal where most values of one type are taken for alike.

Values of a class may be exchanged for one another: the rules treat all alike, only the goal distinguishes
them. A pattern keeps a few of them apart and merges the others. Of the states that differ only by an
exchange of merged values one stands for all, the `normal` one. `grow` finds those that can be reached,
`label` gives each the least cost of a way to one that may stand for a goal. A ply costs 1 where all values
that it moves are kept apart by the pattern, so costs of disjoint patterns add up. Where a ply moves values of
both kinds every ply costs 1 (`UNIT`), and the greatest of the distances counts (J. Culberson and
J. Schaeffer, Pattern Databases, 1998; R. Korf and A. Felner, Disjoint Pattern Database Heuristics, 2002).

    terms    the shape of the game and the patterns; their numbers, the first of these being SIZES: places of
             rows that hold a value of the class (word, shift and mask of each), then of each value the places
             that a map has for it; of each pattern and value (the last is none) its kind; of each pattern
             its merged values; the places that the goal pins, with where their numbers begin in the last,
             which has for each pattern and number whether the goal allows it; room for images of values and
             for columns
    known    a table of places, rows, labels; the rows of pattern p are those from begins[p] to begins[p + 1]
"""

from __future__ import annotations

from .chance import actions_of, take_action
from .exploration import DONE, OUTS_FULL, PAUSED, ROOM
from .game import ROW
from .kit import FAULT, FULL_WORD, as_number, as_word, fast, part
from .packed_rows import alike, copy_row, hash_of, pack
from .shapes import Numbers, Play, Small, Tables, Terms, Words

Arcs = tuple[Small, Small]
"""Where the arcs of each row begin, and the arcs: twice the number of a row, and the cost."""

FAR = 1 << 20
"""The label of a state from which no goal can be reached."""
HELD, COLUMNS, VALUES, PATTERNS, PINS, ALLOWED, UNIT = range(7)
"""The places of sizes: places that hold a value, places for each value, values, patterns, pins, numbers that
pins may have, and 1 where every ply costs 1."""
OTHER, KEPT, MERGED = 0, 1, 2
"""The kinds of a value: not of the class, kept apart, merged."""


@part
def taken(row: Words, at: int, places: Numbers, i: int) -> int:
    """The number at a place of a row that begins at `at`."""
    return as_number(row[at + places[3 * i]] >> as_word(places[3 * i + 1]) & as_word(places[3 * i + 2]))


@part
def put(row: Words, places: Numbers, i: int, x: int) -> None:
    """Put a number to a place of a row."""
    word, shift = places[3 * i], as_word(places[3 * i + 1])
    mask = as_word(places[3 * i + 2]) << shift
    row[word] = row[word] & (mask ^ FULL_WORD) | as_word(x) << shift


@part
def below(row: Words, places: Numbers, sizes: Numbers, x: int, y: int) -> bool:
    """True if what maps hold for a value comes before what they hold for another."""
    for j in range(sizes[COLUMNS]):
        a = taken(row, 0, places, sizes[HELD] + x * sizes[COLUMNS] + j)
        b = taken(row, 0, places, sizes[HELD] + y * sizes[COLUMNS] + j)
        if a != b:
            return a < b
    return False


@part
def normal(row: Words, p: int, terms: Terms) -> None:
    """Make a row normal for a pattern: merged values come in their order, by where they are held first."""
    sizes, places, kinds, merged, _, _, room = terms
    values, each = sizes[VALUES], sizes[COLUMNS]
    kind, least, given = p * (values + 1), p * values, 0
    for x in range(values):
        room[x] = -1
    for i in range(sizes[HELD]):
        x = taken(row, 0, places, i)
        if kinds[kind + x] == MERGED:
            if room[x] < 0:
                room[x] = merged[least + given]
                given += 1
            put(row, places, i, room[x])
    if each > 0:
        for x in range(values):
            for j in range(each):
                room[values + x * each + j] = taken(row, 0, places, sizes[HELD] + x * each + j)
        while True:
            best = -1
            for x in range(values):
                left = kinds[kind + x] == MERGED and room[x] < 0
                if left and (best < 0 or below(row, places, sizes, x, best)):
                    best = x
            if best < 0:
                break
            room[best] = merged[least + given]
            given += 1
        for x in range(values):
            if kinds[kind + x] == MERGED:
                for j in range(each):
                    to = sizes[HELD] + room[x] * each + j
                    put(row, places, to, room[values + x * each + j])


@part
def cost(rows: Words, i: int, row: Words, p: int, terms: Terms, into: Numbers) -> int:
    """The cost of a ply from a row of `rows` to another row; into[2] is 1 after one that moves both kinds."""
    sizes, places, kinds = terms[0], terms[1], terms[2]
    if sizes[UNIT] != 0:
        return 1
    kind, kept, merged = p * (sizes[VALUES] + 1), 0, 0
    for j in range(sizes[HELD] + sizes[COLUMNS] * sizes[VALUES]):
        x, y = taken(rows, i * ROW, places, j), taken(row, 0, places, j)
        if x != y:
            if j >= sizes[HELD]:
                x = (j - sizes[HELD]) // sizes[COLUMNS]
                y = x
            if kinds[kind + x] == KEPT or kinds[kind + y] == KEPT:
                kept = 1
            if kinds[kind + x] == MERGED or kinds[kind + y] == MERGED:
                merged = 1
    if kept * merged != 0:
        into[2] = 1
    return kept


@part
def place_of(table: Small, rows: Words, row: Words, p: int, first: int, last: int) -> int:
    """The number of a normal row among those of a pattern; where it has none, -1 less the seat for it."""
    mask = len(table) - 1
    at = as_number(hash_of(row, 0, as_word(p)) & as_word(mask))
    while table[at] != 0:
        number = table[at] - 1
        if first <= number and number < last and alike(rows, number * ROW, row, 0):
            return number
        at = (at + 1) & mask
    return -1 - at


@fast
def seat_rows(p: int, first: int, last: int, known: Tables, row: Words) -> None:
    """Put rows of a pattern into the table."""
    table, rows, _, _ = known
    for number in range(first, last):
        copy_row(row, 0, rows, number * ROW)
        table[-1 - place_of(table, rows, row, p, first, first)] = number + 1


@fast
def enter(p: int, known: Tables, row: Words, terms: Terms, into: Numbers) -> int:
    """The number of the normal form of a row, taken in if it is new; ROOM without room. into[0]: how many."""
    table, rows, labels, begins = known
    normal(row, p, terms)
    found = place_of(table, rows, row, p, begins[p], into[0])
    if found < 0:
        if into[0] == len(labels):
            return ROOM
        copy_row(rows, into[0] * ROW, row, 0)
        table[-1 - found] = into[0] + 1
        labels[into[0]] = FAR
        found = into[0]
        into[0] += 1
    return found


@fast
def grow(
    p: int, known: Tables, now: Play, kept: Numbers, row: Words, terms: Terms, arcs: Arcs, into: Numbers,
    most: int,
) -> int:  # fmt: skip
    """Follow rows of a pattern from number into[1] on, so many at most, and write their arcs.

    into: the number of rows; at 2, see `cost`; at 3 the number of arcs of the pattern.
    """
    s, b, c, m = now
    rows, begins = known[1], known[3]
    firsts, outs = arcs
    while into[1] < into[0]:
        if most == 0:
            return PAUSED
        most -= 1
        i, first = into[1], into[3]
        n = actions_of(rows, i, s, b, m, kept)
        if n < 0:
            return n
        if first + n > len(outs) or i - begins[p] + 2 > len(firsts):
            return OUTS_FULL
        for k in range(n):
            found = take_action(rows, i, k, 0, s, b, c, m, kept)
            if found < FAULT:
                return found
            if found == FAULT:
                continue
            pack(s, b, row)
            price = cost(rows, i, row, p, terms, into)
            to = enter(p, known, row, terms, into)
            if to < 0:
                return to
            outs[first] = 2 * (to - begins[p]) + price
            first += 1
        into[3] = first
        into[1] += 1
        firsts[into[1] - begins[p]] = first
    return DONE


@part
def allowed(rows: Words, i: int, p: int, terms: Terms) -> bool:
    """True if a normal row may stand for a state at the goal."""
    sizes, pins, fits = terms[0], terms[4], terms[5]
    for j in range(sizes[PINS]):
        at = p * sizes[ALLOWED] + pins[3 * sizes[PINS] + j]
        if fits[at + taken(rows, i * ROW, pins, j)] == 0:
            return False
    return True


@fast
def label(p: int, last: int, known: Tables, terms: Terms, arcs: Arcs, back: Arcs, order: Small) -> None:
    """Label the rows of a pattern; `back` has room for each arc from its end, `order` for each row twice."""
    rows, labels, begins = known[1], known[2], known[3]
    (firsts, outs), (into, sources) = arcs, back
    first, count = begins[p], last - begins[p]
    for o in range(firsts[count]):
        into[(outs[o] >> 1) + 2] += 1
    for i in range(count):
        into[i + 2] += into[i + 1]
    for i in range(count):
        for o in range(firsts[i], firsts[i + 1]):
            to = outs[o] >> 1
            sources[into[to + 1]] = 2 * i + (outs[o] & 1)
            into[to + 1] += 1
    here, size, distance = 0, 0, 0
    for i in range(count):
        if allowed(rows, first + i, p, terms):
            labels[first + i] = 0
            order[size] = i
            size += 1
    while size > 0:
        done, more, there = 0, 0, count - here
        while done < size:
            i = order[here + done]
            done += 1
            if labels[first + i] != distance:
                continue
            for k in range(into[i], into[i + 1]):
                source, far = sources[k] >> 1, distance + (sources[k] & 1)
                if labels[first + source] > far:
                    labels[first + source] = far
                    if far == distance:
                        order[here + size] = source
                        size += 1
                    else:
                        order[there + more] = source
                        more += 1
        here, size = there, more
        distance += 1


@part
def estimate(rows: Words, i: int, row: Words, known: Tables, terms: Terms) -> int:
    """At most the number of plies from a row to the goal; FAR if it cannot be reached.

    A state that no table has tells nothing.
    """
    labels, begins, sizes = known[2], known[3], terms[0]
    result = 0
    for p in range(sizes[PATTERNS]):
        copy_row(row, 0, rows, i * ROW)
        normal(row, p, terms)
        number = place_of(known[0], known[1], row, p, begins[p], begins[p + 1])
        if number >= 0:
            far = labels[number]
            if far >= FAR:
                return FAR
            if sizes[UNIT] == 0:
                result += far
            elif far > result:
                result = far
    return result
