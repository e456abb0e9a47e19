"""The clock and the memory limit of some work."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf

from .memory import ANY_AMOUNT, OutOfBudget, memory_in_use

LEAST = 1.0
"""Minimum seconds for one question; less would be spent before work on it begins."""
BETWEEN = 0.01
"""Seconds between two measurements of memory, which cost more than reading the clock."""


@dataclass(eq=False)
class Budget:
    """A limit of `seconds` of the clock from creation, and of `memory` in megabytes of this process.

    A part of a `whole` also ends when the whole does.
    """

    seconds: float
    memory: int = 4_000
    whole: Budget | None = None
    started: float = field(default_factory=time.monotonic)
    _looked: float = field(default=0.0, init=False, repr=False)
    _too_large: bool = field(default=False, init=False, repr=False)

    @property
    def seconds_spent(self) -> float:
        """Seconds since the budget was made."""
        return time.monotonic() - self.started

    @property
    def seconds_left(self) -> float:
        """Seconds that remain, not below zero."""
        own = max(0.0, self.seconds - self.seconds_spent)
        return own if self.whole is None else min(own, self.whole.seconds_left)

    def part(self, share: float, most: float = inf, room: float = 1.0) -> Budget:
        """A part with a share (0 to 1) of the seconds left, at most `most`, and a share of the memory."""
        return Budget(min(self.seconds_left * share, most), int(self.memory * room), self)

    @property
    def exceeded_limit(self) -> str:
        """The exceeded limit in words; empty if none is exceeded."""
        if self.seconds_left <= 0:
            return self.time_limit
        return self.memory_limit if self._over_memory() else ""

    def check(self) -> None:
        """Raise OutOfBudget if a limit is exceeded."""
        if spent := self.exceeded_limit:
            raise OutOfBudget(spent)

    @property
    def time_limit(self) -> str:
        """The time limit in words: that of the outermost spent budget, else its own."""
        limits, at = [self], self
        while at.whole is not None:
            at = at.whole
            limits.append(at)
        ended = next((b for b in reversed(limits) if b.seconds_left <= 0), self)
        if ended.whole is None or ended.whole.seconds == inf:
            return f"the limit of {_seconds(ended.seconds)}"
        return f"its share ({_seconds(ended.seconds)}) of the limit of {_seconds(at.seconds)}"

    @property
    def memory_limit(self) -> str:
        """The memory limit in words, with the share of this part if that is smaller."""
        whole = self
        while whole.whole is not None:
            whole = whole.whole
        share = f"its share ({self.memory} MB) of " if self.memory < whole.memory else ""
        return f"{share}the limit of {whole.memory if share else self.memory} MB"

    def _over_memory(self) -> bool:
        """True if this process has more memory than allowed; measured now and then."""
        now = time.monotonic()
        if now - self._looked > BETWEEN:
            self._looked, self._too_large = now, memory_in_use() > self.memory
        return self._too_large


UNBOUNDED = Budget(inf, ANY_AMOUNT)
"""The budget of work that is limited otherwise: by its steps, or by the budget of an enclosing call."""


def _seconds(number: float) -> str:
    return f"{number:.0f} s" if number >= 10 else f"{number:.2g} s"


class Allowance:
    """Divides the budget of a call with many questions: `timeout` seconds in total, `each` per question.

    A question gets an equal share of the seconds left, so later ones inherit what easy ones did not use; it
    gets at least a second as long as one is left. If neither limit is given, each question has `usual`
    seconds. `memory` is in megabytes.
    """

    def __init__(self, timeout: float | None, each: float | None, memory: int, usual: float) -> None:
        self.call = Budget(inf if timeout is None else timeout, memory)
        self.each = each if each is not None else usual if timeout is None else inf

    @property
    def over(self) -> bool:
        """True once the total time is spent."""
        return self.call.seconds_left <= 0

    def question(self, waiting: int = 1, at_once: int = 1) -> Budget:
        """The budget of the next of `waiting` questions, of which `at_once` run in parallel."""
        share = self.call.part(min(1.0, at_once / max(1, waiting)))
        if share.seconds < LEAST:
            share = self.call.part(1.0, LEAST)
        return share if share.seconds <= self.each else self.call.part(1.0, self.each)


class Stopwatch:
    """Measures seconds of the clock since creation or, with `work`, processor time of this process."""

    def __init__(self, *, work: bool = False) -> None:
        self._now = time.process_time if work else time.monotonic
        self._began = self._now()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return self._now() - self._began

    def restart(self) -> None:
        """Set the elapsed time to zero."""
        self._began = self._now()
