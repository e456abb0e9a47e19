"""Bundles are kept between builds, for just the rules, the settings and the parts that they were made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from texts import CARDS, COUNTDOWN

import rulespec
from rulespec.browser import bundle as bundles
from rulespec.browser.bundle import NotForPages, bundle
from rulespec.browser.parts import drawing


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[mock.Mock]:
    """Counts the bundles that are made, with a cache that is empty at first."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    with mock.patch.object(bundles, "_made", side_effect=bundles._made) as counted:
        yield counted


def loaded(tmp_path: Path, text: str, **settings: Any) -> rulespec.Game:
    """The game of a ruleset given as text."""
    (tmp_path / "game.yaml").write_text(text)
    return rulespec.load(str(tmp_path / "game.yaml"), **settings)


def test_a_bundle_is_made_once(tmp_path: Path, made: mock.Mock) -> None:
    first = bundle(loaded(tmp_path, COUNTDOWN))
    assert bundle(loaded(tmp_path, COUNTDOWN)) == first
    assert made.call_count == 1


def test_what_changes_a_page_changes_the_bundle(tmp_path: Path, made: mock.Mock) -> None:
    game = loaded(tmp_path, COUNTDOWN)
    bundle(game)
    bundle(game, drawing(game.core))
    prose = bundle(loaded(tmp_path, COUNTDOWN.replace("No more than there are.", "There are no more.")))
    assert made.call_count == 3
    assert "There are no more." in str(prose["refused"])
    assert bundle(rulespec.load("nim")) != bundle(rulespec.load("nim", parameters={"piles": [1, 2]}))
    assert made.call_count == 5


def test_settings_of_one_game_share_its_texts_and_no_bundle(tmp_path: Path, made: mock.Mock) -> None:
    game = rulespec.load("nim")
    for _ in range(2):
        other = game.under(parameters={"piles": [1, 2]})
        assert bundle(other)["about"]["parameters"] == {"piles": [1, 2]}
        assert bundle(game)["about"]["parameters"] == {}
    assert made.call_count == 2


def test_a_refusal_is_kept_too(tmp_path: Path, made: mock.Mock) -> None:
    huge = CARDS.replace("type Card = 1..6", "type Card = 1..2000")
    for _ in range(2):
        with pytest.raises(NotForPages, match="are allowed"):
            bundle(loaded(tmp_path, huge))
    assert made.call_count == 1


@pytest.mark.parametrize("damage", [b"", b"x", b"cut"])
def test_what_is_damaged_is_made_again(tmp_path: Path, made: mock.Mock, damage: bytes) -> None:
    first = bundle(loaded(tmp_path, COUNTDOWN))
    for path in (tmp_path / "cache").glob("rulespec_code_*"):
        path.write_bytes(path.read_bytes()[:-9] if damage == b"cut" else damage)
    assert bundle(loaded(tmp_path, COUNTDOWN)) == first
    assert made.call_count == 2
