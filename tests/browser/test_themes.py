"""A rulebook in Material: light where no palette is set, lists without bullets, folds without boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.conftest import ROOT, Opener
from rulespec.book.drawing.style import DARK, LIGHT
from rulespec.book.site import build


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("theme", "ink"),
    [
        ("material", LIGHT["ink"]),
        ("{name: material, palette: {scheme: slate}}", DARK["ink"]),
        ("readthedocs", LIGHT["ink"]),
        ("rulespec", DARK["ink"]),
    ],
)
def test_drawings_are_light_where_the_theme_is(opened: Opener, tmp_path: Path, theme: str, ink: str) -> None:
    """Material without a palette is light: its drawings were dark for readers with a dark system."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: Ours\ntheme: {theme}\nuse_directory_urls: false\n"
        f"plugins: [{{rulespec: {{rulesets: [{ROOT}/rulesets/classics/nim/ruleset.yaml]}}}}]\n",
        encoding="utf-8",
    )
    site = build(tmp_path / "mkdocs.yml", strict=False)
    page = opened((site / "rulebooks" / "nim.html").as_uri(), dark=True).page
    found = "getComputedStyle(document.querySelector('.rs-diagram')).getPropertyValue('--rs-ink')"
    assert page.evaluate(found) == ink
    page.get_by_role("button", name="Play here").click()
    look = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
    page.locator(".rs-action-list li").first.wait_for()
    assert page.evaluate(look, [".rs-action-list", "display"]) == "flex"
    assert page.evaluate(look, [".rs-action-list li", "listStyleType"]) == "none"
    assert page.evaluate(look, [".rs-action-list li", "marginLeft"]) == "0px"
    assert page.evaluate(look, [".rs-seats > summary", "backgroundColor"]) == "rgba(0, 0, 0, 0)"
    assert page.evaluate(look, [".rs-seats", "borderTopWidth"]) == "0px"
