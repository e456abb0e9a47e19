"""Rulebooks on paper: a few pages, contents that are right, nothing cut, no heading alone at the foot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.conftest import GAMES, PATIENCE, PRINTED
from rulespec.book.drawing.table import UNIT
from rulespec.book.output.pdf import PrintedRulebook, document, heights, page_count, places, print_pdf
from rulespec.cli import main

OUTLINE = re.compile(rb"/Title [^\n]*\n/Dest \[(\d+) 0 R /XYZ [\d.]+ ([\d.]+) 0\]")
FOOT = 15 / 25.4 * 72
"""The height of the lower margin, in points."""


@pytest.fixture(params=PRINTED)
def pdf(request: pytest.FixtureRequest, site: Path, browser: Browser) -> bytes:
    """A printed rulebook: of each of the four games by `make agreement`."""
    return (site / "rulebooks" / f"{request.param}.pdf").read_bytes()


def test_a_rulebook_has_four_to_eighteen_pages(pdf: bytes) -> None:
    assert 4 <= page_count(pdf) <= 18


def test_no_heading_stands_alone_at_the_foot(pdf: bytes) -> None:
    """Under a heading there is at least the line that belongs to it."""
    tops = [float(height) for _, height in OUTLINE.findall(pdf)]
    assert len(tops) > 10
    assert min(tops) > FOOT + 36


def test_a_printed_rulebook_knows_no_machine(pdf: bytes, site: Path) -> None:
    assert b"file:" not in pdf
    assert str(site).encode() not in pdf


HTML = """\
<h1 id="game">A game &lt;i&gt;</h1><p>Its front, <a href="other.html">elsewhere</a>.</p>
<h2 id="first">First</h2><p style="height: 200mm; break-inside: avoid">Tall.</p>
<h2 id="second">Second</h2><p style="height: 200mm; break-inside: avoid">Tall.</p>
<details class="rs-more"><summary>Why</summary><h2 id="folded">Folded</h2></details>
<h2 id="part_known">Good to know</h2><p>Proofs.</p>
<h2 id="nothing">Nothing</h2><div><p><a href="exact.html">The exact text</a> is elsewhere.</p></div>
<h2 id="third">Third</h2><p>Last.</p><p><a href="exact.html">The exact text</a> is elsewhere.</p>
"""


def test_contents_have_the_numbers_of_the_pages(browser: Browser) -> None:
    pdf = print_pdf(PrintedRulebook('A "game" </style>', HTML))
    assert places(pdf) == {"first": 2, "second": 3, "third": 3}
    assert page_count(pdf) == 3
    text = document(PrintedRulebook("A game", HTML), places(pdf), "a4")
    assert re.findall(r"<span>(\w+)</span> <span>(\d*)</span>", text) == [
        ("First", "2"), ("Second", "3"), ("Third", "3"),
    ]  # fmt: skip
    for left_out in ("elsewhere.html", "other.html", "exact.html", "Folded", "Proofs", "Nothing"):
        assert left_out not in text


def test_an_appendix_and_another_paper_are_printed_if_asked_for(browser: Browser) -> None:
    with_it = print_pdf(
        PrintedRulebook("A game", HTML, '<h1 id="exact">Exact</h1><h2 id="take">Take</h2>'), "a5"
    )
    assert places(with_it)["rs-appendix"] > places(with_it)["third"]
    assert max(top for _, top in heights(with_it).values()) < 210 / 25.4 * 72


def test_a_publisher_is_told_where_the_rulebook_on_paper_lies(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["book", "new", str(tmp_path / "ours")]) == 0
    monkeypatch.chdir(tmp_path / "ours")
    assert main(["book", "--pdf"]) == 3, "its claims are not decided yet"
    printed = tmp_path / "ours" / "site" / "rulebooks" / "skittles.pdf"
    assert capsys.readouterr().out.endswith(f"On paper: {printed}\n")
    assert page_count(printed.read_bytes()) > 1


@pytest.fixture(params=GAMES)
def paper(request: pytest.FixtureRequest, site: Path, browser: Browser) -> Iterator[Page]:
    """The document of a rulebook as wide as the lines on paper."""
    html = (site / "rulebooks" / f"{request.param}.html").read_text(encoding="utf-8")
    content = html[html.index('<main id="rs--content">') : html.index("</main>")]
    page = browser.new_page(viewport={"width": 672, "height": 970})  # 178 mm
    page.set_default_timeout(PATIENCE)
    page.emulate_media(media="print", color_scheme="light")
    page.set_content(document(PrintedRulebook(request.param, content), {}, "a4"))
    yield page
    page.close()


def test_nothing_is_cut(paper: Page) -> None:
    """Nothing on a rulebook's page is wider than the lines of the paper."""
    wide = paper.evaluate(
        "() => [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 673)"
        ".map(e => e.outerHTML.slice(0, 100))"
    )
    assert wide == []


@pytest.mark.parametrize("paper", ["leistiko"], indirect=True)
def test_sentences_stand_in_place_of_notation(paper: Page) -> None:
    """An action with a sentence of its own has no notation on paper."""
    told = paper.locator(".rs-told")
    assert told.first.is_visible()
    assert told.first.inner_text().startswith("Player 2 lays the 2-5 on ")
    assert not any(code.is_visible() for code in paper.locator(".rs-told + code").all())


def test_pictures_are_large_enough_to_read(paper: Page) -> None:
    """A square of a board is at least 5 mm wide on paper."""
    scales = paper.evaluate(
        "() => [...document.querySelectorAll('.rs-pictures>svg,.rs-trace svg')]"
        ".map(s => s.getBoundingClientRect().width / s.viewBox.baseVal.width).filter(scale => scale > 0)"
    )
    assert len(scales) > 5
    assert min(scales) * UNIT > 5 / 25.4 * 96


def test_a_long_play_has_pictures_of_its_beginning_and_its_end(paper: Page) -> None:
    """The actions between are there to read, so that a whole game takes a page or two."""
    hidden = paper.evaluate(
        "() => [...document.querySelectorAll('.rs-trace ol')].map(ol => [...ol.children].map("
        "li => [li.innerText.trim() !== '', getComputedStyle(li.querySelector('svg')).display !== 'none']))"
    )
    assert hidden
    for steps in hidden:
        assert all(told for told, _ in steps)
        assert [drawn for _, drawn in steps] == [
            n < 6 or n == len(steps) - 1 or len(steps) < 10 for n in range(len(steps))
        ]


def test_a_short_part_is_not_parted(paper: Page) -> None:
    """A reference card, and a heading with what it introduces, are kept together."""
    loose = paper.evaluate(
        "() => [...document.querySelectorAll('.rs-card')].map(e => e.parentElement)"
        ".filter(e => e.tagName !== 'SECTION' || getComputedStyle(e).breakInside !== 'avoid').length"
        " + [...document.querySelectorAll('.rs-trace')].map(e => e.parentElement.previousElementSibling)"
        ".filter(e => e && getComputedStyle(e).breakAfter !== 'avoid').length"
    )
    assert loose == 0
