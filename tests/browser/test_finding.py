"""Finding things: the search, the contents that follow the reader, the drawers of narrow screens."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Opener


def search(page: Page, query: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(query)
    page.wait_for_selector("#rs--found a")


def results(page: Page) -> list[tuple[str, list[str]]]:
    """The pages that were found, each with the headings under it."""
    found: list[tuple[str, list[str]]] = page.evaluate(
        "() => [...document.querySelectorAll('#rs--found h2')].map(h => [h.textContent,"
        " [...h.nextElementSibling.querySelectorAll('strong')].map(s => s.textContent)])"
    )
    return found


def test_the_index_is_small(site: Path) -> None:
    index = (site / "assets" / "search-index.js").read_bytes()
    assert 10_000 < len(gzip.compress(index)) < 400_000


def test_results_name_the_game_and_are_few(opened: Opener) -> None:
    page = opened("index.html").page
    search(page, "hop")
    found = results(page)
    assert found[0][0] == "Stout's Ziggurat race"
    assert found[0][1][0].endswith("Hop")
    assert len(found) <= 8
    assert all(len(rows) <= 3 for _, rows in found)
    titles = [title for title, _ in found]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("query", "title"), [("Leistiko", "Leistiko's Ziggurat of dominoes")])
def test_a_game_is_found_by_its_name(opened: Opener, query: str, title: str) -> None:
    page = opened("index.html").page
    search(page, query)
    assert results(page)[0][0] == title


def test_a_word_comes_before_words_that_hold_it(opened: Opener) -> None:
    """A heading with *taking* stood before text with a king."""
    page = opened("index.html").page
    search(page, "king")
    headings = [heading for _, rows in results(page) for heading in rows]
    assert headings[0] == "Collecting a king"
    assert "Taking a card" not in headings[:3]


def test_a_clause_is_found_by_its_whole_id(opened: Opener) -> None:
    page = opened("reference/language.html").page
    search(page, "across-tiers")
    assert results(page)[0][0] == "Ziggurat of Sacred Alignment"
    page.keyboard.press("Enter")
    page.wait_for_url("**/sacred-alignment*.html#across-tiers")
    assert page.locator("#across-tiers").count() == 1


def test_a_sentence_is_found_in_the_rule_that_says_it(opened: Opener) -> None:
    page = opened("index.html").page
    search(page, "each half must be higher")
    assert results(page)[0][0] == "Ziggurat of Sacred Alignment"
    assert page.locator("#rs--found span mark").first.text_content() == "Each half must be higher"


def test_results_are_reached_by_arrows_and_left_by_escape(opened: Opener) -> None:
    page = opened("index.html").page
    search(page, "domino")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    links = "[...document.querySelectorAll('#rs--found a')]"
    assert page.evaluate(f"{links}.indexOf(document.activeElement)") == 1
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "rs--query"
    page.keyboard.press("Escape")
    expect(page.locator("#rs--found")).to_be_hidden()
    assert page.input_value("#rs--query") == ""


def test_a_query_typed_before_the_index_is_there_is_answered(opened: Opener) -> None:
    page = opened("index.html").page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/search-index.js", hold)
    page.fill("#rs--query", "ascending")
    expect(page.locator("#rs--found [role=status]")).to_contain_text("Loading")
    held[0].continue_()
    page.wait_for_selector("#rs--found a")
    assert "Higher on lower" in results(page)[0][1]


def test_nothing_found_and_no_index_are_said(opened: Opener) -> None:
    page = opened("index.html").page
    page.fill("#rs--query", "zyzzyva")
    expect(page.locator("#rs--found [role=status]")).to_contain_text("Nothing found for “zyzzyva”")
    other = opened("index.html").page
    other.route("**/search-index.js", lambda route: route.abort())
    other.fill("#rs--query", "domino")
    expect(other.locator("#rs--found [role=status]")).to_contain_text("could not be loaded")


def test_search_and_plays_work_in_pages_opened_as_files(opened: Opener, site: Path) -> None:
    seen = opened((site / "rulebooks" / "index.html").as_uri())
    search(seen.page, "ascending")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_url("**/sacred-alignment*.html#ascending")
    assert seen.wrong == []


def test_the_contents_follow_the_reader(opened: Opener) -> None:
    page = opened("reference/language.html").page
    current = "() => document.querySelector('#rs--toc [aria-current]').textContent"
    assert page.evaluate(current) == page.locator("main h2").first.text_content()
    page.locator("main h2").nth(4).evaluate("heading => heading.scrollIntoView()")
    wanted = page.locator("main h2").nth(4).text_content()
    page.wait_for_function(f"wanted => ({current})() === wanted", arg=wanted)


def test_drawers_open_and_close_on_a_phone(opened: Opener) -> None:
    page = opened("reference/language.html", phone=True).page
    toc, pages = page.locator("#rs--toc"), page.locator("nav#rs--pages")
    expect(toc).to_be_hidden()
    expect(pages).to_be_hidden()
    page.click("#rs--open-toc")
    expect(toc).to_be_visible()
    assert page.evaluate("document.getElementById('rs--toc').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(toc).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "rs--open-toc"
    page.click("#rs--open-pages")
    expect(pages).to_be_visible()
    page.mouse.click(380, 400)
    expect(pages).to_be_hidden()
    page.click("#rs--open-toc")
    toc.locator("a").nth(3).click()
    expect(toc).to_be_hidden()


def test_the_navigation_folds_variants_and_opens_where_the_reader_is(opened: Opener) -> None:
    page = opened("index.html").page
    shown = page.locator("nav#rs--pages a:visible")
    assert shown.count() < 15
    page = opened("rulebooks/leistiko-small.html").page
    assert page.locator("nav#rs--pages [aria-current=page]").is_visible()
    assert page.locator("nav#rs--pages a:visible", has_text="Leistiko's Ziggurat of dominoes").count() == 1
    assert page.locator("nav#rs--pages a:visible", has_text="Stout's race alone").count() == 0


@pytest.mark.parametrize("name", ["rulebooks/stout.html", "reference/language.html"])
def test_lists_of_pages_and_headings_have_no_bar_to_scroll_sideways(opened: Opener, name: str) -> None:
    page = opened(name).page
    wide = "[...document.querySelectorAll('nav, aside')].filter(e => e.scrollWidth > e.clientWidth).length"
    assert page.locator("nav#rs--pages").is_visible()
    assert page.evaluate(wide) == 0


def test_titles_in_letters_that_run_leftwards_leave_their_surroundings_in_order(opened: Opener) -> None:
    page = opened("rulebooks/stout.html").page
    loose = "[...document.querySelectorAll('h1, h2, h3, nav a, main a')]"
    loose += ".filter(e => getComputedStyle(e).unicodeBidi !== 'isolate').length"
    assert page.evaluate(loose) == 0
    assert page.title() == "\u2068Stout's Ziggurat race\u2069 · rulespec"


def test_pages_describe_themselves(site: Path) -> None:
    missing = [p.name for p in site.rglob("*.html") if '<meta name="description"' not in p.read_text("utf-8")]
    assert missing == []
    assert not (site / "sitemap.xml").exists(), "without an address of the site a sitemap would be empty"
