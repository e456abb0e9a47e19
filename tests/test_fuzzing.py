"""A short campaign of hostile inputs, and faults planted to see that a campaign would find them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fuzzing import inputs, running
from fuzzing.campaign import Campaign
from fuzzing.inputs import KINDS, Input

SHORT = 60


def test_a_short_campaign_finds_nothing() -> None:
    campaign = Campaign("short")
    campaign.run(SHORT, jobs=2)
    assert campaign.tally.total == SHORT
    assert {name: f"{f.kind}: {f.text}" for name, f in campaign.tally.failures.items()} == {}


def test_a_campaign_leaves_the_environment_as_it_is() -> None:
    """It set the width of the terminal for all tests that ran in the same process."""
    before = dict(os.environ)
    assert running.run(inputs.made("arguments", "x-1")) is None
    assert dict(os.environ) == before
    text = "import os; before = dict(os.environ); import fuzzing.campaign; assert dict(os.environ) == before"
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    subprocess.run([sys.executable, "-c", text], check=True, env={**before, "PYTHONPATH": paths})


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_is_made_again_from_its_number(kind: str) -> None:
    assert inputs.made(kind, "x-1") == inputs.made(kind, "x-1")


def _crash(argv: Sequence[str]) -> int:
    raise IndexError("planted")


def _hang(argv: Sequence[str]) -> int:
    while True:
        pass


def _hoard(argv: Sequence[str]) -> int:
    raise MemoryError


def _shout(argv: Sequence[str]) -> int:
    print("\x1b[2J")
    return 0


def _keep_silent(argv: Sequence[str]) -> int:
    return 2


def _odd_status(argv: Sequence[str]) -> int:
    return 77


def _overwrite(argv: Sequence[str]) -> int:
    (Path("..") / "victim.txt").write_text("gone")
    return 0


def _delete(argv: Sequence[str]) -> int:
    (Path("..") / "victims" / "backup.xz").unlink()
    return 0


def _run_code(argv: Sequence[str]) -> int:
    Path("CANARY").touch()
    return 0


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        (_crash, "traceback"),
        (_hang, "hang"),
        (_hoard, "memory"),
        (_shout, "control"),
        (_keep_silent, "silence"),
        (_odd_status, "status"),
        (_overwrite, "harm"),
        (_delete, "harm"),
        (_run_code, "harm"),
    ],
)
def test_a_planted_fault_is_found(
    planted: Callable[[Sequence[str]], int], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "main", planted)
    failure = running.run(Input(["check", "nim"]), seconds=0.3)
    assert failure is not None
    assert failure.kind == kind


def test_a_sound_program_has_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "main", lambda argv: print("fine") or 0)
    assert running.run(Input(["check", "nim"])) is None


def test_an_input_whose_process_dies_is_named_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def die_once(argv: Sequence[str]) -> int:
        nonlocal calls
        calls += 1
        if calls == 4:
            sys.stdout.flush()
            __import__("os")._exit(9)
        return 0

    monkeypatch.setattr("fuzzing.campaign.warm", lambda: None)
    monkeypatch.setattr(running, "main", die_once)
    monkeypatch.setattr(running, "check_proof", lambda argv: 0)
    campaign = Campaign("planted")
    campaign.run(12, jobs=1)
    assert campaign.tally.total == 12
    assert [f.kind for f in campaign.tally.failures.values()] == ["death"] * len(campaign.tally.failures)
    assert campaign.tally.failures


def test_a_campaign_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzzing.campaign.warm", lambda: None)
    monkeypatch.setattr(running, "main", lambda argv: 0)
    first = Campaign("kept")
    first.run(200, jobs=1)
    first.write(tmp_path / "campaign.json")
    again = Campaign.read(tmp_path / "campaign.json")
    again.run(250, jobs=2)
    assert again.tally.total == 250
    assert again.batches == {0, 1}
