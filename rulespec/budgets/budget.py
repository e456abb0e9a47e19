"""The clock and the memory limit of some work."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf

from .memory import ANY_AMOUNT, OutOfBudget, memory_in_use

LEAST = 1.0
"""Seconds of the least share of a question, for less would be spent before it is begun."""
BETWEEN = 0.01
"""Memory is looked at again after so many seconds: the look costs more than one at the clock."""


@dataclass(eq=False)
class Budget:
    """Seconds of the clock from its making, and megabytes that this process may hold.

    As a part of a `whole` it ends with that at the latest.
    """

    seconds: float
    memory: int = 4_000
    whole: Budget | None = None
    started: float = field(default_factory=time.monotonic)
    _looked: float = field(default=0.0, init=False, repr=False)
    _too_large: bool = field(default=False, init=False, repr=False)

    @property
    def spent(self) -> float:
        """Seconds since the budget was made."""
        return time.monotonic() - self.started

    @property
    def left(self) -> float:
        """Seconds that remain, not below zero."""
        own = max(0.0, self.seconds - self.spent)
        return own if self.whole is None else min(own, self.whole.left)

    def part(self, share: float, most: float = inf) -> Budget:
        """A budget of a share of what is left, of `most` seconds at most."""
        return Budget(min(self.left * share, most), self.memory, self)

    @property
    def exhausted(self) -> str:
        """The limit that has run out, in words; empty while none has."""
        if self.left <= 0:
            return self.time_limit
        return self.memory_limit if self._over_memory() else ""

    def check(self) -> None:
        """Raise OutOfBudget where a limit has run out."""
        if spent := self.exhausted:
            raise OutOfBudget(spent)

    @property
    def time_limit(self) -> str:
        """The limit of time in words: the widest of its limits that is spent, else its own."""
        limits, at = [self], self
        while at.whole is not None:
            at = at.whole
            limits.append(at)
        ended = next((b for b in reversed(limits) if b.left <= 0), self)
        if ended.whole is None or ended.whole.seconds == inf:
            return f"the limit of {_seconds(ended.seconds)}"
        return f"its share ({_seconds(ended.seconds)}) of the limit of {_seconds(at.seconds)}"

    @property
    def memory_limit(self) -> str:
        """The limit of memory in words."""
        return f"the limit of {self.memory} MB"

    def _over_memory(self) -> bool:
        now = time.monotonic()
        if now - self._looked > BETWEEN:
            self._looked, self._too_large = now, memory_in_use() > self.memory
        return self._too_large


UNBOUNDED = Budget(inf, ANY_AMOUNT)
"""That of work which is bounded in another way: it counts, or somebody holds the whole of it to a budget."""


def _seconds(number: float) -> str:
    return f"{number:.0f} s" if number >= 10 else f"{number:.2g} s"


class Allowance:
    """What a call with many questions may take: `timeout` seconds for all together, and `each` for every one.

    Each question has an equal share of what is left, so what easy ones leave over is for those after them;
    but none has less than a second while there is one. Where neither is given each has the `usual` seconds.
    `memory` is in megabytes.
    """

    def __init__(self, timeout: float | None, each: float | None, memory: int, usual: float) -> None:
        self.call = Budget(inf if timeout is None else timeout, memory)
        self.each = each if each is not None else usual if timeout is None else inf

    @property
    def over(self) -> bool:
        """Whether the time for all together is spent."""
        return self.call.left <= 0

    def question(self, waiting: int = 1, at_once: int = 1) -> Budget:
        """What the next of so many questions may take, several of which are asked at once."""
        share = self.call.part(min(1.0, at_once / max(1, waiting)))
        if share.seconds < LEAST:
            share = self.call.part(1.0, LEAST)
        return share if share.seconds <= self.each else self.call.part(1.0, self.each)


class Stopwatch:
    """Seconds since it was made, of the clock or, with `work`, of this process's own work."""

    def __init__(self, *, work: bool = False) -> None:
        self._now = time.process_time if work else time.monotonic
        self._began = self._now()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return self._now() - self._began

    def restart(self) -> None:
        """Begin again."""
        self._began = self._now()
