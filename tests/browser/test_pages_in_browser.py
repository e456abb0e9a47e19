"""Every page of the site in a browser: no error, no other host, nothing that keeps a reader out.

Axe goes through a few pages that together have every kind of element. These and every third of the others
are looked at in one of two ways, by a digest of their names: in a light window of a desktop, or in a dark one
of a phone (`make agreement`: axe goes through all pages of all games, in both ways). Where texts of a page
have the same chain of elements and attributes above them, axe computes the contrast of two.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from browser.conftest import SLOW, Opener, new_context, watched

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
"""axe-core, under the Mozilla Public License 2.0."""

WAYS = {"desktop, light": (False, False), "phone, dark": (True, True)}
_ELEMENT = re.compile(r"<([a-z][a-z0-9-]*)\b([^<>]*)")
_KIND = re.compile(r'\s((?:class|role|type)="[^"]*")')

Kind = tuple[str, ...]
"""The name of an element, its classes and its role."""


def kinds(page: str) -> set[Kind]:
    """The kinds of elements of a page."""
    return {(name, *_KIND.findall(attributes)) for name, attributes in _ELEMENT.findall(page)}


def cover(pages: Mapping[str, set[Kind]]) -> set[str]:
    """A few pages that together have every kind, by greedy set cover."""
    left, chosen = set().union(*pages.values()), set()
    while left:
        name = max(pages, key=lambda name: (len(pages[name] & left), name))
        left -= pages[name]
        chosen.add(name)
    return chosen


@cache
def with_axe(site: Path) -> set[str]:
    """The pages of a site that axe goes through."""
    pages = {name: kinds((site / name).read_text(encoding="utf-8")) for name in names_of(site)}
    return {*pages} if SLOW else cover(pages)


def names_of(site: Path) -> list[str]:
    """The pages of a site."""
    return [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]


def looked_at(site: Path, way: str) -> list[str]:
    """The pages that are looked at in a way, with axe or without."""
    if SLOW:
        return names_of(site)
    digests = {name: hashlib.sha256(name.encode()).digest() for name in names_of(site)}
    chosen = {name: d for name, d in digests.items() if name in with_axe(site) or d[1] % 3 == 0}
    return [name for name, digest in chosen.items() if way == [*WAYS][digest[0] % len(WAYS)]]


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


def faults(page: Page, within: str = "html") -> Iterator[str]:
    """Violations that axe sees within an element, and what is wider than the window."""
    yield from violations(page, within)
    yield from widths(page)


def violations(page: Page, within: str) -> Iterator[str]:
    """Violations that axe sees within an element."""
    page.evaluate(AXE)
    page.evaluate(ALIKE)
    result: dict[str, Any] = page.evaluate(
        "async (within) => { const r = await axe.run(within, { resultTypes: ['violations'] });"
        " return r.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 120)]); }",
        within,
    )
    yield from (f"axe: {rule}, {count} times: {html}" for rule, count, html in result)


def widths(page: Page) -> Iterator[str]:
    """A page that is wider than the window."""
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if width[0] > width[1]:
        yield f"{width[0]} pixels wide in a window of {width[1]}"


@pytest.mark.parametrize("way", WAYS)
def test_pages_have_no_fault(way: str, site: Path, browser: Browser, address: str) -> None:
    names = looked_at(site, way)
    assert len(names) > 15
    context = new_context(browser, *WAYS[way])
    wrong = []
    seen = watched(context, address)
    for name in names:
        seen.wrong.clear()
        seen.page.goto(f"{address}/{name}")
        looked = faults if name in with_axe(site) else widths
        wrong += [f"{name}: {fault}" for fault in (*seen.wrong, *looked(seen.page))]
    context.close()
    assert wrong == []


WRONG = "<img src=none.png><p style='color: #ccc; width: 900px'>pale</p>"


def test_faults_of_a_page_are_seen(browser: Browser, address: str) -> None:
    context = new_context(browser, False, True)
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
