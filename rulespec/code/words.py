"""Words with one bit for each value of a type, joined and inverted; each operation is counted."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.types import Scalar, Value
from ..machine import form as f
from ..machine.building import FULL, ZERO, intersection, inverted, union, word
from .body import Body
from .lookups import GaveUp, Words


class Algebra:
    """Joins words over the values of a type, by at most so many operations; past that it gives up."""

    def __init__(self, w: Body, of: Scalar, most: int) -> None:
        self.w, self.of, self.left = w, of, most
        self.size = w.codes.words(of)

    def spend(self, times: int = 1) -> None:
        """So many operations are about to be written; GaveUp past those that may be."""
        self.left -= times
        if self.left < 0:
            raise GaveUp

    def all(self, truth: bool) -> Words:
        """The words of a condition that holds for every value, or for none."""
        return (word(FULL) if truth else ZERO,) * self.size

    def known(self, values: Iterable[Value]) -> Words:
        """The words that hold just these values."""
        listed = list(values)
        if len(listed) == len(self.of.values):
            return self.all(True)
        return tuple(map(word, self.w.codes.mask(self.of, listed)))

    def both(self, *parts: Words) -> Words:
        """And of words."""
        return self._joined(parts, True)

    def either(self, *parts: Words) -> Words:
        """Or of words."""
        return self._joined(parts, False)

    def _joined(self, parts: Iterable[Words], one: bool) -> Words:
        neutral, absorbing = self.all(one), self.all(not one)
        listed: list[Words] = []
        for part in parts:
            if part == absorbing:
                return absorbing
            if part != neutral and part not in listed:
                listed.append(part)
        if not listed:
            return neutral
        self.spend(len(listed))
        return tuple(map(intersection if one else union, *listed))

    def named(self, words: Words) -> Words:
        """The same words, each under a name where repeating it would cost something."""
        return tuple(self.w.atom(e, "held") for e in words)

    def inverted(self, held: Words) -> Words:
        """Where a condition fails."""
        if held == self.all(True) or held == self.all(False):
            return self.all(held != self.all(True))
        return tuple(map(inverted, held))

    def together(self, parts: list[Words]) -> Words:
        """Or of words, at no price where all of them are constants."""
        if all(isinstance(e, f.Const) for part in parts for e in part):
            return tuple(map(union, *parts))
        return self.either(*parts)
