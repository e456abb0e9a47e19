"""A site is there without a network: what was opened plays on, and no page is older than the site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.conftest import ROOT, new_context, served
from rulespec.book.output.offline import WORKER, keep_small_site, with_digests
from rulespec.play.records.files import read_record, replay

THEME = ROOT / "rulespec" / "book" / "theme"
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url));
  }
  return found.map((url) => (url.pathname + url.search).slice(1)).sort();
}"""
ALL_KEPT = """async () => {
  const used = performance.getEntriesByType("resource");
  const files = used.map((one) => one.name.split("#")[0]).filter((one) => one.startsWith(location.origin));
  const answers = await Promise.all(files.map((file) => caches.match(file)));
  return files.length > 0 && answers.every(Boolean);
}"""
READY = "navigator.serviceWorker.ready.then(() => true)"
PLAYED = """async (place) => {
  const block = document.querySelector(".rs-play-here"), manifest = JSON.parse(block.dataset.player);
  const table = block.rulespecTable, random = rulespec.randomNumbers(5), { game } = table.play;
  table.seats.kinds.fill("person");
  table.seated();
  while (game.mover(table.play.state) >= 0) {
    const ready = document.querySelector(".rs-curtain:not([hidden]) button");
    if (ready) ready.click();
    const legal = game.legal(table.play.state);
    table.act(legal[random() % legal.length]);
  }
  return [table.play.record(), document.querySelector(".rs-status").textContent];
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a window of its own, whose network can be taken away."""
    context = new_context(browser, dark=False, phone=False, offline=True)
    yield context.new_page()
    context.close()


def wait_for(page: Page, ending: str) -> list[str]:
    """Wait until a file is kept; all that is kept then."""
    page.wait_for_function(f"async (end) => (await ({KEPT})()).some((one) => one.includes(end))", arg=ending)
    return [*page.evaluate(KEPT)]


def test_a_game_that_was_opened_is_played_without_a_network(page: Page, address: str) -> None:
    page.goto(f"{address}/rulebooks/connect-four.html")
    assert page.evaluate(READY)
    wait_for(page, "connect-four-play")
    wait_for(page, "player.js")
    wait_for(page, "connect-four.html")
    page.wait_for_function(ALL_KEPT)
    page.context.set_offline(True)
    page.goto(f"{address}/rulebooks/connect-four.html")
    page.get_by_role("button", name="Play here").click()
    page.locator(".rs-player").wait_for()
    page.wait_for_function("() => document.querySelector('.rs-play-here').rulespecTable?.play")
    text, told = page.evaluate(PLAYED)
    last = [*replay(read_record(text))][-1]
    assert last.is_over
    assert "wins" in told or "Nobody" in told


def page_of(folder: Path, text: str, script: str, second: int) -> str:
    """Write a page of some second with a script into a folder; the address of the script."""
    (folder / "own.js").write_text(f"window.said = {script!r}")
    os.utime(folder / "own.js", (second, second))
    digest = sha256((folder / "own.js").read_bytes()).hexdigest()[:12]
    (folder / "index.html").write_text(
        f'<!DOCTYPE html><p>{text}</p><script src="own.js?v={digest}"></script>'
    )
    os.utime(folder / "index.html", (second, second))
    return f"own.js?v={digest}"


def test_no_page_is_older_than_its_site(page: Page, tmp_path: Path) -> None:
    """In a folder of a host, a page and its scripts are new after each build, and old ones are removed."""
    folder = tmp_path / "below"
    folder.mkdir()
    (folder / WORKER).write_bytes((THEME / WORKER).read_bytes())
    first = page_of(folder, "first", "one", 1)
    with served(tmp_path) as host:
        page.goto(f"{host}/below/")
        page.evaluate("navigator.serviceWorker.register('service-worker.js')")
        assert page.evaluate(READY)
        for _ in range(2):
            page.reload()
            assert page.evaluate("said") == "one"
        assert wait_for(page, "own.js") == ["below/", f"below/{first}"]
        second = page_of(folder, "second", "two", 9)
        page.reload()
        assert page.evaluate("[said, document.body.innerText]") == ["two", "second"]
        page.wait_for_function(f"async () => (await ({KEPT})()).length === 2")
        assert page.evaluate(KEPT) == ["below/", f"below/{second}"]
        (folder / "own.js").write_text("window.said = 'of another build'")
        os.utime(folder / "own.js", (19, 19))
        page.evaluate("caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))")
        page.reload()
        assert wait_for(page, "below/") == ["below/"], "a file that has another digest is not kept"
        page.goto(f"{host}/below/index.html")
        assert wait_for(page, "index") == ["below/", "below/index.html"]
        (folder / "index.html").rename(folder / "other.html")
        page.reload()
        page.wait_for_function(f"async () => (await ({KEPT})()).length === 1")
    page.goto(f"{host}/below/?tour")
    assert "second" in page.inner_text("body")


def test_a_browser_may_install_the_site(page: Page, address: str) -> None:
    page.goto(f"{address}/index.html")
    assert page.evaluate(READY)
    session = page.context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors] == ["in-incognito"], "as each window of a test is"
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{address}/manifest.webmanifest"


def test_a_small_site_is_kept_whole(tmp_path: Path) -> None:
    (tmp_path / WORKER).write_bytes((THEME / WORKER).read_bytes())
    (tmp_path / "index.html").write_text("a page")
    (tmp_path / "own.js").write_text("a script")
    keep_small_site(tmp_path, {"own.js": "12ab"})
    assert '["index.html", "own.js?v=12ab"];' in (tmp_path / WORKER).read_text()


def test_addresses_have_the_digests_of_files(site: Path) -> None:
    text = '<a href="../x.js"><div data-player="{&quot;a&quot;:&quot;x.js&quot;}"><script src="x.js">'
    assert with_digests(text, "b/c.html", {"b/x.js": "12"}) == text.replace('x.js"', 'x.js?v=12"').replace(
        "x.js&", "x.js?v=12&"
    ).replace('../x.js?v=12"', '../x.js"')
    page = (site / "rulebooks" / "nim.html").read_text(encoding="utf-8")
    for name in ("assets/player.js", "js/theme.js", "assets/rulespec.css"):
        digest = sha256((site / name).read_bytes()).hexdigest()
        assert f"../{name}?v={digest[:12]}" in page
