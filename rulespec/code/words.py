"""Words with one bit for each value of a type, joined and inverted as texts; each operation is counted."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.types import Scalar, Value
from .body import Body
from .codes import WORD
from .lookups import GaveUp, Words, joined
from .vals import is_atom


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
        return (self.w.program.word((1 << WORD) - 1) if truth else "ZERO",) * self.size

    def known(self, values: Iterable[Value]) -> Words:
        """The words that hold just these values."""
        listed = list(values)
        if len(listed) == len(self.of.values):
            return self.all(True)
        return tuple(map(self.w.program.word, self.w.codes.mask(self.of, listed)))

    def joined(self, sign: str, parts: Iterable[Words]) -> Words:
        """And (`&`) or or (`|`) of words."""
        one = sign == "&"
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
        if len(listed) == 1:
            return listed[0]
        return tuple(joined(sign, [part[i] for part in listed]) for i in range(self.size))

    def named(self, words: Words) -> Words:
        """The same words, each under a name where repeating it would cost something."""
        return tuple(self.w.atom(word, "held") for word in words)

    def inverted(self, held: Words) -> Words:
        """Where a condition fails."""
        if held == self.all(True):
            return self.all(False)
        if held == self.all(False):
            return self.all(True)
        return tuple(word[1:] if word[:1] == "~" and is_atom(word[1:]) else f"~{word}" for word in held)

    def together(self, parts: list[Words]) -> Words:
        """Or of words, worked out now where all of them are known."""
        program = self.w.program
        known = {name: value for value, name in program._words.items()}
        if all(word in known for part in parts for word in part):
            values = [0] * self.size
            for part in parts:
                for i, word in enumerate(part):
                    values[i] |= known[word]
            return tuple(map(program.word, values))
        return self.joined("|", parts)
