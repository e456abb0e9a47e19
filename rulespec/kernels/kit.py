"""The functions that the code of a game and the kernels call.

A number is a signed whole number of 64 bits, a word an unsigned one; `NONE` represents none. `c` is the
source of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .shapes import Numbers, Word, Words

F = TypeVar("F", bound=Callable[..., Any])
FAULT, FULL = -1, -2
"""Results of a ply in place of the number of legal actions: it faulted; the buffer is full."""
NONE = -(1 << 60)
ZERO, ONE = 0, 1
BIT = tuple(1 << i for i in range(64))
FULL_WORD = (1 << 64) - 1
FIVES, THREES, FIFTEENS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
ONES, TOPS, BYTE, FIFTEEN = 0x0101010101010101, 0x8080808080808080, 0xFF, 0xF
EIGHTS, SHIFTS = 0x0808080808080808, 63
IN_BYTE, IN_TEN = (
    tuple(
        sum(at << 4 * k for k, at in enumerate(i for i in range(bits) if held >> i & 1))
        for held in range(1 << bits)
    )
    for bits in (8, 10)
)
"""Positions of the set bits of each byte, and of each ten bits, lowest first, four bits for each."""
UP_TO = tuple(sum((byte & (2 << i) - 1).bit_count() << 8 * i for i in range(8)) for byte in range(256))
"""For each byte, in eight bytes, the number of set bits up to each of its bits."""
FIRST_FACTOR, SECOND_FACTOR, CHOICE_FACTOR = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 0x2545F4914F6CDD1D

STATE, RANDOM, GIVEN, USED, ASKED, WHERE, DRAWS, FIRST = range(8)
"""The places of a source of chance: state of its generator, whether picks are random, number of given
picks, number of used ones, the missing pick (out of this many, else 0) and the draw it belongs to, number
of draws, and where the given picks begin."""


def fast(function: F) -> F:
    """Mark a function that may be called from outside."""
    return function


def part(function: F) -> F:
    """Mark a function that only other kernel functions call."""
    return function


def apart(function: F) -> F:
    """Mark a function that only other kernel functions call, too seldom to take up their registers."""
    return function


def word(value: int) -> int:
    """A constant word."""
    return value


def table(values: Sequence[int]) -> Sequence[int]:
    """A table of whole numbers."""
    return tuple(values)


def masks(values: Sequence[int]) -> Sequence[int]:
    """A table of words."""
    return tuple(values)


def low(x: int) -> int:
    """The position of the lowest set bit of a nonzero word."""
    return (x & -x).bit_length() - 1


def high(x: int) -> int:
    """The position of the highest set bit of a nonzero word."""
    return x.bit_length() - 1


def count(x: int) -> int:
    """Number of bits of a word that are set."""
    return x.bit_count()


def nth(x: Word, k: int) -> int:
    """The position of the set bit of a word that has k set bits below it; there must be one.

    Finds the byte by counting bits byte by byte (S. Vigna, Broadword implementation of rank/select queries,
    2008), then uses a table; a branch would often be mispredicted.
    """
    sums = fourths(x)
    sums = ((sums + (sums >> 4) & FIFTEENS) * ONES) & FULL_WORD  # in each byte the bits up to its end
    at = 8 * count(((as_word(k) * ONES | TOPS) - sums) & TOPS)
    left = k - as_number((sums << 8 & FULL_WORD) >> at & BYTE)
    return at + as_number(IN_BYTE[as_number(x >> at & BYTE)] >> (4 * left) & FIFTEEN)


def nth_of_ten(x: Word, k: int) -> int:
    """Like `nth`, for a word of at most ten bits, by a table alone."""
    return as_number(IN_TEN[as_number(x)] >> (4 * k) & FIFTEEN)


def nth_of_three(x: Word, y: Word, z: Word, k: int, steps: Word) -> tuple[int, int]:
    """The k-th set bit (from 0) of three words read together, position by position.

    Returns its position, and the signed byte of `steps` that belongs to its word, the highest for the first
    word. The bit must exist. Like `nth`, then by a table of the sums within a byte. With more than 127 set
    bits, for which bytes have no room, half are left out.
    """
    base = 0
    sums = eighths(x, y, z)
    if as_number(sums) < 0:
        lower = FULL_WORD >> 32
        half = as_number(sums >> 24 & BYTE)
        if k < half:
            x, y, z = x & lower, y & lower, z & lower
        else:
            x, y, z, k, base = x >> 32, y >> 32, z >> 32, k - half, 32
        sums = eighths(x, y, z)
    at = 8 * count(((as_word(k) * ONES | TOPS) - sums) & TOPS)
    k -= as_number((sums << 8 & FULL_WORD) >> at & BYTE)
    first, second = UP_TO[as_number(x >> at & BYTE)], UP_TO[as_number(y >> at & BYTE)]
    sums = first + second + UP_TO[as_number(z >> at & BYTE)]
    wanted = as_word(k) * ONES | TOPS
    further = count((wanted - sums) & TOPS)
    sums = (sums << 8) + first - (first << 8)
    after = (wanted - sums >> 4 & EIGHTS) + (wanted - (sums + second - (second << 8)) >> 4 & EIGHTS)
    shift = as_word(after) >> 8 * further & SHIFTS
    return base + at + further, as_number(steps << shift & FULL_WORD) >> 56


def eighths(x: Word, y: Word, z: Word) -> Word:
    """In each byte, the number of set bits of three words up to its end."""
    sums = fourths(x) + fourths(y) + fourths(z)
    return (((sums & FIFTEENS) + (sums >> 4 & FIFTEENS)) * ONES) & FULL_WORD


def fourths(x: Word) -> Word:
    """In each four bits of a word, the number of set ones."""
    x -= x >> 1 & FIVES
    return (x & THREES) + (x >> 2 & THREES)


def move(s: Numbers, to: int, first: int, size: int) -> None:
    """Copy consecutive numbers; the two places may overlap."""
    if to < first:
        for i in range(size):
            s[to + i] = s[first + i]
    elif to > first:
        for i in range(size - 1, -1, -1):
            s[to + i] = s[first + i]


def keep(s: Numbers, at: int, kept: int, first: int, size: int) -> None:
    """Update a list in place: keep its first `kept` elements, then append a run of numbers, of any list."""
    move(s, at + 1 + kept, first, size)
    resize(s, at, kept + size)


def resize(s: Numbers, at: int, size: int) -> None:
    """Give a list a size. The rest of its room stays 0, so that equal lists are stored alike."""
    for i in range(size, s[at]):
        s[at + 1 + i] = 0
    s[at] = size


def same(s: Numbers, first: int, size: int, other: int, count: int) -> bool:
    """True if two lists are equal."""
    if size != count:
        return False
    for i in range(size):
        if s[first + i] != s[other + i]:
            return False
    return True


def in_list(s: Numbers, first: int, size: int, x: int) -> bool:
    """True if a list contains a value."""
    for i in range(size):
        if s[first + i] == x:
            return True
    return False


def as_word(x: int) -> int:
    """The word with the bits of a whole number."""
    return x & FULL_WORD


def as_number(x: int) -> int:
    """The whole number with the bits of a word."""
    return x - (x >> 63 << 64)


def mix(x: Word) -> Word:
    """A word in which every bit depends on many bits of another (the finisher of MurmurHash3)."""
    x = ((x ^ (x >> 33)) * FIRST_FACTOR) & FULL_WORD
    x = ((x ^ (x >> 33)) * SECOND_FACTOR) & FULL_WORD
    return x ^ (x >> 33)


def choose(c: Words, n: int) -> int:
    """A random whole number from 0 to n - 1 (xorshift64*, the upper half of its product)."""
    x = c[STATE]
    x ^= x >> 12
    x = (x ^ (x << 25)) & FULL_WORD
    x ^= x >> 27
    c[STATE] = x
    return as_number(((((x * CHOICE_FACTOR) & FULL_WORD) >> 32) * as_word(n)) >> 32)


def drawn(c: Words) -> None:
    """Count the beginning of a draw."""
    c[DRAWS] += ONE


def pick(c: Words, n: int) -> int:
    """An outcome of chance, from 0 to n - 1: random, or the next one given."""
    if c[RANDOM] != ZERO:
        return choose(c, n)
    if c[USED] < c[GIVEN]:
        c[USED] += ONE
        return as_number(c[FIRST - 1 + as_number(c[USED])])
    if c[ASKED] == ZERO:
        c[ASKED] = as_word(n)
        c[WHERE] = c[DRAWS]
    return 0


def exponential(x: float) -> float:
    """e to the power of x, to six digits for x below 50: a short series for x / 1024, squared ten times."""
    y = x / 1024.0
    power = 1.0 + y * (1.0 + y / 2.0 * (1.0 + y / 3.0 * (1.0 + y / 4.0 * (1.0 + y / 5.0))))
    for _ in range(10):
        power *= power
    return power


__all__ = [
    "BIT", "NONE", "ONE", "ZERO", "apart", "as_number", "as_word", "choose", "count", "drawn", "fast",
    "high", "in_list", "keep", "low", "masks", "mix", "move", "nth", "nth_of_ten", "nth_of_three", "part",
    "pick", "resize", "same", "table", "word",
]  # fmt: skip
