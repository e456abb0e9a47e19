"""The content security policy of our theme: what it stops, and that nothing of the site is stopped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.conftest import ROOT, Opener, new_context, served, watched
from rulespec.book.configuration.site_configuration import BookError
from rulespec.book.site import build

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
INJECTED = """\
# Ours

<script>window.ran = "a script"</script>
<img src="img/favicon.svg" alt="" onload="window.ran = 'a handler'">
<img src="data:none" alt="" onerror="window.ran = 'another handler'">
<iframe srcdoc="<script>parent.ran = 'a frame'</script>" title="none"></iframe>
<svg><script>window.ran = "a drawing"</script></svg>

[a link](javascript:window.ran='a%20link')

A paragraph.
{ #paragraph onclick="window.ran = 'an attribute'" }

<div id="none">a style of its own: <span style="color: rgb(1, 2, 3)">blue</span></div>
"""


def project(folder: Path, page: str, further: str = "") -> Path:
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    config = folder / "mkdocs.yml"
    config.write_text(
        f"site_name: Ours\nuse_directory_urls: false\n{further or 'theme: rulespec'}\n"
        f"plugins: [{{rulespec: {{rulesets: [{ROOT}/rulesets/classics/nim]}}}}]\n",
        encoding="utf-8",
    )
    return config


def ran(page: Page, address: str) -> object:
    """What of a page with scripts in its Markdown has run."""
    page.goto(address)
    page.get_by_text("a link").click()
    page.locator("#paragraph").click()
    page.wait_for_timeout(100)
    return page.evaluate("window.ran || ''")


def test_scripts_in_a_page_do_not_run_under_our_theme(browser: Browser, tmp_path: Path) -> None:
    site = build(project(tmp_path, INJECTED))
    context = new_context(browser, dark=False, phone=False)
    page = context.new_page()
    with served(site) as address:
        for base in (address, site.as_uri()):
            assert ran(page, f"{base}/index.html") == ""
            assert page.locator("span", has_text="blue").evaluate("e => getComputedStyle(e).color") == (
                "rgb(1, 2, 3)"
            )
            without = (site / "index.html").read_text(encoding="utf-8")
            (site / "free.html").write_text(POLICY.sub("", without), encoding="utf-8")
            assert ran(page, f"{base}/free.html") != "", "without the policy they do"
    context.close()


def test_every_page_has_the_policy_and_no_script_of_its_own(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        found = POLICY.findall(text)
        assert len(found) == 1, page
        assert text.index(found[0]) < text.index("<script"), "a policy holds from where it stands"
        scripts = re.search(r"script-src ([^;]*)", found[0])
        assert scripts is not None
        assert "unsafe-inline" not in scripts[1]
        assert "unsafe-eval" not in scripts[1].replace("wasm-unsafe-eval", "")
        assert "http" not in found[0]
        assert re.findall(r"<script(?![^>]* src=)", text) == [], page


def test_nothing_is_refused_in_pages_opened_as_files(browser: Browser, site: Path) -> None:
    context = new_context(browser, dark=False, phone=False)
    seen = watched(context, site.as_uri())
    wrong = []
    folders: dict[Path, list[Path]] = {}
    for page in sorted(site.rglob("*.html")):
        if page.name != "404.html":  # of servers alone
            folders.setdefault(page.parent, []).append(page)
    pages = [page for found in folders.values() for page in found[::12]]  # each folder has one template
    for page in pages:
        seen.wrong.clear()
        seen.page.goto(page.as_uri())
        wrong += [f"{page.name}: {fault}" for fault in seen.wrong]
    context.close()
    assert wrong == []


def test_a_violation_is_seen(opened: Opener, site: Path) -> None:
    for page in ("index.html", (site / "index.html").as_uri()):
        seen = opened(page)
        with seen.page.expect_console_message(lambda message: "Content Security Policy" in message.text):
            seen.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<a onclick=1>x</a>')")
            seen.page.locator("a", has_text="x").last.click()
        assert "Content Security Policy" in " ".join(seen.wrong)


def test_a_script_of_another_host_is_named_and_may_be_allowed(tmp_path: Path) -> None:
    theme = "theme: rulespec\nextra_javascript: [https://cdn.example.org/x.js]"
    config = project(tmp_path, "# Ours\n", theme)
    with pytest.raises(BookError, match=r"cdn\.example\.org/x\.js` is on another host"):
        build(config)
    own = "theme: {name: rulespec, policy: \"script-src 'self' https://cdn.example.org\"}"
    text = config.read_text(encoding="utf-8").replace("theme: rulespec", own)
    config.write_text(text, encoding="utf-8")
    assert "https://cdn.example.org" in POLICY.findall((build(config) / "index.html").read_text("utf-8"))[0]
