"""Budgets: how long and in how much memory something may be tried."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Budget:
    """Seconds from its making, and megabytes of this process at its largest."""

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

    def part(self, share: float, most: float = float("inf")) -> Budget:
        """A budget of a share of what is left, of `most` seconds at most."""
        return Budget(min(self.left * share, most), self.memory)

    @property
    def exhausted(self) -> str:
        """What has run out, in words; empty while nothing has."""
        if self.left <= 0:
            return f"the {self.seconds:.0f} s allowed"
        return f"the {self.memory} MB allowed" if peak_memory() > self.memory else ""


def peak_memory() -> float:
    """The most memory that this process has held, in megabytes."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)
