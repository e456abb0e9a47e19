"""Plays to step through: their drawings come when they are unfolded, and are the ones that the rules gave."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import Opener, Seen


@pytest.fixture
def page_of_plays(site: Path) -> str:
    """A page with a folded play."""
    pages = sorted((site / "rulebooks").glob("sacred-alignment*.html"))
    with_plays = [p for p in pages if "data-drawings" in p.read_text(encoding="utf-8")]
    return with_plays[0].relative_to(site).as_posix()


def unfolded(seen: Seen) -> Locator:
    """The first folded play of a page, unfolded."""
    trace = seen.page.locator(".rs-trace[data-drawings]").first
    trace.locator("xpath=ancestor::details").locator("summary").first.click()
    trace.locator("svg").first.wait_for(state="attached")
    return trace


def test_a_play_is_stepped_through(opened: Opener, page_of_plays: str) -> None:
    seen = opened(page_of_plays)
    assert seen.page.locator(".rs-trace[data-drawings] svg").count() == 0
    trace = unfolded(seen)
    steps = trace.locator("ol > li")
    last = steps.count() - 1
    assert trace.locator("li > svg").count() == last + 1
    counter = trace.locator("[aria-live]")
    expect(counter).to_have_text(f"0 / {last}")
    trace.get_by_role("button", name="On").click()
    expect(counter).to_have_text(f"1 / {last}")
    expect(steps.nth(1)).to_be_visible()
    expect(steps.nth(0)).to_be_hidden()
    trace.focus()
    seen.page.keyboard.press("End")
    expect(counter).to_have_text(f"{last} / {last}")
    seen.page.keyboard.press("ArrowLeft")
    expect(counter).to_have_text(f"{last - 1} / {last}")
    trace.get_by_role("slider").fill("0")
    expect(counter).to_have_text(f"0 / {last}")
    assert seen.wrong == []


def test_a_play_without_scripts_lists_its_actions(opened: Opener, page_of_plays: str) -> None:
    page = opened(page_of_plays, script=False).page
    assert page.locator(".rs-trace[data-drawings] li code").count() > 5


def test_drawings_that_cannot_be_loaded_are_said_to_be_missing(opened: Opener, page_of_plays: str) -> None:
    page = opened(page_of_plays).page
    page.route("**/records/*.js*", lambda route: route.abort())
    trace = page.locator(".rs-trace[data-drawings]").first
    trace.locator("xpath=ancestor::details").locator("summary").first.click()
    expect(trace).to_contain_text("could not be loaded")


def test_a_shared_drawing_looks_like_one_alone(opened: Opener) -> None:
    """A run of marks that is used from another drawing must match the rules of style, light and dark."""
    for dark in (False, True):
        page = opened("rulebooks/stout.html", dark=dark).page
        drawing = page.query_selector("svg.rs-diagram:has(use)")
        assert drawing is not None
        before = drawing.screenshot()
        drawing.evaluate(
            "svg => svg.querySelectorAll('use').forEach(use => {"
            " const run = document.querySelector(use.getAttribute('href')).cloneNode(true);"
            " run.removeAttribute('id'); run.removeAttribute('class'); use.replaceWith(...run.childNodes); })"
        )
        assert drawing.query_selector("use") is None
        assert drawing.screenshot() == before
