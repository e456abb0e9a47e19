"""Bundles are kept between builds, for just the rules, the settings and the parts that they were made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from texts import CARDS, COUNTDOWN

import rulespec
from rulespec.book.content import playing
from rulespec.book.content.page import Links, Page
from rulespec.browser import bundle as bundles
from rulespec.browser.bundle import NotForPages, bundle
from rulespec.browser.parts import drawing


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[mock.Mock]:
    """Counts the bundles that are made, with a cache that is empty at first."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    with mock.patch.object(bundles, "_write_code", side_effect=bundles._write_code) as counted:
        yield counted


def loaded(tmp_path: Path, text: str, **settings: Any) -> rulespec.Game:
    """The game of a ruleset given as text."""
    (tmp_path / "game.yaml").write_text(text)
    return rulespec.load(str(tmp_path / "game.yaml"), **settings)


def test_a_bundle_is_made_once(tmp_path: Path, made: mock.Mock) -> None:
    first = bundle(loaded(tmp_path, COUNTDOWN))
    assert bundle(loaded(tmp_path, COUNTDOWN)) == first
    assert made.call_count == 1


COLOURS = (
    COUNTDOWN.replace("    state left", '    type Colour = one of red, blue as "RB"\n    state left')
    .replace("action: n in 1..2", "action: n in 1..2, c in Colour")
    .replace("rules:", """diagram:
- mark: disc
  look: big
  for: c in Colour, i in 1..left
  across: i
  up: if c is red then 1 else 2
  text: "{c} and {left}"
rules:""", 1)
)  # fmt: skip
"""A countdown with a drawing, and values that have letters."""

IN_WORDS = {
    "title": ("title: Countdown", "title: Another"),
    "requirement": ("No more than there are.", "There are no more."),
    "action": ("Take one counter or two.", "Take two counters or one."),
    "end": ("The game ends when nothing is left.", "Nothing is left, so it ends."),
}
IN_CODE = {
    "rule": ("0..5 = 5", "0..5 = 4"),
    "notation": ("written: take {n}", "written: get {n}"),
    "letters": ('as "RB"', 'as "XY"'),
    "name": ("last", "recent"),
    "mark": ("mark: disc", "mark: square"),
    "look": ("look: big", "look: dashed"),
    "caption": ("{c} and {left}", "{c} or {left}"),
    "place": ("then 1 else 2", "then 1 else 3"),
}
UNSEEN = {
    "comment": ("rules:\n", "# Rules follow.\nrules:\n"),
    "claims": ("invariant: left <= 5", "invariant: left <= 4"),
}


def drawn(game: rulespec.Game) -> dict[str, Any]:
    """The bundle with the drawing."""
    return bundle(game, drawing(game.core))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("changed", [*IN_WORDS, *IN_CODE, *UNSEEN])
def test_a_changed_ruleset_has_the_bundle_that_it_has_without_a_cache(
    tmp_path: Path, made: mock.Mock, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    before = drawn(loaded(tmp_path, COLOURS))
    old, new = (IN_WORDS | IN_CODE | UNSEEN)[changed]
    assert old in COLOURS
    after = drawn(loaded(tmp_path, COLOURS.replace(old, new)))
    assert made.call_count == (2 if changed in IN_CODE else 1)
    assert (after == before) == (changed in UNSEEN)
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "other"))
    assert after == drawn(rulespec.load(str(tmp_path / "game.yaml")))
    assert made.call_count == (3 if changed in IN_CODE else 2)


def test_parts_and_settings_have_bundles_of_their_own(tmp_path: Path, made: mock.Mock) -> None:
    bundle(loaded(tmp_path, COLOURS))
    drawn(loaded(tmp_path, COLOURS))
    game = rulespec.load("nim")
    for _ in range(2):
        other = game.under(parameters={"piles": [1, 2]})
        assert bundle(other)["about"]["parameters"] == {"piles": [1, 2]}
        assert bundle(game)["about"]["parameters"] == {}
    assert made.call_count == 4


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


def test_a_full_page_asks_for_no_further_bundle(
    tmp_path: Path, made: mock.Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def carried() -> list[str]:
        page, links = Page(""), Links(player="player.js")
        assert [*playing.Playing(rulespec.load("nim"), page, links).block((2,))]
        return [*page.records.values()]

    default, *others = carried()
    assert others and made.call_count == 1 + len(others)
    monkeypatch.setattr(playing, "MOST_BYTES", len(default.encode()) * 3 // 2)
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "other"))
    made.reset_mock()
    assert carried() == [default]
    assert made.call_count == 1
