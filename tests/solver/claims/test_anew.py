"""Some claims of shipped rulesets decided anew from nothing: each call returns within its bar.

They were chosen by kind and by what is hard about them; `make claims` does the same for all. Work is counted,
not the clock: on a busy machine a call does less in its time, never more.
"""

from __future__ import annotations

import os
import sys

import pytest

from benchmarks.anew import BAR, TIMEOUT, decide
from rulespec.budgets import can_fork

SECONDS = 4.0
"""The timeout of each call; the bar of work is in proportion, with as much again for the start."""

CLAIMS = {
    "under 576 readings, of which some leave no first ply": ("sacred-alignment", "zero-cheat"),
    "all shuffles, one by one": ("sacred-alignment-small", "share-of-all-without-cheating"),
    "formulas of a large game": ("stout", "goes-on"),
    "two games in one": ("sacred-alignment-small", "near-is-plan"),
    "a linear program": ("kuhn-poker", "worth"),
}


@pytest.mark.sampled(2)
@pytest.mark.skipif(not can_fork() or sys.platform != "linux", reason="work is counted there")
@pytest.mark.parametrize("what", CLAIMS)
def test_every_call_returns_within_its_bar(what: str) -> None:
    found = decide(*CLAIMS[what], "", SECONDS)
    if found.outcome == "error" and found.work < SECONDS / 4 and os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("other programs left the call no time")
    assert found.outcome in ("proved", "refuted", "bounded", "estimated", "undecided"), found.text
    assert found.work < BAR * (1 + SECONDS / TIMEOUT), found
    assert found.text
