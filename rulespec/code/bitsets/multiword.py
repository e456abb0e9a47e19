"""Bit sets of any number of words, lowest first: multi-word versions of single instructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from ...machine import form as f
from ...machine.builder import (
    FULL,
    ZERO,
    bit,
    choose,
    differ,
    high,
    intersection,
    low,
    plus,
    shift_word,
    union,
    word,
)
from ..codes import WORD

Words = Sequence[f.Expr]


def shift_bits(words: Words, size: int, distance: int) -> tuple[f.Expr, ...]:
    """The words of a set shifted down (up if negative); bits past the last word are lost."""
    whole, rest = distance // WORD, distance % WORD

    def moved(i: int) -> f.Expr:
        first, second = (words[i + k] if 0 <= i + k < len(words) else ZERO for k in (whole, whole + 1))
        return union(shift_word(first, rest), shift_word(second, rest - WORD)) if rest else first

    return tuple(map(moved, range(size)))


def split_mask(mask: int, size: int) -> list[int]:
    """A mask of any length split into words."""
    return [mask >> WORD * i & FULL for i in range(size)]


def lowest_position(words: Words) -> f.Expr:
    """The position of the lowest set bit; at least one word must be nonzero."""
    first, *others = words
    return (
        choose(differ(first, ZERO), low(first), plus(lowest_position(others), WORD)) if others else low(first)
    )


def lowest_bit(words: Words) -> tuple[f.Expr, ...]:
    """The lowest set bit alone; 0 if all words are 0."""
    return tuple(_where_first(words, map(_lowest, words)))


def below_lowest(words: Words) -> tuple[f.Expr, ...]:
    """All bits below the lowest set one; all bits if all words are 0."""
    return tuple(_where_first(words, (f.Binary(f.WORD, "-", _lowest(e), word(1)) for e in words)))


def highest_bit(words: Words) -> tuple[f.Expr, ...]:
    """The highest set bit alone; 0 if all words are 0."""
    alone = (choose(differ(e, ZERO), bit(high(e)), ZERO) for e in reversed(words))
    return tuple(_where_first(words[::-1], alone))[::-1]


def above_highest(words: Words) -> tuple[f.Expr, ...]:
    """All bits above the highest set one; all bits if all words are 0."""
    above = (
        choose(differ(e, ZERO), f.Binary(f.WORD, "<<", word(~1), high(e)), word(FULL))
        for e in reversed(words)
    )
    return tuple(_where_first(words[::-1], above))[::-1]


def _lowest(e: f.Expr) -> f.Expr:
    return intersection(e, f.Binary(f.WORD, "-", ZERO, e))


def _where_first(words: Words, values: Iterable[f.Expr]) -> Iterator[f.Expr]:
    """The values, with 0 for each one that follows a nonzero word."""
    before = [ZERO, *accumulate(words[:-1], union)]
    for seen, value in zip(before, values, strict=True):
        yield choose(differ(seen, ZERO), ZERO, value)
