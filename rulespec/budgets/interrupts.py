"""Deferring interrupts for a moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer interrupts during the block; a deferred one is raised at its end.

    Only the main thread receives interrupts, so elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    before = {number: signal.signal(number, lambda *what: came.append(what)) for number in HELD}
    try:
        yield
    finally:
        for held, handler in before.items():
            signal.signal(held, handler)
        for number, _ in came[:1]:
            signal.raise_signal(number)
