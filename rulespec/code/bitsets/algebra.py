"""Words with one bit for each value of a type, joined and inverted; each operation is counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from collections.abc import Set as Held
from typing import NamedTuple

from ...core import nodes as n
from ...core.types import Scalar, Value
from ...machine import form as f
from ...machine.builder import FULL, ZERO, complement, intersection, union, word
from ..bindings import Env
from ..body import Body
from .multiword import shift_bits

LEAST_STEPS = 4
"""From this many sets at equal distances on, they are joined by doubling; fewer take as many operations one
by one."""
Bitset = tuple[f.Expr, ...]
ValueCases = list[tuple[Value, Bitset]]


class ShiftedSet(NamedTuple):
    """A set shifted down by a number of bits and masked."""

    of: Bitset
    distance: int
    there: Bitset


class NotExpressible(Exception):
    """Raised for a condition that bit sets cannot answer."""


class BitsetAlgebra(ABC):
    """Joins words over the values of a type. Raises NotExpressible past a limit of operations."""

    def __init__(self, w: Body, of: Scalar, most: int) -> None:
        self.w, self.of, self.left = w, of, most
        self.size = w.codes.words(of)
        self.cared: Held[Value] = set(of.values)
        """The lanes whose bits matter; the bits of other lanes may be anything."""
        self.planes: dict[Hashable, Bitset] = {}
        """Names of the words of maps, unchanged or shifted and masked."""
        self.shifted: dict[Bitset, ShiftedSet] = {}
        """Sets that are other sets shifted and masked."""

    # ---- what depends on the lane; see `conditions`

    @abstractmethod
    def varies(self, e: n.Expr, env: Env) -> bool:
        """True if an expression depends on the lane."""

    @abstractmethod
    def fixed(self, e: n.Expr, env: Env) -> Sequence[Value] | None:
        """The value of an expression for each value of the lane; None if it also depends on anything else."""

    @abstractmethod
    def mask(self, e: n.Expr, env: Env) -> Bitset:
        """The words of a condition, with a bit set where it holds. Raises NotExpressible."""

    @abstractmethod
    def within(self, e: n.Let, env: Env, made: Callable[[n.Expr, Env], Bitset]) -> Bitset:
        """Bind a local name, then call `made` on the expression's body and return its bit set."""

    @abstractmethod
    def called(self, e: n.Call, env: Env, made: Callable[[n.Expr, Env], Bitset]) -> Bitset:
        """Bit set that `made` gives for the body of a definition, in lanes where all arguments fit."""

    # ---- words joined

    def spend(self, times: int = 1) -> None:
        """Count operations about to be written. Raises NotExpressible once the limit is exceeded."""
        self.left -= times
        if self.left < 0:
            raise NotExpressible

    def all(self, truth: bool) -> Bitset:
        """The words of a condition that holds for every value, or for none."""
        return (word(FULL) if truth else ZERO,) * self.size

    def known(self, values: Iterable[Value]) -> Bitset:
        """A bit set that contains exactly these values."""
        listed = list(values)
        if len(listed) == len(self.of.values):
            return self.all(True)
        return tuple(map(word, self.w.codes.mask(self.of, listed)))

    def both(self, *parts: Bitset) -> Bitset:
        """Intersection of bit sets."""
        return self._join(parts, True)

    def either(self, *parts: Bitset) -> Bitset:
        """Union of bit sets."""
        return self._join(parts, False)

    def _join(self, parts: Iterable[Bitset], one: bool) -> Bitset:
        """Union of bit sets, or intersection if `one`, without neutral parts."""
        neutral, absorbing = self.all(one), self.all(not one)
        listed: list[Bitset] = []
        for part in parts:
            if part == absorbing:
                return absorbing
            if part != neutral and part not in listed:
                listed.append(part)
        if not listed:
            return neutral
        self.spend(len(listed))
        if one and len(listed) >= LEAST_STEPS:
            listed = self._with_rays(listed)
        return tuple(map(intersection if one else union, *listed)) if listed[1:] else listed[0]

    def _with_rays(self, parts: Sequence[Bitset]) -> list[Bitset]:
        """The operands of an intersection; one set shifted by 0, d, 2d, 3d bits and so on becomes one."""
        shifted = [self.shifted[part] for part in parts if part in self.shifted]
        found = [*parts]
        for of in dict.fromkeys(x.of for x in shifted):
            held = sorted((x for x in shifted if x.of == of), key=lambda x: x.distance)
            distances = [x.distance for x in held]
            step = distances[-1] - distances[-2] if len(held) >= LEAST_STEPS else 0
            if not step or distances != [*range(distances[0], distances[-1] + 1, step)]:
                continue
            self.w.plans["shifts of a line joined by doubling"] = None
            if of not in self.planes:
                self.planes[of] = self.named(of)
            ray = shift_bits(self._ray(self.planes[of], step, len(held)), self.size, distances[0])
            found = [x for x in found if x not in self.shifted or self.shifted[x].of != of]
            found += (ray, *(x.there for x in held))
        return found

    def _ray(self, words: Bitset, step: int, size: int) -> Bitset:
        """The intersection of a set with itself shifted by 1 to size - 1 steps, by doubling."""
        if size == 1:
            return words
        half = self.named(self._ray(words, step, size - size // 2))
        return tuple(map(intersection, half, shift_bits(half, len(words), step * (size // 2))))

    def named(self, words: Bitset) -> Bitset:
        """The words of a bit set, each held in a local if repeating it would cost something."""
        return tuple(self.w.atom(e, "held") for e in words)

    def inverted(self, held: Bitset) -> Bitset:
        """Lanes where a condition fails."""
        if held == self.all(True) or held == self.all(False):
            return self.all(held != self.all(True))
        return tuple(map(complement, held))

    def together(self, parts: list[Bitset]) -> Bitset:
        """Union of bit sets; costs no operations if all of them are constants."""
        if all(isinstance(e, f.Const) for part in parts for e in part):
            return tuple(map(union, *parts))
        return self.either(*parts)
