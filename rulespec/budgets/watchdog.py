"""A watchdog for work that no budget is given for: playing on may take for ever, one step of it may not.

Generated code is not counted and asks no clock while it runs. So whoever begins a step (a list of actions,
a ply, a game of a simulation) says so, and a thread sees whether the next one begins in time. Time is that of
the processor: a process that is stopped, or waits for a person, spends none.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .memory import OutOfBudget

LIMIT = 100.0
"""Seconds of the processor that one step may take."""
LOOK = 0.5
"""Seconds between two looks."""
STATUS = 124
"""With this a copy of the process exits that was ended by its watchdog; the same as that of timeout(1)."""


class TooSlow(OutOfBudget):
    """A copy of this process was ended by its watchdog."""

    def __init__(self) -> None:
        super().__init__(f"the limit of {LIMIT:.0f} s for one step")

    def __reduce__(self) -> tuple[type[TooSlow], tuple[()]]:
        return TooSlow, ()


class _Watch:
    """Since when the step goes on that is the last to have begun; copies of this process have their own."""

    since = 0.0
    first = 0
    """The process that is watched with its copies; 0 while none is."""
    bark: Callable[[], int]
    ended = threading.Event()


def step(extra: float = 0.0) -> None:
    """Say that a step begins; it may take so many seconds more than others."""
    _Watch.since = time.process_time() + extra


@contextmanager
def watched(bark: Callable[[], int]) -> Iterator[None]:
    """End this process, within, where a step takes too long.

    `bark` says so and gives the exit status; it runs in a thread and must not wait for any other. A copy of
    this process ends without it, with `STATUS`.
    """
    _Watch.first, _Watch.bark = os.getpid(), bark
    _begin()
    try:
        yield
    finally:
        _Watch.first = 0
        _Watch.ended.set()


def _begin() -> None:
    if _Watch.first:
        step()
        _Watch.ended = threading.Event()
        threading.Thread(target=_look, args=(_Watch.ended,), daemon=True).start()


def _look(ended: threading.Event) -> None:
    while not ended.wait(LOOK):
        if time.process_time() - _Watch.since > LIMIT:
            os._exit(_Watch.bark() if os.getpid() == _Watch.first else STATUS)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)
