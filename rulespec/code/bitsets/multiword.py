"""Bit sets of any number of words, lowest first: what an instruction does for one word, written for all."""

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
    """So many words of a set moved down (up if negative); bits past the last word are lost."""
    whole, rest = distance // WORD, distance % WORD

    def moved(i: int) -> f.Expr:
        first, second = (words[i + k] if 0 <= i + k < len(words) else ZERO for k in (whole, whole + 1))
        return union(shift_word(first, rest), shift_word(second, rest - WORD)) if rest else first

    return tuple(map(moved, range(size)))


def split_mask(mask: int, size: int) -> list[int]:
    """A mask of any length as so many words."""
    return [mask >> WORD * i & FULL for i in range(size)]


def lowest_position(words: Words) -> f.Expr:
    """The position of the lowest bit; the words must not all be empty."""
    first, *others = words
    return (
        choose(differ(first, ZERO), low(first), plus(lowest_position(others), WORD)) if others else low(first)
    )


def lowest_bit(words: Words) -> tuple[f.Expr, ...]:
    """The lowest bit alone; none where all words are empty."""
    return tuple(_where_first(words, map(_lowest, words)))


def below_lowest(words: Words) -> tuple[f.Expr, ...]:
    """All bits below the lowest one; all bits where all words are empty."""
    return tuple(_where_first(words, (f.Binary(f.WORD, "-", _lowest(e), word(1)) for e in words)))


def highest_bit(words: Words) -> tuple[f.Expr, ...]:
    """The highest bit alone; none where all words are empty."""
    alone = (choose(differ(e, ZERO), bit(high(e)), ZERO) for e in reversed(words))
    return tuple(_where_first(words[::-1], alone))[::-1]


def above_highest(words: Words) -> tuple[f.Expr, ...]:
    """All bits above the highest one; all bits where all words are empty."""
    above = (
        choose(differ(e, ZERO), f.Binary(f.WORD, "<<", word(~1), high(e)), word(FULL))
        for e in reversed(words)
    )
    return tuple(_where_first(words[::-1], above))[::-1]


def _lowest(e: f.Expr) -> f.Expr:
    return intersection(e, f.Binary(f.WORD, "-", ZERO, e))


def _where_first(words: Words, values: Iterable[f.Expr]) -> Iterator[f.Expr]:
    """The values, but none behind a word that is not empty."""
    before = [ZERO, *accumulate(words[:-1], union)]
    for seen, value in zip(before, values, strict=True):
        yield choose(differ(seen, ZERO), ZERO, value)
