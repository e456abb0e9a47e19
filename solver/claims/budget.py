"""Budgets: how long and in how much memory something may be tried."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

STATM = Path("/proc/self/statm")
"""Where Linux tells how many pages a process holds, in the second place."""


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
            return f"the {self.seconds:.0f} s allowed"
        return f"the {self.memory} MB allowed" if memory_in_use() > self.memory else ""


def memory_in_use() -> float:
    """How much memory this process holds, in megabytes; where that is not told, the most it ever held."""
    try:
        pages = int(STATM.read_text("ascii").split()[1])
        return pages * resource.getpagesize() / 2**20
    except OSError:
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)
