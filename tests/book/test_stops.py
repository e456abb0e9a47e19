"""What stops a build before a page is written, from files as an author has them; and what does not."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from answering import numbers_of
from texts import COUNTDOWN

from rulespec.book.configuration.site_configuration import BookError
from rulespec.book.examples.fences import forget
from rulespec.book.site import build
from rulespec.core.digest import of_claim
from rulespec.core.verdicts import (
    PROVED,
    REFUTED,
    Evidence,
    Store,
    StoreError,
    Verdict,
    options_of,
    parameters_of,
    readings_of,
)
from rulespec.core.verdicts.stamps import Stamps
from rulespec.play.face import Game, load

RULED = COUNTDOWN.replace(
    "claims:\n",
    """\
- id: misere
  prose: The last one counts.
  question: Who takes the last one?
  readings:
    wins: They win.
    loses: They lose.
  examples:
  - id: two
    prose: Of one counter nobody takes two.
    given:
      left: 1
    refused:
      play: take 2
      by: enough
claims:
""",
)


class Folder:
    """A site to be built, with one ruleset, its verdicts and one page."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "docs").mkdir()
        (path / "mkdocs.yml").write_text(
            "site_name: x\ntheme: rulespec\nplugins: [{rulespec: {rulesets: [countdown.yaml]}}]\n"
        )
        self.page("# Games\n")
        self.ruleset(RULED)

    def page(self, text: str) -> None:
        """Write the page."""
        (self.path / "docs" / "index.md").write_text(text)

    def ruleset(self, text: str) -> None:
        """Write the ruleset."""
        (self.path / "countdown.yaml").write_text(text)

    def game(self, **readings: str) -> Game:
        """The game under some readings."""
        return load(str(self.path / "countdown.yaml"), readings=readings)

    def store(self, *verdicts: Verdict) -> None:
        """Write the verdicts."""
        Store(verdicts).write(self.path / "verdicts.json.gz")

    def build(self) -> Path:
        """Build the site."""
        forget()
        stamps = Stamps(self.path / "state")
        with suppress(StoreError):
            for one in Store.read(self.path / "verdicts.json.gz"):
                stamps.add(one, "by hand")
        return build(self.path / "mkdocs.yml", stamps=stamps)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A site that is right."""
    return Folder(tmp_path)


def verdict(game: Game, claim: str, outcome: str = PROVED) -> Verdict:
    """A verdict on a claim of this game."""
    core, found = game.core, game.core.claims[claim]
    return Verdict(
        core.id, claim, found.kind, outcome, (Evidence("induction"),), "by hand", 0.1,
        core.digest, of_claim(found), core.players, options_of(found), parameters_of(core), readings_of(core),
        numbers_of(found.kind, outcome),
    )  # fmt: skip


def damaged(folder: Folder) -> None:
    folder.store(verdict(folder.game(), "ends"))
    path = folder.path / "verdicts.json.gz"
    text = gzip.decompress(path.read_bytes()).decode()
    path.write_bytes(gzip.compress(text.replace("by hand", "by foot").encode()))


def stale(folder: Folder) -> None:
    folder.store(verdict(folder.game(), "ends"))
    folder.ruleset(RULED.replace("n <= left", "n < left + 1"))


WRONG: dict[str, tuple[Callable[[Folder], None], str]] = {
    "an example of a page": (
        lambda f: f.page("```rulespec\nruleset: ../countdown.yaml\nlegal: take 3\n```\n"),
        "index.md:3:8: error[example.legal]",
    ),
    "an example of the ruleset": (
        lambda f: f.ruleset(RULED.replace("left: 1", "left: 2")),
        "error[example.refused]",
    ),
    "a clause that is not the one": (
        lambda f: f.ruleset(RULED.replace("by: enough", "by: misere")),
        "error[example.refused]",
    ),
    "a misspelt fence": (lambda f: f.page("```rulspec\n```\n"), "error[fence.name]"),
    "a ruleset that cannot be read": (
        lambda f: f.ruleset(RULED.replace("remove n", "remov n")),
        "countdown.yaml:",
    ),
    "a refuted claim": (lambda f: f.store(verdict(f.game(), "ends", REFUTED)), "error[verdict.refuted]"),
    "a stale verdict": (stale, "error[verdict.stale]"),
    "a damaged store": (damaged, "error[verdict.store]"),
}


@pytest.mark.parametrize("what", WRONG)
def test_it_stops_before_a_page_is_written(folder: Folder, what: str) -> None:
    spoil, said = WRONG[what]
    assert folder.build().is_dir(), "it is right before it is spoilt"
    for page in (folder.path / "site").rglob("*.html"):
        page.unlink()
    spoil(folder)
    with pytest.raises(BookError) as stopped:
        folder.build()
    assert said.replace("index.md", str(folder.path / "docs" / "index.md")) in str(stopped.value)
    assert not list((folder.path / "site").rglob("*.html"))


def test_a_claim_refuted_under_another_reading_is_news_and_no_fault(folder: Folder) -> None:
    here, other = folder.game(), folder.game(misere="loses")
    folder.store(verdict(here, "never-six"), verdict(other, "never-six", REFUTED))
    page = (folder.build() / "rulebooks" / "countdown-exact" / "index.html").read_text()
    assert "rs-refuted" in page


def test_a_claim_that_is_not_decided_is_said_to_be(folder: Folder) -> None:
    page = (folder.build() / "rulebooks" / "countdown-exact" / "index.html").read_text()
    assert page.count("not decided yet") == 2
