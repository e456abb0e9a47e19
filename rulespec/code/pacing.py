"""How much generated code does between two looks at a clock."""

from __future__ import annotations

import time
from types import TracebackType

MOST = 1 << 40
"""No step is longer, so that sums with it stay whole numbers of 64 bits."""
FASTER = 4
"""A step is at most so many times as long as the one before."""
LEAST = 1e-6
"""Seconds; a step that takes less counts as this long."""


class Pace:
    """Steps of about so many seconds each, found by timing: `with pace as step:` do `step` units of work.

    A step has `least` units and at most `most`. The first has `first`, for nothing is known yet.
    """

    def __init__(self, seconds: float, first: int = 1, *, least: int = 1, most: int = MOST) -> None:
        self.seconds, self.least, self.most = seconds, least, most
        self.step = first
        self._began = 0.0

    def __enter__(self) -> int:
        self._began = time.perf_counter()
        return self.step

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.took(time.perf_counter() - self._began)

    def took(self, seconds: float, done: int | None = None) -> None:
        """Choose the next step by how long this one took, or those of its units that were done."""
        wanted = int((self.step if done is None else done) * self.seconds / max(seconds, LEAST))
        self.step = max(self.least, min(FASTER * self.step, wanted, self.most))
