"""A limit of processor time for each step of work that as a whole may go on for ever.

A play may go on for ever, one step of it may not. Generated code does not count its work and checks no clock
while it runs. A caller begins each step (a list of actions, a ply, a game of a simulation, a page) with
`step`, and the system itself ends a process in which the next one does not begin in time (RLIMIT_CPU,
SIGXCPU). Time is that of the processor: a process that is stopped, or waits for a person, spends none.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import resource
except ImportError:  # as on Windows, where no step has a limit
    resource = None  # type: ignore[assignment]

from .memory import OutOfBudget

LIMIT = 100.0
"""Seconds of processor time for one step; the system rounds up."""
OFTEN = 0.5
"""The limit is not renewed for a step that begins within this many seconds of the last renewal."""


class TooSlow(OutOfBudget):
    """Raised if a step of a child process took more than its time."""

    def __init__(self) -> None:
        super().__init__(f"the limit of {LIMIT:.0f} s for one step")

    def __reduce__(self) -> tuple[type[TooSlow], tuple[()]]:
        return TooSlow, ()


class _Watch:
    """The beginning of the step for which the limit was set; forked copies have their own."""

    on = False
    since = 0.0


def step(extra: float = 0.0) -> None:
    """Begin a step, which may take `extra` seconds longer than others."""
    if _Watch.on:
        now = time.process_time() + extra
        if abs(now - _Watch.since) > OFTEN:
            _set(now)


@contextmanager
def watch() -> Iterator[None]:
    """Let the system end this process, and copies that it forks, if a step in the block takes too long."""
    if resource is None:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_CPU)
    _begin(True)
    try:
        yield
    finally:
        _Watch.on = False
        resource.setrlimit(resource.RLIMIT_CPU, before)


def _begin(on: bool) -> None:
    """Start or stop the watchdog; processes that it kills leave no memory image."""
    _Watch.on = on
    if on:
        _, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard))  # the signal would leave an image of the memory
        _set(time.process_time())


def _set(since: float) -> None:
    """Let the system end this process if it takes the limit of CPU seconds from `since` on."""
    _Watch.since = since
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    seconds = math.ceil(since + LIMIT)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if hard < 0 else min(seconds, hard), hard))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _begin(_Watch.on))
