"""A stamp of the release shows a verdict with its date and cost, and never counts as a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulespec import load
from rulespec.book import plugin
from rulespec.book.content import readings
from rulespec.book.content.published_verdicts import RELEASED, PublishedVerdicts, mark_of
from rulespec.cli import publishing
from rulespec.core.verdicts import UNCHECKED, Store, Verdict
from rulespec.core.verdicts.current_verdicts import Current
from rulespec.core.verdicts.release_stamps import NAME, ReleaseStamps, verdict_digest
from rulespec.language import home

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _no_earlier_stamps(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Another test may have checked a verdict on the same game, with the same seconds."""
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def verdict(run: Run, own_game: Path) -> Verdict:
    """A stored verdict that nothing has checked."""
    assert run("prove", str(own_game))[0] == 0
    return next(v for v in Store.read(own_game.with_name("verdicts.json.gz")) if v.claim == "ends")


def stamped(folder: Path, verdict: Verdict, seconds: float = 2240.0) -> ReleaseStamps:
    """Stamps of a release in a folder, written and read again."""
    stamps = ReleaseStamps(folder)
    stamps.add(verdict, "0.1.0", seconds)
    stamps.save()
    return ReleaseStamps(folder)


def test_pages_need_not_compare_a_verdict_with_the_rules_after_its_check(
    run: Run, own_game: Path, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    assert verdict.subject not in Current(load(str(own_game)).sources)
    run("recheck", str(own_game))
    assert verdict.subject in Current(load(str(own_game)).sources)
    own_game.write_text(own_game.read_text() + "\n")
    assert verdict.subject not in Current(load(str(own_game)).sources)


def test_a_stamp_is_for_one_verdict_with_its_evidence(verdict: Verdict, tmp_path: Path) -> None:
    stamps = stamped(tmp_path, verdict)
    assert stamps.of(verdict) is not None
    assert stamps.of(replace(verdict, game="0" * 64)) is None
    assert stamps.of(replace(verdict, numbers={**verdict.numbers, "plies": 6})) is None
    stamps.keep_only({})
    stamps.save()
    assert ReleaseStamps(tmp_path).of(verdict) is None


def test_a_short_check_is_no_stamp_and_tells_what_it_cost(verdict: Verdict, tmp_path: Path) -> None:
    stamps = stamped(tmp_path, verdict, 2.5)
    assert stamps.of(verdict) is None
    assert stamps.seconds(verdict) == 2.5
    assert stamps.seconds(replace(verdict, game="0" * 64)) is None


def test_the_sentence_names_the_day_the_time_and_the_command(verdict: Verdict, tmp_path: Path) -> None:
    stamp = stamped(tmp_path, verdict).of(verdict)
    assert stamp is not None
    text = stamp.sentence(verdict)
    assert f"Shown on {stamp.day} by version 0.1.0 in 37 minutes; not checked here." in text
    assert "`rulespec recheck countdown --each 6720`" in text


def test_what_only_the_release_checked_is_shown_and_marked(verdict: Verdict, tmp_path: Path) -> None:
    stamps = stamped(tmp_path, verdict)
    shown = PublishedVerdicts(released=stamps.of).redact(verdict)
    assert (shown.outcome, mark_of(shown)) == ("proved", RELEASED)
    assert any("not checked here" in text for text in shown.warnings)
    assert "shown by the release" in readings.badge(mark_of(shown))
    checked = PublishedVerdicts(checked=lambda v: "replayed", released=stamps.of).redact(verdict)
    assert mark_of(checked) == "proved"
    assert PublishedVerdicts().redact(verdict).outcome == UNCHECKED


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "change",
    [
        ("2240.0", "1e999"),
        ("2240.0", '"x"'),
        ("2240.0", "true"),
        ('"version": "0.1.0", ', ""),
        ('"0.1.0"', '"\\u001b[2J"'),
        ('"day": "', '"day": "<b>'),
        ('"format": 1', '"format": 2'),
        ("}", ""),
    ],
)
def test_damaged_stamps_are_none(verdict: Verdict, tmp_path: Path, change: tuple[str, str]) -> None:
    """They ended every command with a traceback, or reached pages as they were."""
    stamped(tmp_path, verdict)
    text = (tmp_path / NAME).read_text()
    assert change[0] in text
    (tmp_path / NAME).write_text(text.replace(*change))
    assert ReleaseStamps(tmp_path).of(verdict) is None
    assert ReleaseStamps(home())._stamps, "those of this release are in order"


def test_a_page_shows_it_and_the_summary_does_not_count_it(
    run: Run, own_game: Path, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = own_game.parent
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Games\n")
    plugins = f"plugins: [{{rulespec: {{rulesets: [{own_game}]}}}}]"
    (folder / "mkdocs.yml").write_text(f"site_name: x\ntheme: rulespec\n{plugins}\n")
    stamped(tmp_path, verdict)
    build = ("book", "--config", str(folder / "mkdocs.yml"), "--within", "0.000001")
    for module in (plugin, publishing):
        monkeypatch.setattr(module, "home", lambda: tmp_path)
    status, out, _ = run(*build)
    assert status == 3
    assert "1 shown by the release, not checked here" in out
    pages = "".join(page.read_text() for page in (folder / "site").rglob("*.html"))
    assert "Shown on " in pages
    for module in (plugin, publishing):
        monkeypatch.setattr(module, "home", home)
    _, out, _ = run(*build)
    assert "by the release" not in out, "a file beside somebody else's ruleset is not read"


def test_stamps_beside_a_strangers_ruleset_count_for_nothing(
    run: Run, own_game: Path, verdict: Verdict
) -> None:
    stamped(own_game.parent, verdict)
    assert (own_game.parent / NAME).is_file()
    assert ReleaseStamps(home()).of(verdict) is None
    assert verdict_digest(verdict) not in ReleaseStamps(home())._stamps
