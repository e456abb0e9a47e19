"""Settings of CPython that save time: room for frames of nested calls, pauses of the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SLOTS = 66_000
"""Just more than half a megabyte, so the chunk has a megabyte; the rest of it holds thousands of frames."""


def with_room(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of a function, called where there is room for the frames of all that it calls.

    CPython puts frames in chunks of 16 KB, and returns a chunk to the system with its last frame. A recursion
    that goes back and forth over the end of a chunk takes and clears the same pages thousands of times a
    second. The frame of this function has so many slots that its chunk is large; what the slots do not use
    stays untouched, and the frames of `work` lie behind them.
    """
    return work(*arguments, **named)


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)


@contextmanager
def without_collector() -> Iterator[None]:
    """Nothing is collected meanwhile: for work that makes many objects, most of which stay until its end.

    Also a decorator of functions.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
