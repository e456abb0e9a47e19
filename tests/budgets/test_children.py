"""Calls in a child process: results and exceptions are passed on, and no process is left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import ends

from rulespec.budgets import ForkedCall, can_fork
from rulespec.budgets.memory import memory_in_use

pytestmark = pytest.mark.skipif(not can_fork(), reason="this system does not fork")


def test_a_result_is_returned() -> None:
    with ForkedCall(lambda: [1, 2]) as call:
        assert call.result(20) == [1, 2]


def test_an_exception_is_raised_in_the_parent() -> None:
    def fail() -> None:
        raise LookupError("nothing there")

    with ForkedCall(fail) as call, pytest.raises(LookupError, match="nothing there"):
        call.result(20)


def test_a_call_ends_with_its_descendants(tmp_path: Path) -> None:
    told = tmp_path / "pid"

    def work() -> None:
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        (tmp_path / "part").write_text(str(started.pid), "ascii")
        (tmp_path / "part").replace(told)
        time.sleep(60)

    with ForkedCall(work) as call:
        until = time.monotonic() + 20
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert not call.is_done()
        assert call.result(0) is None
    assert ends(int(told.read_text("ascii")))


def test_a_call_is_killed_where_there_is_too_little_memory_for_it() -> None:
    """Formulas beside a search took all the memory, and with them all that was found was lost."""

    def work() -> int:
        held = bytearray(400 << 20)
        for at in range(0, len(held), 4096):
            held[at] = 1
        time.sleep(60)
        return len(held)

    with ForkedCall(work, memory=memory_in_use() + 200) as call:
        assert call.result(50) is None
        assert call.overran
    with ForkedCall(lambda: 1, memory=memory_in_use() + 200) as call:
        assert call.result(50) == 1
        assert not call.overran
