"""Outcomes of planted faults that are kept: only survivors are tried again."""

from __future__ import annotations

from pathlib import Path

import pytest

from soundness import mutants
from soundness.fault import Fault
from soundness.mutants import Kept, Outcome

BY_CAMPAIGN = Fault("solver", "if sound:", "if True:", "It is sound.")
BY_TESTS = Fault("solver", "if sound:", "if True:", "It is sound.", ("tests/test_layering.py",))


@pytest.mark.parametrize(
    ("fault", "caught", "budgets", "times"),
    [
        (BY_CAMPAIGN, True, (10, 20), 1),
        (BY_CAMPAIGN, False, (10, 10), 1),
        (BY_CAMPAIGN, False, (10, 20), 2),
        (BY_TESTS, True, (10, 20), 1),
        (BY_TESTS, False, (10, 10), 2),
    ],
)
def test_survivors_are_tried_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Fault,
    caught: bool,
    budgets: tuple[int, ...],
    times: int,
) -> None:
    """A test that was written for a survivor was never run, for its outcome had been kept."""
    tried: list[int] = []

    def outcome(fault: Fault | None, base: str, budget: int) -> Outcome:
        tried.append(budget)
        return Outcome(caught, budget, "")

    monkeypatch.setattr(mutants, "tried", outcome)
    for budget in budgets:
        assert Kept(tmp_path / "outcomes.json", fresh=False).outcome(fault, "seed", budget).caught is caught
    assert len(tried) == times
