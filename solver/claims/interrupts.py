"""Holding interrupts back for a moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Let nobody interrupt what is done within; who tried to is heard afterwards.

    Only the first thread hears of interrupts, so elsewhere there is nothing to hold back.
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
