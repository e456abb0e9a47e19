"""Book sections: the messages about faulty ones, and the doubts about words that nobody has explained."""

from __future__ import annotations

import json
import os
import re
from html import unescape
from pathlib import Path

import pytest

from rulespec.book.content.chapters import failures
from rulespec.book.content.page import Links
from rulespec.book.content.pages import rulebook
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.core.book import Book, Table
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.meter import Meter
from rulespec.core.notation import write_for_readers
from rulespec.core.types import Enum, Int
from rulespec.language import load, read
from rulespec.play import face

BAD = Path(__file__).parent / "bad_books"
"""Variants of one small game with faulty books, each beside the messages about it."""


@pytest.mark.parametrize("name", [p.stem for p in sorted(BAD.glob("*.yaml")) if p.stem != "base"])
def test_a_faulty_book_is_reported_when_it_is_asked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    game = load(f"{name}.yaml")
    assert game.actions, "the game itself can be played"
    with pytest.raises(RulesetError) as caught:
        _ = game.book
    expected = Path(f"{name}.expected")
    if os.environ.get("RULESPEC_REGENERATE"):
        expected.write_text(f"{caught.value}\n", "utf-8")
    assert f"{caught.value}\n" == expected.read_text("utf-8")


def written(tmp_path: Path, chapters: str, more: str = "") -> Game:
    """The small game with a book: its chapters, as YAML below `chapters:`, and its other keys."""
    base = (BAD / "base.yaml").read_text("utf-8")
    (tmp_path / "base.yaml").write_text(base, "utf-8")
    head = "rulespec: 1\nid: heap-book\ntitle: Heap\nextends: base\nbook:\n"
    (tmp_path / "book.yaml").write_text(f"{head}{more}  chapters:\n{chapters}", "utf-8")
    return load(tmp_path / "book.yaml")


def book_of(game: Game) -> Book:
    """The book of a game that has one."""
    assert game.book is not None
    return game.book


CHAPTER = """\
  - id: turn
    heading: Your turn
    contents:
    - rules: [pile, take, last]
"""


def test_expressions_of_texts_are_worked_out_for_the_settings(tmp_path: Path) -> None:
    table = """\
    - table:
        caption: 'Up to {size(Count) - 1} stones'
        columns: [Stones, 'One of {players} takes']
        for: n in Count where n > 0
        row: ['{n}', '{if n = 1 then "the only stone" else "some"}']
"""
    content = book_of(written(tmp_path, CHAPTER + table)).chapters[0].blocks[1].content
    assert isinstance(content, Table)
    assert content.caption == "Up to 5 stones"
    assert content.columns == ("Stones", "One of 2 takes")
    assert content.rows[0] == ("1", "the only stone")
    assert content.rows[4] == ("5", "some")


def test_ranks_are_written_as_cards_have_them() -> None:
    """The table of pairs had T where the deck on the table has 10."""
    tables = [
        block.content
        for chapter in book_of(load("smith")).chapters
        for block in chapter.blocks
        if isinstance(block.content, Table) and block.content.columns[:2] == ("Card", "Partner")
    ]
    assert tables
    for table in tables:
        found = [row[:2] for row in table.rows]
        assert found == [("A", "Q"), ("2", "J"), ("3", "10"), ("4", "9"), ("5", "8"), ("6", "7")]


def test_only_a_number_that_is_a_rank_is_printed_otherwise() -> None:
    rank = Int("Rank", range(1, 14), "Rank", "A23456789TJQK", 1)
    assert [write_for_readers(rank, value) for value in (1, 9, 10, 13)] == ["A", "9", "10", "K"]
    assert write_for_readers(Int("File", range(1, 21), "File", "ABCDEFGHIJKLMNOPQRST", 1), 20) == "T"
    assert write_for_readers(Enum("Way", range(2), "Way", ("left", "T")), 1) == "T"


TERM = """\
  glossary:
  - term: heap
    also: [heaps]
    text: All stones that are left.
"""


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("The **heap** is what is left. Heaps shrink.", []),
        ("See the [heap](heap). Later the heap grows.", []),
        ("The heap grows, see the [heap](heap).", ["`Turning` uses `heap` before it is"]),
        (
            "Heaps shrink. The **heap** is what is left.",
            ["`Turning` uses `Heaps` before it is"],
        ),
        ("Some stones.", ["no chapter explains it"]),
        (
            "Call it `heap`, or cheap heap-like things.",
            ["the glossary has `heap`, and no chapter explains it"],
        ),
    ],
)
def test_a_word_is_explained_before_it_is_used(tmp_path: Path, text: str, doubts: list[str]) -> None:
    left_out = "  left-out: [pile, take, last]\n"
    chapter = f"  - id: turning\n    heading: Turning\n    contents:\n    - text: '{text}'\n"
    book = book_of(written(tmp_path, chapter, left_out + TERM))
    assert len(book.doubts) == len(doubts)
    for doubt, words in zip(book.doubts, doubts, strict=True):
        assert words in doubt.message
        assert doubt.severity == "warning"


def test_the_prose_of_rules_counts_as_use(tmp_path: Path) -> None:
    doubts = book_of(written(tmp_path, CHAPTER, TERM)).doubts
    assert ["uses `heap` before" in doubt.message for doubt in doubts] == [True]


def test_a_figure_has_a_task_for_those_who_play_it(tmp_path: Path) -> None:
    figure = "    - figure:\n        play: take 2\n        exercise: Leave one.\n"
    written(tmp_path, CHAPTER + figure)
    game = face.load(str(tmp_path / "book.yaml"))
    page = rulebook(game, PublishedVerdicts(), Links(player="player.js"))
    [attribute] = re.findall(r'data-play="(.*?)"', page.markdown)
    assert json.loads(unescape(attribute))["exercise"] == "Leave one."


def test_figures_and_plays_are_executed(tmp_path: Path) -> None:
    play = """\
    - figure:
        position: three-left
        play: take 2
        then: heap = 2
    - playthrough:
        steps:
        - play: take 2
          text: Two are gone.
        - play: take 5
"""
    game = written(tmp_path, CHAPTER + play)
    found = [fault.message for fault in failures(face.Game(game), book_of(game))]
    assert len(found) == 2
    assert "figure 1 of the chapter turn" in found[0]
    assert "`take 5`" in found[1]


def test_a_variant_does_not_inherit_the_book(tmp_path: Path) -> None:
    written(tmp_path, CHAPTER)
    head = "rulespec: 1\nid: heap-more\ntitle: More\nextends: book\n"
    (tmp_path / "more.yaml").write_text(head + "replace:\n  take.prose: Take as many as you like.\n", "utf-8")
    assert load(tmp_path / "more.yaml").book is None
    assert load(tmp_path / "more.yaml").positions == {"three-left": {"heap": "3"}}


def test_a_large_book_is_refused_soon(tmp_path: Path) -> None:
    holes = "  - id: turning\n    heading: Turning\n    contents:\n    - text: '" + "{1}" * 101 + "'\n"
    terms = "  glossary:\n" + "".join(f"  - term: word{n}\n    text: x\n" for n in range(201))
    forms = terms.replace("word0\n", f"word0\n    also: [{', '.join('abcdefghijk')}]\n", 1)
    rows = CHAPTER + "    - table:\n        columns: [n]\n        for: n in 1..401\n        row: ['{n}']\n"
    with pytest.raises(RulesetError) as caught:
        _ = written(tmp_path, holes, "  left-out: [pile, take, last]\n" + forms).book
    assert {"book.text", "book.glossary"} == {fault.code for fault in caught.value.diagnostics}
    assert len(caught.value.diagnostics) == 3
    with pytest.raises(RulesetError, match="a table has at most 400 rows"):
        _ = written(tmp_path, rows).book


def test_a_table_that_takes_too_much_work_is_refused(tmp_path: Path) -> None:
    work = (
        CHAPTER
        + """\
    - table:
        columns: [n]
        for: a in 1..9999, b in 1..9999 where a + b = 1
        row: ['{a}']
"""
    )
    written(tmp_path, work)
    game = read(tmp_path / "book.yaml").with_settings(meter=Meter(300_000))
    with pytest.raises(RulesetError, match="takes more than"):
        _ = game.book
