"""Clauses in one array, because a question may have millions of them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

Clause = tuple[int, ...]


class Clauses:
    """Clauses as in DIMACS: the literals of each as 32-bit numbers, and a zero after it.

    Example:
        >>> some = Clauses.of([(1, -2), (3,)])
        >>> some.numbers.tolist(), list(some), len(some)
        ([1, -2, 0, 3, 0], [(1, -2), (3,)], 2)
    """

    def __init__(self, numbers: array[int]) -> None:
        self.numbers = numbers

    @classmethod
    def of(cls, clauses: Iterable[Iterable[int]]) -> Clauses:
        """Clauses packed into an array. Raises OverflowError for a literal above 32 bits, ValueError for a
        zero."""
        if isinstance(clauses, Clauses):
            return clauses
        listed = [(*clause, 0) for clause in clauses]
        numbers = array("i", [*chain.from_iterable(listed)])
        if numbers.count(0) != len(listed):
            raise ValueError("a clause with a zero")
        return cls(numbers)

    def __add__(self, other: Clauses) -> Clauses:
        return Clauses(self.numbers + other.numbers)

    def __iter__(self) -> Iterator[Clause]:
        literals, start = self.numbers.tolist(), 0
        while start < len(literals):
            end = literals.index(0, start)
            yield tuple(literals[start:end])
            start = end + 1

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        return self.numbers.count(0)

    @property
    def bytes(self) -> bytes:
        """The numbers as bytes, the lowest byte of each first."""
        assert self.numbers.itemsize == 4
        if sys.byteorder == "little":
            return self.numbers.tobytes()
        swapped = self.numbers[:]
        swapped.byteswap()
        return swapped.tobytes()
