"""The amount of work that generated code does between two readings of the clock."""

from __future__ import annotations

import time
from types import TracebackType

MOST = 1 << 40
"""Maximum units in a step, so that sums with it fit into 64 bits."""
FASTER = 4
"""Maximum factor between one step and the next."""
LEAST = 1e-6
"""Minimum duration in seconds; a shorter step counts as this long."""


class Pace:
    """Chooses step sizes that take about `seconds` each, by timing: `with pace as step:` do `step` units.

    A step has between `least` and `most` units, the first one `first`.
    """

    def __init__(self, seconds: float, first: int = 1, *, least: int = 1, most: int = MOST) -> None:
        self.seconds, self.least, self.most = seconds, least, most
        self.step = first
        self.done: int | None = None
        """The units that the step really did, if it sets them; they may differ from the request."""
        self._began = 0.0

    def __enter__(self) -> int:
        self._began = time.perf_counter()
        return self.step

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Adapt the step to the seconds that the block took, even after an error."""
        self.took(time.perf_counter() - self._began, self.done)
        self.done = None

    def took(self, seconds: float, done: int | None = None) -> None:
        """Choose the next step, given that this one took `seconds` for `done` units (by default all of
        them)."""
        wanted = int((self.step if done is None else done) * self.seconds / max(seconds, LEAST))
        self.step = max(self.least, min(FASTER * self.step, wanted, self.most))
