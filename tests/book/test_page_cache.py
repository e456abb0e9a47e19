"""Kept pages: what was made before is not made again, and whatever a page is made from makes it anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.book.configuration.site_configuration import BookError
from rulespec.book.content import pages
from rulespec.book.examples.fences import forget
from rulespec.book.site import build
from rulespec.core.verdicts import Verdict, beside
from rulespec.core.verdicts.stamps import Stamps
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.language import load
from rulespec.solver.claims import prove

VARIANT = """\
rulespec: 1
id: short
extends: countdown
title: Short countdown
summary: With three.
"""


class Site:
    """A site with a ruleset, a variant of it and another ruleset, and the pages that a build made anew."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.noted = folder, folder / "noted"
        for name, text in {
            "docs/index.md": "# Ours\n",
            "games/countdown/ruleset.yaml": COUNTDOWN,
            "games/countdown/variants/short.yaml": VARIANT,
            "games/other/ruleset.yaml": COUNTDOWN.replace("id: countdown", "id: other"),
            "mkdocs.yml": "site_name: x\ntheme: rulespec\nplugins: [{rulespec: {rulesets: [games]}}]\n",
        }.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        make = pages.rulebook

        def noted(game: pages.Game, *rest: object) -> pages.Page:
            with self.noted.open("a") as file:  # pages are made in other processes
                file.write(f"{game.id}\n")
            return make(game, *rest)  # type: ignore[arg-type]

        patch.setattr(pages, "rulebook", noted)

    def change(self, name: str, before: str, after: str) -> None:
        path = self.folder / name
        path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")

    def build(self, stamps: Stamps | None = None) -> list[str]:
        """Build the site, and say which pages were made anew."""
        forget()
        self.noted.write_text("")
        build(self.folder / "mkdocs.yml", stamps=stamps or Stamps(None))
        return self.made

    @property
    def made(self) -> list[str]:
        """The games whose pages the last build made anew."""
        return sorted(self.noted.read_text().split())

    def page(self, name: str) -> str:
        return (self.folder / "site" / "rulebooks" / name / "index.html").read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(tmp_path, monkeypatch)
    assert made.build() == ["countdown", "other", "short"]
    assert made.build() == []
    return made


def test_a_change_of_one_ruleset_makes_its_family_anew_and_no_other_page(site: Site) -> None:
    site.change("games/countdown/ruleset.yaml", "There are five counters.", "Five counters lie there.")
    assert site.build() == ["countdown", "short"]
    assert "Five counters lie there." in site.page("short-exact")
    assert site.build() == []


FAMILY = ["countdown", "short"]
CHANGES: dict[str, tuple[Callable[[Site], object], list[str]]] = {
    "a variant": (
        lambda site: site.change("games/countdown/variants/short.yaml", "With three.", "With four."), FAMILY
    ),
    "another title": (
        lambda site: site.change("games/other/ruleset.yaml", "title: Countdown", "title: Another"),
        ["countdown", "other", "short"],
    ),
    "addresses": (
        lambda site: site.change("mkdocs.yml", "plugins", "use_directory_urls: false\nplugins"),
        ["countdown", "other", "short"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_page_is_made_from_makes_it_anew(site: Site, what: str) -> None:
    change, anew = CHANGES[what]
    change(site)
    assert site.build() == anew


class AllChecked(Stamps):
    """Stamps of a program that has checked everything."""

    def of(self, verdict: Verdict) -> str | None:
        return "looked at"


def test_verdicts_and_their_stamps_make_a_page_anew(site: Site) -> None:
    path = site.folder / "games" / "countdown" / "ruleset.yaml"
    prove(partial(load, path), store=beside(path))
    assert site.build() == FAMILY
    assert "not checked here" in site.page("countdown-exact")
    assert site.build(AllChecked()) == FAMILY
    assert "not checked here" not in site.page("countdown-exact")
    assert len(StoreFile(beside(path)).store) > 0
    assert site.build(AllChecked()) == []


def test_a_page_with_a_fault_is_not_kept(site: Site) -> None:
    example = "  examples:\n  - id: two\n    given: {left: 1}\n    legal: take 2\n"
    site.change("games/other/ruleset.yaml", "  written: take {n}\n", "  written: take {n}\n" + example)
    for _ in range(2):
        with pytest.raises(BookError, match="take 2"):
            site.build()
        assert site.made == ["other"]
