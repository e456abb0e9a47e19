"""Work beside: what it gives comes back, what it raises is raised, and nothing of it stays."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import ends

from rulespec.budgets import Aside, can_fork

pytestmark = pytest.mark.skipif(not can_fork(), reason="this system does not fork")


def test_what_is_given_comes_back() -> None:
    with Aside(lambda: [1, 2]) as aside:
        assert aside.result(20) == [1, 2]


def test_what_is_raised_is_raised_here() -> None:
    def fail() -> None:
        raise LookupError("nothing there")

    with Aside(fail) as aside, pytest.raises(LookupError, match="nothing there"):
        aside.result(20)


def test_it_ends_with_all_that_it_started(tmp_path: Path) -> None:
    told = tmp_path / "pid"

    def work() -> None:
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        (tmp_path / "part").write_text(str(started.pid), "ascii")
        (tmp_path / "part").replace(told)
        time.sleep(60)

    with Aside(work) as aside:
        until = time.monotonic() + 20
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert not aside.done()
        assert aside.result(0) is None
    assert ends(int(told.read_text("ascii")))
