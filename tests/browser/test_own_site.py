"""This project's own site: every example ran, every link leads somewhere, no page is large."""

from __future__ import annotations

import gzip
from pathlib import Path

from sites import asks_another_host, dead_links

from browser.conftest import ROOT
from rulespec.book.examples.scan import markdown_files, scan_text
from rulespec.core.diagnostics import Report, Source


def test_every_example_of_our_own_site_ran_and_is_shown(site: Path) -> None:
    report = Report()
    sources = [Source(str(path), path.read_text("utf-8")) for path in markdown_files([ROOT / "docs"])]
    found = [fence for source in sources for fence in scan_text(source, report)]
    texts = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert sum(text.count('class="rs-example"') for text in texts.values()) >= len(found) > 4
    for page, text in texts.items():
        assert not asks_another_host(text), page
        assert "rs-failed" not in text, page


def test_every_link_leads_somewhere(site: Path) -> None:
    assert [*dead_links(site)] == []


def test_no_page_is_large(site: Path) -> None:
    large = [f"{p.name}: {p.stat().st_size}" for p in site.rglob("*.html") if p.stat().st_size > 400_000]
    assert large == []


def test_the_player_is_small(site: Path) -> None:
    assert len(gzip.compress((site / "assets/player.js").read_bytes(), 6)) <= 60_000


def test_the_first_page_shows_the_board_that_it_offers_to_play(site: Path) -> None:
    place = (site / "index.html").read_text(encoding="utf-8").partition('class="rs-play-here"')[2]
    assert place.index('class="rs-poster"') < place.index("<svg") < place.index("Play here")
