"""Every page of the site in a browser: no error, no other host, nothing that keeps a reader out.

Each page is looked at in one of four ways, by a digest of the name, and the pages of the four games in all
of them. Axe goes through the pages of the four games in the first and the last way, through the
documentation, and through a quarter of the other rulebooks, which the same templates make. Where texts of a
page have the same chain of elements and attributes above them, axe computes the contrast of two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from browser.conftest import GAMES, Opener, new_context, watched

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
"""axe-core, under the Mozilla Public License 2.0."""

WAYS = {
    "desktop, light": (False, False),
    "desktop, dark": (True, False),
    "phone, light": (False, True),
    "phone, dark": (True, True),
}


def is_one_of_four(name: str) -> bool:
    return Path(name).stem in (*GAMES, *(f"{game}-exact" for game in GAMES)) or name == "index.html"


def ways_of(name: str) -> list[str]:
    return [*WAYS] if is_one_of_four(name) else [[*WAYS][_digest(name) % len(WAYS)]]


def has_axe(name: str, way: str) -> bool:
    """Tell whether axe goes through a page in this way."""
    if is_one_of_four(name):
        return way in (ways_of(name)[0], ways_of(name)[-1])
    return way in ways_of(name) and (not name.startswith("rulebooks/") or _digest(f"axe {name}") % 4 == 0)


def _digest(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0]


ALIKE = """
() => {
  const unlike = /^(id|href|title|d|c?[xy]|[xy][12]|points|transform|viewBox|data-.*|aria-.*)$/;
  const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]);
  const styles = rules.map(rule => rule.cssText).join("");
  const selects = (a) => styles.includes(a.name === "id" ? `#${a.value}` : `[${a.name}`);
  const tells = (a) => !unlike.test(a.name) || selects(a);
  const chains = new Map(), seen = new Map();
  for (const one of document.querySelectorAll('html, body, body *')) {
    const own = [...one.attributes].filter(tells).map(a => `[${a.name}=${a.value}]`);
    const chain = `${chains.get(one.parentElement)}>${one.localName}${own.join('')}`;
    chains.set(one, chain);
    const filled = one.matches('input, select, textarea')
      || [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!filled) continue;
    seen.set(chain, (seen.get(chain) || 0) + 1);
    if (seen.get(chain) <= 2) one.setAttribute('data-contrast', '');
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-contrast]' }] });
}
"""
"""Marks two of the texts of a page that have the same chain of elements and attributes above them.

Identifiers, addresses, shapes and places count only if a style sheet selects by them.
"""


def faults(page: Page) -> Iterator[str]:
    """Violations that axe sees, and what is wider than the window."""
    yield from violations(page)
    yield from widths(page)


def violations(page: Page) -> Iterator[str]:
    """Violations that axe sees."""
    page.evaluate(ALIKE)
    result: dict[str, Any] = page.evaluate(
        "async () => { const r = await axe.run({ resultTypes: ['violations'] });"
        " return r.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 120)]); }"
    )
    yield from (f"axe: {rule}, {count} times: {html}" for rule, count, html in result)


def widths(page: Page) -> Iterator[str]:
    """A page that is wider than the window."""
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if width[0] > width[1]:
        yield f"{width[0]} pixels wide in a window of {width[1]}"


@pytest.mark.parametrize("way", WAYS)
def test_pages_have_no_fault(way: str, site: Path, browser: Browser, address: str) -> None:
    names = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    names = [name for name in names if way in ways_of(name)]
    assert len(names) > 20
    dark, phone = WAYS[way]
    context = new_context(browser, dark, phone)
    context.add_init_script(AXE)
    wrong = []
    seen = watched(context, address)
    for name in names:
        seen.wrong.clear()
        seen.page.goto(f"{address}/{name}")
        looked = faults if has_axe(name, way) else widths
        wrong += [f"{name}: {fault}" for fault in (*seen.wrong, *looked(seen.page))]
    context.close()
    assert wrong == []


WRONG = "<img src=none.png><p style='color: #ccc; width: 900px'>pale</p>"


def test_faults_of_a_page_are_seen(browser: Browser, address: str) -> None:
    context = new_context(browser, False, True)
    context.add_init_script(AXE)
    seen = watched(context, address)
    seen.page.goto(f"{address}/404.html")
    with seen.page.expect_console_message(lambda message: "404" in message.text):
        seen.page.evaluate(f"document.body.innerHTML = `{WRONG}`")
    found = " ".join(faults(seen.page))
    for fault in ("image-alt", "color-contrast", "pixels wide"):
        assert fault in found
    assert "404" in " ".join(seen.wrong)
    with pytest.raises(Error):
        seen.page.goto("http://example.org/")
    assert "asks another host: http://example.org/" in seen.wrong
    context.close()


def test_a_page_reads_without_scripts(opened: Opener) -> None:
    for phone in (False, True):
        page = opened("rulebooks/stout.html", phone=phone, script=False).page
        assert page.locator("h1").is_visible()
        assert page.locator("nav#rs--pages").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
