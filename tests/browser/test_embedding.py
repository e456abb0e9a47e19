"""A game is played in a page of another site, whatever the style and the policy of that page are."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.conftest import new_context, served
from rulespec import book

FOREIGN = """<!DOCTYPE html>
<html><head><meta charset="iso-8859-1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src {address}; frame-src {address}; style-src 'self'">
<link rel="stylesheet" href="hostile.css">
{snippet}
</head><body><p>Another page</p><div>{snippet}</div></body></html>"""
HOSTILE = "iframe,button,svg,section{display:none!important} *{color:red!important;height:1px}"
HEIGHT = "document.querySelector('rulespec-game').shadowRoot.querySelector('iframe').offsetHeight"


def test_a_game_is_played_in_a_page_of_another_site(browser: Browser, address: str, tmp_path: Path) -> None:
    context = new_context(browser, dark=False, phone=False)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{address}/rulebooks/nim.html")
    page.locator(".rs-embed summary").click()
    snippet = page.locator(".rs-embed code").inner_text()
    assert f'<rulespec-game src="{address}/rulebooks/records/nim-table.html"' in snippet
    script, element = snippet.splitlines()
    text = FOREIGN.format(address=address, snippet="{snippet}").replace("{snippet}", script, 1)
    (tmp_path / "index.html").write_text(text.replace("{snippet}", element))
    (tmp_path / "hostile.css").write_text(HOSTILE)
    with served(tmp_path) as host:
        assert host != address
        page.goto(f"{host}/index.html")
        frame = page.frame_locator("iframe")
        expect(frame.locator(".rs-status")).to_contain_text("Your turn")
        page.wait_for_function(f"() => {HEIGHT} !== 640")
        low = page.evaluate(HEIGHT)
        frame.get_by_text("Seats and settings", exact=True).click()
        page.wait_for_function(f"() => {HEIGHT} > {low}")
        frame.locator(".rs-spot").last.click()
        frame.locator(".rs-which .rs-action").first.click()
        expect(frame.get_by_role("button", name="Undo")).to_be_enabled()
    assert wrong == []
    context.close()


def test_an_element_runs_no_script_as_its_address(browser: Browser) -> None:
    context = new_context(browser, dark=False, phone=False)
    page = context.new_page()
    page.set_content("<p>Another page</p>")
    page.add_script_tag(path=Path(book.__file__).parent / "assets" / "embed.js")
    page.evaluate(
        "document.body.innerHTML = '<rulespec-game src=\"javascript:top.ran = 1\"></rulespec-game>'"
    )
    page.wait_for_function("() => document.querySelector('rulespec-game').shadowRoot.querySelector('iframe')")
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    context.close()
