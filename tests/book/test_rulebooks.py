"""The rulebooks of the games: complete, in a player's order, with anchors for all that links may lead to."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from shipped_pages import exact_page, game, links, page

from rulespec.book.content.exact import exact
from rulespec.book.content.page import Links, Target
from rulespec.book.content.pages import rulebook
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.book.examples import render
from rulespec.core.types import Enum, Int, scalar_of
from rulespec.play.face import load
from rulespec.sources.citations import citations_of
from rulespec.sources.coverage import coverage

GAMES = ("stout", "leistiko", "smith", "sacred-alignment")
CLASSICS = ("tic-tac-toe", "nine-mens-morris", "kuhn-poker", "draughts")


WELL = """\
rulespec: 1
id: well
title: Well
players: 2
parameters:
  depth:
    type: 1..9
    default: 7
    prose: How deep the <b>well</b> is. A foot is enough.
rules:
- id: climb
  prose: Climb a foot. Whoever reaches the rim ends the game.
  formal: |
    state left: 0..depth = depth
  action: n in 1..2
  written: climb {n}
  do: remove n from left down to 0
- id: rim
  prose: The game ends at the rim.
  end: left = 0
"""


def words(markdown: str) -> str:
    """The text of a page without its elements."""
    plain = re.sub(r"<[^>]*>", " ", undrawn(markdown))
    return " ".join(unescape(plain).replace("\\", "").split())


def tables(markdown: str) -> list[list[list[str]]]:
    """The texts of all cells, by table and row, without heads."""
    found = re.findall(r"<tbody>(.*?)</tbody>", undrawn(markdown), re.DOTALL)
    rows = [re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL) for body in found]
    return [[re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in body] for body in rows]


def undrawn(markdown: str) -> str:
    """A page without its drawings, which have links and anchors of their own."""
    return re.sub(r"<svg.*?</svg>", "", markdown, flags=re.DOTALL)


@cache
def anchors(markdown: str) -> list[str]:
    return re.findall(r'(?:\sid="|\{#)([^"}]+)', undrawn(markdown))


@pytest.mark.parametrize("name", [*GAMES, *CLASSICS])
def test_every_rule_and_requirement_has_its_anchor_on_both_pages(name: str) -> None:
    expected = {rule.id for rule in game(name).core.rules}
    expected |= {f"{rule.id}.{key}" for rule in game(name).core.rules for key, _ in rule.requirements}
    for one in (page(name), exact_page(name)):
        assert not one.faults
        found = anchors(one.markdown)
        assert expected <= {*found}
        assert sorted(found) == sorted({*found}), "no anchor is there twice"


@pytest.mark.parametrize("name", [*GAMES, *CLASSICS])
def test_links_within_the_pages_lead_somewhere(name: str) -> None:
    pages = {"": page(name), f"{name}.html": page(name), f"{name}-exact.html": exact_page(name)}
    for one, here in ((page(name), f"{name}.html"), (exact_page(name), f"{name}-exact.html")):
        for address in re.findall(r'href="([^"]*)"', undrawn(one.markdown)):
            file, _, anchor = address.partition("#")
            target = pages.get(file or here)
            if target is not None and anchor:
                assert anchor in anchors(target.markdown), address


@pytest.mark.parametrize("name", [*GAMES, *CLASSICS])
def test_a_rulebook_has_no_file_names_and_no_program_text(name: str) -> None:
    shown = words(page(name).markdown)
    assert not re.search(r"\w+\.(txt|yaml)\b", shown)
    assert "Formal text" not in shown
    assert " satisfies " not in shown
    assert not re.search(r"\w+\.txt\b", words(exact_page(name).markdown)), "nor has the exact text"


ORDER = {
    "stout": [
        "You need",
        "The goal",
        "Setting up",
        "Your turn",
        "Moving",
        "The action die",
        "Reference card",
    ],
    "leistiko": ["You need", "The goal", "Setting up", "Your turn", "Building", "The end of the game"],
    "smith": ["You need", "The goal", "Setting up", "Your turn", "The end of the game", "Reference card"],
    "sacred-alignment": ["You need", "The goal", "Setting up", "Laying a domino", "Cheating", "The end"],
    "nine-mens-morris": ["The goal", "Board and pieces", "Your turn", "The end of the game"],
    "tic-tac-toe": ["The goal", "Board and pieces", "Your turn", "The end of the game"],
    "draughts": ["The goal", "Setting up", "Your turn", "The end of the game"],
}
AFTER = ["Open questions", "About these rules"]


@pytest.mark.parametrize("name", ORDER)
def test_the_chapters_follow_a_player(name: str) -> None:
    found = [line[3:].split(" {#")[0] for line in page(name).markdown.splitlines() if line.startswith("## ")]
    told = [*ORDER[name], *(heading for heading in AFTER if heading in found)]
    assert [heading for heading in found if heading in told] == told


NEEDED = {
    "stout": [
        "20 to 45 minutes", "2 to 4", "Three Treehouse sets", "large 2", "small 3", "medium 3", "chessboard",
        "the Starts are a9 (Yellow)", "The race is over as soon as the last of the 3 pieces",
        "of another colour",
        "leap a7", "topple f2 west", "swap d8 1 3", "roll movement",
    ],
    "leistiko": [
        "28 dominoes", "Paper and pencil", "2 14", "4 7", "Agree on who begins", "5 5 10", "2 or 4",
        "In play 2-5 d4-e4 the 2 comes to lie on d4 and the 5 on e4", "by the level on which you lay it",
    ],
    "smith": [
        "52 playing cards", "10 to 15 minutes",
        "9H is the nine of hearts", "If you can collect nothing, you must take a card",
    ],
    "sacred-alignment": [
        "bottom 6 by 6 18", "middle 4 by 4 8", "top 2 by 2 2",
        "You may begin a higher tier before the one below it is complete.", "you have failed",
        "1.4.5 is on the bottom tier, in row 4 and column 5",
    ],
}  # fmt: skip
"""Words that nobody can play without, numbers among them that come from the rules."""


@pytest.mark.parametrize("name", NEEDED)
def test_a_rulebook_has_what_a_player_needs(name: str) -> None:
    shown = words(page(name).markdown)
    assert [text for text in NEEDED[name] if text not in shown] == []


SHIPPED_CLASSICS = (
    "tic-tac-toe", "connect-four", "breakthrough", "hex", "othello", "nine-mens-morris", "draughts", "kalah",
    "peg-solitaire", "eight-puzzle", "nim", "pig", "kuhn-poker", "los-alamos",
    "rock-paper-scissors", "goofspiel", "wolves", "code-pegs", "go", "swarm", "yacht",
    "liars-dice", "paper-lanterns", "backgammon",
)  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SHIPPED_CLASSICS)
def test_a_classic_has_facts_a_list_of_things_and_a_game_to_step_through(name: str) -> None:
    made = page(name)
    assert made.faults == []
    headings = [line[3:].split(" {#")[0] for line in made.markdown.splitlines() if line.startswith("## ")]
    assert headings[0] == "You need"
    told = [heading for heading in headings if heading.startswith(("A first game", "The first", "The last"))]
    assert len(told) == 1
    assert headings.index(told[0]) > headings.index("Your turn" if "Your turn" in headings else "The goal")
    assert "<dt>Time</dt>" in made.markdown
    assert made.markdown.count('<li value="') >= 4
    assert {rule.id for rule in game(name).core.rules} <= {*re.findall(r'id="([\w.-]+)"', made.markdown)} | {
        *re.findall(r"\{#([\w.-]+)\}", made.markdown)
    }


def test_faces_and_ranks_stand_in_order_as_the_rules_have_them() -> None:
    face = scalar_of(game("stout").core.state["special"].type)
    assert isinstance(face, Enum)
    shown = words(page("stout").markdown)
    assert [i for i, member in enumerate(face.members, 1) if f"{i} {member}" not in shown] == []
    ranks = [title for _, title in game("sacred-alignment").core.outcome.titles]
    shown = words(page("sacred-alignment").markdown)
    places = [re.search(rf"{least}( or more)? {rank}", shown) for least, rank in enumerate(ranks)]
    assert len(places) == 6 and all(places)


def test_tables_of_cards_say_what_the_rules_say() -> None:
    rules = game("smith").core
    top = rules.parameters["top-rank"].value
    rank = rules.types["Rank"]
    assert isinstance(rank, Int)
    sign = {r: rank.letters[r - rank.letter_base].replace("T", "10") for r in rank.values}
    pairs = [[sign[r], sign[top - r]] for r in range(1, top) if r < top - r]
    with_subjects, card = (table for table in tables(page("smith").markdown) if table[0][0] == sign[1])
    assert [row[:2] for row in with_subjects] == card == pairs
    assert len({row[2] for row in with_subjects} - {""}) == len(pairs)

    dealt = [row for table in tables(page("smith").markdown) for row in table if table[0][0] == "2"]
    assert [int(row[0]) for row in dealt] == [2, 3, 4]
    for players, each, aside in dealt:
        plain = game("smith").under(int(players)).start(seed=1).to_data()
        halved = game("smith").under(int(players), {"with-offhand": True}).start(seed=1).to_data()
        laid = len(halved["aside"]["1"])
        assert int(each) == len(halved["hand"]["1"]) + laid
        assert aside == (str(laid) if plain["aside"] else f"none, or {laid}")


@pytest.mark.parametrize("name", GAMES)
def test_no_word_is_used_before_it_is_explained(name: str) -> None:
    book = game(name).core.book
    assert book is not None
    assert book.doubts == ()
    assert any(chapter.look == "card" for chapter in book.chapters)


UNTOLD = {"heading", "lead-in", "figure", "remark", "page"}
"""Why a sentence of the documents may stay untold."""


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_that_matters_is_told(name: str) -> None:
    found = coverage(citations_of(name))
    assert not found.faults
    for tally in found.tallies:
        untold = {label for label, places in tally.where.items() if not places}
        assert {tally.map.entries[label].because for label in untold} <= UNTOLD
        assert tally.sentence_count == len(tally.where) - len(untold)


def test_pictures_for_players_hide_what_is_hidden() -> None:
    """The opening picture showed both hands, below the rule that nobody looks at a card that is face down."""
    start = game("smith").start(seed=21)
    data = start.to_data()
    hand, aside = data["hand"]["2"], data["aside"]["2"]
    swapped = {"hand": {**data["hand"], "2": aside}, "aside": {**data["aside"], "2": hand}}
    one, other = game("smith").position(data), game("smith").position({**data, **swapped})
    assert render.drawing(start, seat=1) in page("smith").markdown
    assert render.drawing(one, seat=1) == render.drawing(other, seat=1), "nothing of the other hand shows"
    assert render.drawing(one) != render.drawing(other)


@pytest.mark.parametrize("name", [*GAMES, *CLASSICS])
def test_figures_side_by_side_show_the_same_part_of_the_table(name: str) -> None:
    """Boards of one strip were cropped each for itself, and so looked moved or of another size."""
    for strip in re.findall(r'<div class="rs-strip">(.*?)</figure></div>', page(name).markdown, re.DOTALL):
        views = re.findall(r'class="rs-diagram"[^>]* viewBox="([^"]*)"', strip)
        drawn = {view for view in views if not view.startswith("-1 -1 ")}
        assert len(drawn) == 1, drawn


def test_lemmas_stand_apart() -> None:
    markdown = exact_page("smith").markdown
    claims, lemmas = markdown.partition("## Lemmas")[::2]
    assert "{#claim-ends}" in claims
    assert "{#claim-always-active}" in lemmas
    assert "claim-always-active" not in page("smith").markdown


def test_a_rule_of_the_exact_text_leads_to_where_it_is_told() -> None:
    """On the page of the base game itself each rule said that it was as in that game."""

    def link(name: str) -> Target:
        return Target(f"{Path(name).parent.name if '/' in name else name}.html", "Smith")

    markdown = exact(game("smith"), PublishedVerdicts(), Links(link)).markdown
    assert 'told in <a href="smith.html#pair">the rulebook</a>' in markdown
    assert "as in <a" not in markdown
    inherited = exact(game("smith-small"), PublishedVerdicts(), Links(link)).markdown
    assert 'as in <a href="smith.html#pair">Smith</a>' in inherited


def test_a_variant_tells_its_differences() -> None:
    small = rulebook(game("smith-small"), PublishedVerdicts(), links("smith-small"), game("smith").core)
    assert not small.faults
    shown = words(small.markdown)
    assert "Play as in Smith , with these differences." in shown
    assert "How many rows the pyramid has. Here it is " in shown
    assert "{#part_games} 500 games of each, played at random" in shown
    (lengths,) = (row for body in tables(small.markdown) for row in body if row[0] == "actions in a game")
    assert lengths[-1] == "lower" and float(lengths[1]) > float(lengths[3])
    assert 'id="pair"><span id="pair.within-reach"></span><a href="smith.html#pair">' in small.markdown
    cut = game("leistiko-cut-up")
    shown = words(rulebook(cut, PublishedVerdicts(), links(cut.id), game("leistiko").core).markdown)
    assert "Any play within the frame may be made, gaps or not" in shown
    assert "Left out: No gaps." in shown


def test_a_stranger_gets_a_page_in_the_same_order() -> None:
    """A ruleset without a book shows the examples that are about the game as it is played by default."""
    markdown = page("nine-mens-morris").markdown
    assert "Only if:" in markdown
    assert "With <code>width: 19</code>" not in page("tic-tac-toe").markdown
    assert page("tic-tac-toe").markdown.count("<svg") > 3


def test_a_page_without_a_book_has_the_numbers_of_its_game(tmp_path: Path) -> None:
    """A reader could not set the game up: the depth stood only in the exact text."""
    file = tmp_path / "well.yaml"
    file.write_text(WELL)
    shown = rulebook(load(str(file)), PublishedVerdicts()).markdown
    assert "<dt>How deep the &lt;b&gt;well&lt;/b&gt; is</dt><dd>7</dd>" in shown
    assert "The number of houses" not in page("kalah").markdown, "that has a book, which says it"


def test_a_cover_shows_the_table_where_there_is_one_and_not_hands_alone() -> None:
    cover = page("smith").markdown.partition("</svg></div>")[0].rpartition("<svg")[2]
    assert "rs-hearts" in cover
    assert "Hand of player" not in cover
