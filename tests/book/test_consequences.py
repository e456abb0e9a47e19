"""The consequences of readings on the player's page, in the terminal and as data."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from shipped_pages import game as shipped
from shipped_pages import page

from rulespec.book.content.pages import rulebook
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.cli import main
from rulespec.core.digest import of_claim
from rulespec.core.verdicts import Store, Verdict, options_of
from rulespec.play.consequences import consequences
from rulespec.play.face import Game, load

COINS = """\
rulespec: 1
id: coins
title: Coins
players: 1
rules:
- id: purse
  prose: There are five coins.
  formal: |
    state left: 0..5 = 5
- id: spend
  prose: Spend one coin, or more.
  question: How many at once?
  readings:
    one: One.
    many: Two, if there are two.
    nothing: None at all.
  action: n in 1..2
  written: spend {n}
  require:
    there:
      prose: There are as many.
      that: n <= left and (n = 1 or spend is many) and spend is not nothing
  do: remove n from left
- id: poor
  prose: Nothing is left.
  end: left = 0
claims:
- id: even
  prose: Four coins can be left.
  reachable: left = 4
- id: ends
  prose: Every game ends.
  answer: Every game ends, after {plies} payments at most.
  terminates: left
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    (tmp_path / "coins.yaml").write_text(COINS, "utf-8")
    return load(str(tmp_path / "coins.yaml"))


def verdict(game: Game, claim: str, outcome: str, reading: str = "one", **numbers: int) -> Verdict:
    """A verdict on a claim under one reading."""
    other = game.under(readings={"spend": reading})
    about = other.core.claims[claim]
    return Verdict(
        "coins", claim, about.kind, outcome, (), "", 0.1, other.core.digest,
        of_claim(about), 1, options_of(about), {}, {} if reading == "one" else {"spend": reading}, numbers,
    )  # fmt: skip


def told(game: Game, *verdicts: Verdict, checked: bool = True) -> dict[str, list[str]]:
    """The sentences about each reading."""
    by = (lambda verdict: "by hand") if checked else (lambda verdict: None)
    ruling = game.core.rulings["spend"]
    return {one.reading: one.sentences for one in consequences(game, Store(verdicts), by, ruling)}


def test_nothing_asked_is_said(game: Game) -> None:
    assert told(game) == {
        "many": ["No claim was tested under this reading."],
        "nothing": ["No claim was tested under this reading."],
    }


def test_what_changes_is_said_in_the_authors_words(game: Game) -> None:
    found = told(
        game,
        verdict(game, "even", "proved", plies=1),
        verdict(game, "even", "refuted", "nothing"),
        verdict(game, "even", "proved", "many", plies=1),
        verdict(game, "ends", "proved", plies=5),
        verdict(game, "ends", "proved", "nothing", plies=0),
    )
    assert found["nothing"] == [
        "Four coins can be left. This is not so in any game.",
        "One more claim was tested, and does not change.",
    ]
    assert found["many"] == ["The one claim that was tested does not change."]


def test_no_answer_without_a_check(game: Game) -> None:
    verdicts = (verdict(game, "even", "proved", plies=1), verdict(game, "even", "refuted", "nothing"))
    assert told(game, *verdicts, checked=False)["nothing"] == [
        "Decided under this reading, but not checked here: Four coins can be left."
    ]


def test_what_is_open_or_stale_changes_nothing(game: Game) -> None:
    here = verdict(game, "even", "proved", plies=1)
    far = verdict(game, "even", "bounded", "nothing", plies=3)
    assert told(game, here, far)["nothing"] == ["Open under this reading: Four coins can be left."]
    stale = replace(verdict(game, "even", "refuted", "nothing"), game="another")
    assert told(game, here, stale)["nothing"] == ["No claim was tested under this reading."]


def test_the_page_has_them_below_each_other_answer(game: Game) -> None:
    store = Store([verdict(game, "even", "proved", plies=1), verdict(game, "even", "refuted", "nothing")])
    markdown = rulebook(game, PublishedVerdicts(store, lambda verdict: "by hand")).markdown
    after = markdown.partition("<dd>Or: None at all.")[2].partition("</dd>")[0]
    assert "<li>Four coins can be left. This is not so in any game.</li>" in after
    before = markdown.partition("<dd>Or: Two, if there are two.")[2].partition("</dd>")[0]
    assert "No claim was tested under this reading." in before


def test_show_has_them_for_a_ruling(
    tmp_path: Path, game: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    store = Store([verdict(game, "even", "proved", plies=1), verdict(game, "even", "refuted", "nothing")])
    store.write(tmp_path / "verdicts.json.gz")
    assert main(["show", str(tmp_path / "coins.yaml"), "--rule", "spend", "--json"]) == 0
    many, none = json.loads(capsys.readouterr().out)["consequences"]
    assert (none["reading"], none["changed"], none["unchecked"]) == ("nothing", [], ["even"])
    assert (many["reading"], many["unasked"]) == ("many", ["even", "ends"])
    assert main(["show", str(tmp_path / "coins.yaml"), "--rule", "spend"]) == 0
    assert "- Decided under this reading, but not checked here: Four" in capsys.readouterr().out
    shutil.rmtree(tmp_path / "state", ignore_errors=True)


@pytest.mark.parametrize("name", ["stout", "smith", "leistiko", "sacred-alignment"])
def test_every_other_reading_of_a_shipped_game_says_something(name: str) -> None:
    markdown = page(name).markdown
    rulings = shipped(name).core.rulings.values()
    others = [r for ruling in rulings for r in ruling.readings if r.id != ruling.chosen]
    assert markdown.count('<ul class="rs-consequences"><li>') == len(others) > 0
