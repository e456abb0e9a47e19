"""The functions that the code of a game and the kernels call, in plain Python.

A number is a whole number of 64 bits with a sign, a word one of 64 bits without; none is `NONE`. `c` is the
source of chance.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
FAULT, FULL = -1, -2
"""The results of a ply in place of the number of legal actions: it faulted; the buffer has no room for
more."""
NONE = -(1 << 60)
ZERO, ONE = 0, 1
BIT = tuple(1 << i for i in range(64))
FULL_WORD = (1 << 64) - 1

STATE, RANDOM, GIVEN, USED, ASKED, WHERE, DRAWS, FIRST = range(8)
"""The places of a source of chance: the state of its generator, whether picks are random, how many are
given, how many were used, the first pick that is missing (out of so many, else 0) and the draw it belongs
to, how many draws there were, and where the given picks begin."""


def fast(function: F) -> F:
    """Mark a function that may be compiled."""
    return function


def part(function: F) -> F:
    """Mark a function that may be compiled and is called by such functions only."""
    return function


def word(value: int) -> int:
    """A word that is known."""
    return value


def table(values: Sequence[int]) -> Sequence[int]:
    """A table of whole numbers."""
    return tuple(values)


def masks(values: Sequence[int]) -> Sequence[int]:
    """A table of words."""
    return tuple(values)


def low(x: int) -> int:
    """The position of the lowest bit of a word that is not 0."""
    return (x & -x).bit_length() - 1


def count(x: int) -> int:
    """How many bits of a word are set."""
    return x.bit_count()


def move(s: list[int], to: int, first: int, size: int) -> None:
    """Copy a run of numbers; the two places may overlap."""
    if size > 0:
        s[to : to + size] = s[first : first + size]


def keep(s: list[int], at: int, cap: int, first: int, size: int) -> None:
    """Write a list of at most `cap` elements; what is left of its room is 0, so that equals are alike."""
    move(s, at + 1, first, size)
    s[at + 1 + size : at + 1 + cap] = [0] * (cap - size)
    s[at] = size


def same(s: Sequence[int], first: int, size: int, other: int, count: int) -> bool:
    """Whether two lists are equal."""
    return size == count and s[first : first + size] == s[other : other + count]


def in_list(s: Sequence[int], first: int, size: int, x: int) -> bool:
    """Whether a list holds a value."""
    return any(s[first + i] == x for i in range(size))


def as_word(x: int) -> int:
    """A whole number that is not negative as a word."""
    return x


def as_number(x: int) -> int:
    """A word below 2**63 as a whole number."""
    return x


def mixed(x: int) -> int:
    """A word in which every bit depends on many bits of another (the finisher of MurmurHash3)."""
    x = ((x ^ (x >> 33)) * 0xFF51AFD7ED558CCD) & FULL_WORD
    x = ((x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53) & FULL_WORD
    return x ^ (x >> 33)


def choose(c: MutableSequence[int], n: int) -> int:
    """A random whole number from 0 to n - 1 (xorshift64*, the upper half of its product)."""
    x = c[STATE]
    x ^= x >> 12
    x = (x ^ (x << 25)) & FULL_WORD
    x ^= x >> 27
    c[STATE] = x
    return ((((x * 0x2545F4914F6CDD1D) & FULL_WORD) >> 32) * n) >> 32


def drawn(c: list[int]) -> None:
    """A draw begins."""
    c[DRAWS] += 1


def pick(c: list[int], n: int) -> int:
    """An outcome of chance, from 0 to n - 1: random, or the next of those given."""
    if c[RANDOM]:
        return choose(c, n)
    if c[USED] < c[GIVEN]:
        c[USED] += 1
        return c[FIRST + c[USED] - 1]
    if c[ASKED] == 0:
        c[ASKED], c[WHERE] = n, c[DRAWS]
    return 0


__all__ = [
    "BIT", "NONE", "ONE", "ZERO", "as_number", "as_word", "choose", "count", "drawn", "fast", "in_list",
    "keep", "low", "masks", "mixed", "move", "part", "pick", "same", "table", "word",
]  # fmt: skip
