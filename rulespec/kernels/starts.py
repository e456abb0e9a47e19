"""States and actions in lists, and the beginnings of plays."""

from __future__ import annotations

from .game import CELLS, SETTING_UP, WIDTH, WORDS, opening
from .kit import ASKED, DRAWS, GIVEN, ONE, RANDOM, STATE, USED, ZERO, as_word, part
from .shapes import Numbers, Play, Root, State, Word, Words


@part
def put_state(cells: Numbers, words: Words, i: int, s: Numbers, b: Words) -> None:
    """Load state i of a list."""
    for k in range(CELLS):
        s[k] = cells[i * CELLS + k]
    for k in range(WORDS):
        b[k] = words[i * WORDS + k]


@part
def copy_action(to: Numbers, i: int, rows: Numbers, k: int) -> None:
    """Copy action k of a list to place i of another."""
    for x in range(WIDTH):
        to[i * WIDTH + x] = rows[k * WIDTH + x]


@part
def same_action(rows: Numbers, i: int, others: Numbers, k: int) -> bool:
    """True if an action of one list equals an action of another."""
    for x in range(WIDTH):
        if rows[i * WIDTH + x] != others[k * WIDTH + x]:
            return False
    return True


@part
def restart(now: Play, root: Root) -> None:
    """Restore the start, with its legal actions."""
    put_state(root[0], root[1], 0, now[0], now[1])
    for i in range(len(root[2])):
        now[3][i] = root[2][i]


@part
def draw_again(c: Words, given: int) -> None:
    """Make chance replay the first `given` picks."""
    c[RANDOM] = ZERO
    c[GIVEN] = as_word(given)
    c[USED] = ZERO
    c[ASKED] = ZERO
    c[DRAWS] = ZERO


@part
def set_out(first: State, now: Play, state: Word) -> int:
    """Set up with the generator in the given state; return the number of legal actions, as `step` does.

    Picks must be random in c.
    """
    s, b, c, m = now
    put_state(first[0], first[1], 0, s, b)
    c[STATE] = state | ONE
    m[0] = SETTING_UP
    return opening(s, b, c, m, 0)


@part
def kind_of(m: Numbers, k: int, kinds: int) -> int:
    """The kind of action k in m: a hash of its row, below `kinds`, a power of two."""
    h = 0
    for i in range(WIDTH):
        h = (h * 1000003 + m[k * WIDTH + i] + 7) & 0xFFFFFFFFFF
    return (h ^ (h >> 19)) & (kinds - 1)
