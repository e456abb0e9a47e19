"""Budgets: how long and in how much memory something may be tried."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from solver.engines.memory import memory_in_use


@dataclass
class Budget:
    """Seconds from its making, and megabytes that this process may hold."""

    seconds: float
    memory: int = 4_000
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        """Seconds since the budget was made."""
        return time.monotonic() - self.started

    @property
    def left(self) -> float:
        """Seconds that remain, not below zero."""
        return max(0.0, self.seconds - self.spent)

    def excuse(self, seconds: float) -> None:
        """Do not count some seconds that were spent, say on compiling code once and for all."""
        self.started += seconds

    def part(self, share: float, most: float = float("inf")) -> Budget:
        """A budget of a share of what is left, of `most` seconds at most."""
        return Budget(min(self.left * share, most), self.memory)

    @property
    def exhausted(self) -> str:
        """What has run out, in words; empty while nothing has."""
        if self.left <= 0:
            return self.time_allowed
        return f"the {self.memory} MB allowed" if memory_in_use() > self.memory else ""

    @property
    def time_allowed(self) -> str:
        """How much time there was, in words."""
        return f"the {f'{self.seconds:.0f}' if self.seconds >= 10 else f'{self.seconds:.2g}'} s allowed"
