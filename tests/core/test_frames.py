"""Frames have room: a recursion that crosses the end of a chunk clears no pages."""

from __future__ import annotations

import sys
from threading import Thread

import pytest

from rulespec.core.cpython import with_room

resource = pytest.importorskip("resource")
MANY = 2_000


def down(depth: int) -> int:
    return 1 + down(depth - 1) if depth else 0


def faults() -> int:
    """The pages that calls at all depths of two chunks have cleared."""
    down(400)
    before: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for depth in range(400):
        for _ in range(MANY // 100):
            down(depth)
    after: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    return after - before


def test_the_result_is_that_of_the_call() -> None:
    assert with_room(down, 7) == 7
    assert with_room(int, "11", base=2) == 3
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)


@pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info >= (3, 12),
    reason="other interpreters lay frames otherwise",
)
def test_calls_clear_no_pages_again_and_again() -> None:
    """In a thread of its own, for the frames of this one have room already."""
    found = []
    for work in (lambda: found.append(faults()), lambda: found.append(with_room(faults))):
        thread = Thread(target=work)
        thread.start()
        thread.join()
    without, with_ = found
    assert with_ < 100 < without
