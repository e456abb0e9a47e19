"""What an interrupt leaves: everything that was decided."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.budgets.interrupts import defer_interrupts
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Store
from rulespec.solver.claims import ProveOptions, decide_claims, prove


def test_an_interrupt_waits_until_what_was_decided_is_kept() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), defer_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("kept")
    assert done == ["kept"]
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)


def test_what_was_decided_before_an_interrupt_is_in_the_store(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(COUNTDOWN)
    store = tmp_path / "verdicts.json.gz"
    events = decide_claims(Loader(str(tmp_path / "own.yaml")), ProveOptions(store=store))
    next(events)
    with pytest.raises(KeyboardInterrupt):
        events.throw(KeyboardInterrupt)
    assert [v.claim for v in Store.read(store)] == ["never-six"]


def test_a_budget_that_runs_out_is_named(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(COUNTDOWN)
    loader = Loader(str(tmp_path / "own.yaml"))
    (late,) = prove(loader, ["ends"], timeout=0.0)
    (large,) = prove(loader, ["ends"], memory=1)
    assert (late.outcome, large.outcome) == ("undecided", "undecided")
    assert "the limit of 0 s" in late.statement
    assert "the limit of 1 MB" in large.statement
