"""Claims that were decided are not decided again, unless a text has changed that their verdicts rest on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli.conftest import Run
from texts import COUNTDOWN

from rulespec.core.verdicts import UNDECIDED, beside
from rulespec.core.verdicts.store_file import StoreFile

SAME = """
- id: same
  prose: It goes as the other one.
  equivalent: other.yaml
"""
STORED = "same: proved  [stored]"


@pytest.fixture
def other(own_game: Path) -> Path:
    """A game like the user's own, which that compares itself with."""
    own_game.write_text(COUNTDOWN + SAME)
    path = own_game.parent / "other.yaml"
    path.write_text(COUNTDOWN.replace("id: countdown", "id: other", 1))
    return path


def test_a_changed_game_that_a_claim_compares_with_is_seen(run: Run, own_game: Path, other: Path) -> None:
    assert STORED not in run("prove", str(own_game), "same")[1]
    assert STORED in run("prove", str(own_game), "same")[1]
    other.write_text(other.read_text().replace("0..5 = 5", "0..5 = 4"))
    assert "same: refuted" in run("prove", str(own_game), "same")[1]


def test_an_open_claim_is_asked_again(run: Run, own_game: Path, other: Path) -> None:
    run("prove", str(own_game), "same")
    file = StoreFile(beside(own_game))
    with file.lock() as store:
        (found,) = store.of_claim("countdown", "same")
        store.drop([found])
        store.put(replace(found, outcome=UNDECIDED, evidence=(), numbers={}))
        file.write()
    out = run("prove", str(own_game), "same")[1]
    assert "same: proved" in out
    assert STORED not in out
