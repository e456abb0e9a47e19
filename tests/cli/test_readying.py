"""A machine is made ready beside a check, within limits, and nothing of it is seen."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import pytest
from processes import ends

from rulespec.cli import readying
from rulespec.language import load
from rulespec.simulation import playing


@pytest.fixture
def own() -> readying.Readying:
    """One that may begin in this process."""
    made = readying.Readying()
    made.process = os.getpid()
    return made


def test_no_other_process_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that does not stay, nor those that a check of many rulesets has forked."""
    monkeypatch.setattr(readying, "ForkedCall", None)
    for process in (0, os.getppid()):
        made = readying.Readying()
        made.process = process
        made.begin(load("tic-tac-toe"))
        assert not made.begun


def test_only_the_first_game_is_made_ready(
    own: readying.Readying, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "ByCode", lambda game, *_: (tmp_path / game.id).touch())
    own.begin(load("tic-tac-toe"))
    own.begin(load("nim"))
    own.wait()
    assert [path.name for path in tmp_path.iterdir()] == ["tic-tac-toe"]


def test_what_it_prints_and_raises_is_lost(
    own: readying.Readying, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        for stream in (1, 2):
            os.write(stream, b"words")
        raise RuntimeError("a defect")

    monkeypatch.setattr(playing, "ByCode", fail)
    own.begin(load("tic-tac-toe"))
    own.wait()
    assert capfd.readouterr() == ("", "")


def test_it_has_limits_and_the_lowest_priority(
    own: readying.Readying, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tell(*_: object) -> None:
        limits = resource.getrlimit(resource.RLIMIT_CPU)[0], resource.getrlimit(resource.RLIMIT_DATA)[0]
        (tmp_path / "told").write_text(f"{os.getpriority(os.PRIO_PROCESS, 0)} {limits[0]} {limits[1] > 0}")

    monkeypatch.setattr(playing, "ByCode", tell)
    own.begin(load("tic-tac-toe"))
    own.wait()
    assert (tmp_path / "told").read_text() == f"{readying.LEAST_PRIORITY} {readying.SECONDS} True"


def test_one_that_does_not_end_is_ended(
    own: readying.Readying, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stay(*_: object) -> None:
        (tmp_path / "process").write_text(str(os.getpid()))
        time.sleep(600)

    monkeypatch.setattr(playing, "ByCode", stay)
    monkeypatch.setattr(readying, "LONGEST", 0.0)
    own.begin(load("tic-tac-toe"))
    while not (tmp_path / "process").exists() or not (tmp_path / "process").read_text():
        time.sleep(0.01)
    own.wait()
    assert ends(int((tmp_path / "process").read_text()))
