"""A checker for LRAT proofs; see `solver/certificates/lrat.py` for the format and the conditions on a step.

Clauses are stored one after the other in `store`, each ended by a 0, and begin at `begins`: first those of
the formula, then the added ones, whose numbers ascend in `names`. A literal is true while its mark is the
number of the step. A rejected proof counts for nothing: the checker does not say why.
"""

from __future__ import annotations

from .kit import BYTE, as_number, as_word, fast, part
from .shapes import Numbers, Small, Words

HOLDS, FAILS = 1, 0
AT, VALUE, STORED, ADDED, LAST = range(5)
"""The places of `into`: position in the text, the number that was read, size of the store, number of added
clauses, and the number of the last one."""
NUMBER, DELETION, LINE_END, ODD = range(4)
"""The kinds of tokens."""
SPACE, NEW_LINE, MINUS, NINE, DIGIT, LETTER = 32, 10, 45, 57, 48, 100
LARGEST = 1 << 40
NO_CLAUSE = -1


@part
def byte_at(text: Words, at: int) -> int:
    """A byte of the text."""
    return as_number(text[at >> 3] >> as_word(8 * (at & 7)) & BYTE)


@part
def read_token(text: Words, length: int, into: Numbers) -> int:
    """Read the next number, a `d`, or the end of a line; `ODD` for anything else."""
    at = into[AT]
    while at < length and byte_at(text, at) == SPACE:
        at += 1
    if at == length:
        into[AT] = at
        return LINE_END
    c = byte_at(text, at)
    if c == NEW_LINE:
        into[AT] = at + 1
        return LINE_END
    if c == LETTER:
        into[AT] = at + 1
        return DELETION if at + 1 < length and byte_at(text, at + 1) == SPACE else ODD
    sign = 1
    if c == MINUS:
        sign = -1
        at += 1
    x, first = 0, at
    while at < length and x < LARGEST:
        c = byte_at(text, at)
        if c < DIGIT or c > NINE:
            break
        x = 10 * x + c - DIGIT
        at += 1
    if at == first or x >= LARGEST or (sign < 0 and x == 0):
        return ODD
    if at < length and byte_at(text, at) != SPACE and byte_at(text, at) != NEW_LINE:
        return ODD
    into[AT], into[VALUE] = at, sign * x
    return NUMBER


@part
def place_of(name: int, size: int, begins: Numbers, names: Numbers, added: int) -> int:
    """The place of a clause by its number; negative if it does not exist."""
    if name <= size:
        return name - 1
    low, high = 0, added
    while low < high:
        middle = (low + high) >> 1
        if names[middle] < name:
            low = middle + 1
        else:
            high = middle
    if low == added or names[low] != name or begins[size + low] < 0:
        return NO_CLAUSE
    return size + low


@part
def mark_of(literal: int) -> int:
    """The place of a literal's mark."""
    return 2 * literal if literal > 0 else 1 - 2 * literal


@part
def follow(begin: int, store: Small, marks: Small, step: int) -> int:
    """Propagate a clause: 0 if all its literals are false, 1 if only one is open and becomes true, else 2."""
    unit, at = 0, begin
    literal = store[at]
    while literal != 0:
        if marks[mark_of(-literal)] != step and literal != unit:
            if unit != 0:
                return 2
            unit = literal
        at += 1
        literal = store[at]
    if unit == 0:
        return 0
    marks[mark_of(unit)] = step
    return 1


@part
def add_clause(number: int, size: int, variables: int, text: Words, length: int, store: Small,
               begins: Numbers, names: Numbers, marks: Small, into: Numbers) -> int:  # fmt: skip
    """Read a clause and its hints, and add it if they prove it: 1 if so, 2 if it is empty, 0 if not."""
    step, begin = into[ADDED] + 1, into[STORED]
    while True:
        if into[VALUE] == 0:
            break
        literal = into[VALUE]
        if literal > variables or literal < -variables:
            return FAILS
        store[into[STORED]] = literal
        into[STORED] += 1
        marks[mark_of(-literal)] = step
        if read_token(text, length, into) != NUMBER:
            return FAILS
    store[into[STORED]] = 0
    into[STORED] += 1
    shown = FAILS
    while True:
        if read_token(text, length, into) != NUMBER:
            return FAILS
        hint = into[VALUE]
        if hint == 0:
            break
        if shown == HOLDS or hint < 0:
            return FAILS
        place = place_of(hint, size, begins, names, into[ADDED])
        if place < 0:
            return FAILS
        open_ = follow(begins[place], store, marks, step)
        if open_ == 2:
            return FAILS
        if open_ == 0:
            shown = HOLDS
    if shown == FAILS or read_token(text, length, into) != LINE_END:
        return FAILS
    names[into[ADDED]], begins[size + into[ADDED]] = number, begin
    into[ADDED], into[LAST] = step, number
    return 2 if store[begin] == 0 else HOLDS


@part
def delete_clauses(
    size: int, text: Words, length: int, begins: Numbers, names: Numbers, into: Numbers
) -> int:
    """Read the numbers of clauses that are no longer needed, and delete them."""
    while True:
        if read_token(text, length, into) != NUMBER:
            return FAILS
        name = into[VALUE]
        if name == 0:
            break
        if name > size:
            place = place_of(name, size, begins, names, into[ADDED])
            if place >= 0:
                begins[place] = NO_CLAUSE
    return HOLDS if read_token(text, length, into) == LINE_END else FAILS


@fast
def check_proof(size: int, variables: int, text: Words, length: int, store: Small, begins: Numbers,
                names: Numbers, marks: Small, into: Numbers) -> int:  # fmt: skip
    """The number of clauses that a proof adds up to the empty clause; 0 if it is rejected.

    `store` begins with the `size` clauses of the formula over at most `variables` variables; into[2] is its
    size, into[4] the number of clauses.
    """
    place = 0
    for number in range(size):
        begins[number] = place
        while store[place] != 0:
            place += 1
        place += 1
    while into[AT] < length:
        if read_token(text, length, into) != NUMBER:
            return 0
        number, kind = into[VALUE], read_token(text, length, into)
        if kind == DELETION:
            if delete_clauses(size, text, length, begins, names, into) == FAILS:
                return 0
            continue
        if kind != NUMBER or number <= into[LAST]:
            return 0
        shown = add_clause(number, size, variables, text, length, store, begins, names, marks, into)
        if shown == FAILS:
            return 0
        if shown == 2:
            return into[ADDED]
    return 0
