"""Words with one bit for each value of a type, joined and inverted; each operation is counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from collections.abc import Set as Held

from ...core import nodes as n
from ...core.types import Scalar, Value
from ...machine import form as f
from ...machine.builder import FULL, LEAST_STEPS, ZERO, complement, intersection, union, word
from ...machine.rewriting import LoadSubstitution
from ...machine.traversal import nodes_of
from ..bindings import Env
from ..body import Body

Bitset = tuple[f.Expr, ...]
ValueCases = list[tuple[Value, Bitset]]


class NotExpressible(Exception):
    """A condition that bit sets cannot answer."""


class BitsetAlgebra(ABC):
    """Joins words over the values of a type, by at most so many operations; past that it gives up."""

    def __init__(self, w: Body, of: Scalar, most: int) -> None:
        self.w, self.of, self.left = w, of, most
        self.size = w.codes.words(of)
        self.cared: Held[Value] = set(of.values)
        """The lanes whose bits matter; those of others may be anything."""
        self.planes: dict[Hashable, Bitset] = {}
        """The names of words of maps, as they are or moved and cut."""
        self.made: dict[f.Expr, f.Expr] = {}
        """The words of maps that have names: bits of a variable, moved and cut."""

    # ---- what depends on the lane; see `conditions`

    @abstractmethod
    def varies(self, e: n.Expr, env: Env) -> bool:
        """True if an expression depends on the lane."""

    @abstractmethod
    def fixed(self, e: n.Expr, env: Env) -> Sequence[Value] | None:
        """The value of an expression for each value of the lane, if it depends on nothing else."""

    @abstractmethod
    def mask(self, e: n.Expr, env: Env) -> Bitset:
        """The words of a condition: bit by bit where it holds. NotExpressible where words cannot say it."""

    @abstractmethod
    def within(self, e: n.Let, env: Env, made: Callable[[n.Expr, Env], Bitset]) -> Bitset:
        """Make something of the body of a local name, which is bound first."""

    @abstractmethod
    def called(self, e: n.Call, env: Env, made: Callable[[n.Expr, Env], Bitset]) -> Bitset:
        """Bit set that `made` gives for the body of a definition, where all arguments fit."""

    # ---- words joined

    def spend(self, times: int = 1) -> None:
        """Count operations about to be written. NotExpressible past the most that may be."""
        self.left -= times
        if self.left < 0:
            raise NotExpressible

    def all(self, truth: bool) -> Bitset:
        """The words of a condition that holds for every value, or for none."""
        return (word(FULL) if truth else ZERO,) * self.size

    def known(self, values: Iterable[Value]) -> Bitset:
        """The words that hold just these values."""
        listed = list(values)
        if len(listed) == len(self.of.values):
            return self.all(True)
        return tuple(map(word, self.w.codes.mask(self.of, listed)))

    def both(self, *parts: Bitset) -> Bitset:
        """And of words."""
        return self._joined(parts, True)

    def either(self, *parts: Bitset) -> Bitset:
        """Or of words."""
        return self._joined(parts, False)

    def _joined(self, parts: Iterable[Bitset], one: bool) -> Bitset:
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
        if one and len(listed) >= LEAST_STEPS:  # they may be a ray
            listed = [tuple(self._of_map(self.made[e]) if e in self.made else e for e in x) for x in listed]
        return tuple(map(intersection if one else union, *listed))

    def _of_map(self, e: f.Expr) -> f.Expr:
        """The same with names in place of words of maps."""
        for x in nodes_of(e):
            if isinstance(x, f.Load) and x not in self.planes:
                self.planes[x] = self.named((x,))
        return LoadSubstitution({x: self.planes[x][0] for x in nodes_of(e) if isinstance(x, f.Load)}).expr(e)

    def named(self, words: Bitset) -> Bitset:
        """The same words, each under a name where repeating it would cost something."""
        return tuple(self.w.atom(e, "held") for e in words)

    def inverted(self, held: Bitset) -> Bitset:
        """Lanes where a condition fails."""
        if held == self.all(True) or held == self.all(False):
            return self.all(held != self.all(True))
        return tuple(map(complement, held))

    def together(self, parts: list[Bitset]) -> Bitset:
        """Or of words, at no price where all of them are constants."""
        if all(isinstance(e, f.Const) for part in parts for e in part):
            return tuple(map(union, *parts))
        return self.either(*parts)
