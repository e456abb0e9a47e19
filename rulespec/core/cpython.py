"""Settings of CPython that save time: room for frames of nested calls, pauses of the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SLOTS = 66_000
"""Just over half a megabyte, so that the chunk has a megabyte; the rest of it holds thousands of frames."""


def with_room(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Call a function with room for the frames of all nested calls, and return its result.

    CPython puts frames in chunks of 16 KB, and returns a chunk to the system with its last frame. A recursion
    that goes back and forth over the end of a chunk takes and clears the same pages thousands of times a
    second. The frame of this function has enough slots to make its chunk large; unused slots stay untouched,
    and the frames of `work` follow them.
    """
    return work(*arguments, **named)


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the garbage collector in the block, for work that makes many long-lived objects.

    Also a decorator of functions.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
