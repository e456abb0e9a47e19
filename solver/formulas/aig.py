"""An and-inverter graph with gates of any width, shared by structure and folded at once.

Literals are integers, a negative one is the negation; 1 is true and -1 is false.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable
from typing import Any

from .clauses import Clauses

TRUE, FALSE = 1, -1
PAUSE = 20_000
"""The number of gates between two calls of `watch`."""
TICKS = 50
"""Number of ticks (elements and effects, which may make no gates) between two calls of `watch`."""
MOST_WRITTEN_OUT = 64
"""A required disjunction of at most this many parts is expanded."""


class TooWide(Exception):
    """Raised if a formula would need too many cases; the text says where."""


Watch = Callable[[], None]


class Gates:
    """Builds gates. `inputs[v]` are the inputs of gate `v`, None for a free variable.

    TooWide with more than `most` gates. `watch` is called now and then while gates are made, and may raise to
    give up.
    """

    __slots__ = ("_known", "_most", "_pause", "_ticks", "_watch", "clauses", "inputs", "orderly", "shared")

    def __init__(self, most: int = sys.maxsize, watch: Watch | None = None) -> None:
        self._most, self._watch = most, watch
        self._pause, self._ticks = min(most, PAUSE), 0
        self.orderly = False
        """True if sums add up in the order of their literals, so that equal sums have the same gates."""
        self.inputs: list[tuple[int, ...] | None] = [None, None]
        self._known: dict[tuple[int, ...], int] = {}
        self.shared: dict[Any, Any] = {}
        """Symbolic values made of these gates, one object for each content, so that identity means
        equality."""
        self.clauses: list[tuple[int, ...]] = []
        """Clauses required besides the gates."""

    @property
    def size(self) -> int:
        """The greatest variable in use."""
        return len(self.inputs) - 1

    def tick(self) -> None:
        """Call `watch` once in `TICKS` calls, for work that makes no gates."""
        self._ticks += 1
        if self._ticks == TICKS:
            self._ticks = 0
            if self._watch is not None:
                self._watch()

    def free(self) -> int:
        """A new free variable."""
        self.inputs.append(None)
        free = len(self.inputs) - 1
        if free > self._pause:
            self._paused(free)
        return free

    def both(self, a: int, b: int) -> int:
        """Conjunction of two literals."""
        if FALSE in (a, b) or a == -b:
            return FALSE
        if a in (TRUE, b):
            return b
        if b == TRUE:
            return a
        key = (a, b) if a < b else (b, a)
        result = self._known.get(key)
        return result if result is not None else self._gate(key)

    def all(self, literals: Iterable[int]) -> int:
        """Conjunction of literals."""
        kept = set(literals)
        kept.discard(TRUE)
        if FALSE in kept:
            return FALSE
        if len(kept) < 2:
            return kept.pop() if kept else TRUE
        for literal in kept:
            if -literal in kept:
                return FALSE
        key = tuple(sorted(kept))
        result = self._known.get(key)
        return result if result is not None else self._gate(key)

    def _gate(self, key: tuple[int, ...]) -> int:
        """Add a gate with these inputs; returns its number."""
        self.inputs.append(key)
        gate = len(self.inputs) - 1
        if gate > self._pause:
            self._paused(gate)
        self._known[key] = gate
        return gate

    def _paused(self, gate: int) -> None:
        """Call the watch now and then. Raises TooWide after too many gates."""
        if gate > self._most:
            raise TooWide(f"more than {self._most:,} gates")
        if self._watch is not None:
            self._watch()
        self._pause = min(self._most, gate + PAUSE)

    def below(self, literals: Iterable[int]) -> list[int]:
        """The gates and free variables on which literals depend, each after its inputs."""
        seen = bytearray(self.size + 1)
        waiting = [*literals]
        while waiting:
            at = abs(waiting.pop())
            if not seen[at]:
                seen[at] = 1
                waiting += self.inputs[at] or ()
        return [at for at in range(2, self.size + 1) if seen[at]]

    def undo_to(self, size: int, demands: int) -> None:
        """Drop the gates above `size`, and all required clauses except the first `demands`, back to a
        checkpoint."""
        for key in self.inputs[size + 1 :]:
            if key is not None:
                del self._known[key]
        del self.inputs[size + 1 :]
        del self.clauses[demands:]

    def either(self, a: int, b: int) -> int:
        """Disjunction of two literals."""
        return -self.both(-a, -b)

    def any(self, literals: Iterable[int]) -> int:
        """Disjunction of literals."""
        return -self.all([-literal for literal in literals])

    def choose(self, cond: int, then: int, otherwise: int) -> int:
        """A literal that equals `then` if the condition is true, else `otherwise`."""
        if cond == TRUE or then == otherwise:
            return then
        if cond == FALSE:
            return otherwise
        if then == TRUE:
            return self.either(cond, otherwise)
        if then == FALSE:
            return self.both(-cond, otherwise)
        if otherwise == TRUE:
            return self.either(-cond, then)
        if otherwise == FALSE:
            return self.both(cond, then)
        return self.either(self.both(cond, then), self.both(-cond, otherwise))

    def require(self, literals: Iterable[int]) -> None:
        """Require that one of some literals is true. A small disjunction among them is expanded, so that
        its gate is made only if something else needs it."""
        kept: set[int] = set()
        for literal in literals:
            key = self.inputs[-literal] if literal < FALSE else None
            if key is not None and len(key) <= MOST_WRITTEN_OUT:
                kept.update(-x for x in key)
            elif literal != FALSE:
                kept.add(literal)
        if TRUE not in kept and not any(-x in kept for x in kept):
            self.clauses.append(tuple(kept))

    def imply(self, cond: int, literal: int) -> None:
        """Require a literal under a condition; a conjunction is required part by part."""
        key = self.inputs[literal] if literal > TRUE else None
        if key is None:
            self.require((-cond, literal))
        else:
            for part in key:
                self.imply(cond, part)

    def at_most_one(self, literals: list[int]) -> None:
        """Require that no two literals are true (sequential encoding, three clauses for each literal)."""
        literals = [x for x in literals if x != FALSE]
        if len(literals) <= 4:
            for i, a in enumerate(literals):
                for b in literals[i + 1 :]:
                    self.require((-a, -b))
            return
        before = literals[0]
        for literal in literals[1:-1]:
            self.require((-before, -literal))
            after = self.free()
            self.require((-before, after))
            self.require((-literal, after))
            before = after
        self.require((-before, -literals[-1]))

    def one_of(self, literals: list[int]) -> None:
        """Require that exactly one literal is true."""
        self.require(literals)
        self.at_most_one(literals)


def tseitin_clauses(gates: Gates, first: int = 2) -> Clauses:
    """The clauses that define the gates from variable `first` on (Tseitin encoding, both directions)."""
    numbers: list[int] = []
    for gate, key in enumerate(gates.inputs[first:], first):
        if key is None:
            continue
        if len(key) == 2:  # as most have; written out for speed
            a, b = key
            numbers += (-gate, a, 0, -gate, b, 0, gate, -a, -b, 0)
            continue
        for x in key:
            numbers += (-gate, x, 0)
        numbers += (gate, *[-x for x in key], 0)
    return Clauses(array("i", numbers))
