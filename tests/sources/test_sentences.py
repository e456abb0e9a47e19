"""Documents as sentences: what ends one and what does not, and what layout may not change."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.core.diagnostics import Source
from rulespec.sources.sentences import ROOM, Sentence, digest, sentences


def split(text: str) -> list[str]:
    """The sentences of a document as they stand in it, on one line each."""
    return [stretch(text, s) for s in sentences(Source("doc.txt", text))]


def stretch(text: str, sentence: Sentence) -> str:
    lines, at = text.split("\n"), sentence.span
    cut = lines[at.line - 1 : at.end_line]
    cut[-1] = cut[-1][: at.end_column - 1]
    cut[0] = cut[0][at.column - 1 :]
    return " ".join(" ".join(cut).split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Roll a die. Move on!", ["Roll a die.", "Move on!"]),
        ("Roll (or pass.) Then stop.", ["Roll (or pass.)", "Then stop."]),
        ('He says "Go." 2 players go.', ['He says "Go."', "2 players go."]),
        ("Use pieces, e.g. Pawns, vs. Kings.", ["Use pieces, e.g. Pawns, vs. Kings."]),
        ("Pawns, kings, etc. Then stop.", ["Pawns, kings, etc.", "Then stop."]),
        ("See Fig. 3. It shows a wall.", ["See Fig. 3. It shows a wall."]),
        ("Take 3. Then stop.", ["Take 3.", "Then stop."]),
        ("By J. R. Smith. For two.", ["By J. R. Smith.", "For two."]),
        ("So do I. Then stop.", ["So do I.", "Then stop."]),
        ("Roll 1.5 times. and so on", ["Roll 1.5 times. and so on"]),
        ("It ends here.The next begins.", ["It ends here.", "The next begins."]),
        ("See www.Games.Example.org now.", ["See www.Games.Example.org now."]),
        ("Wait... Then go.", ["Wait...", "Then go."]),
        ("Now -- mind you! -- go.", ["Now -- mind you! -- go."]),
        ("• One:\n• Two", ["One:", "Two"]),
        ("1. one\n2) two\n(3) three", ["one", "two", "three"]),
        ("7. seven\n\n8. eight", ["seven", "eight"]),
        (
            "Off the table (i.e. on a board, Level\n0) it waits.",
            ["Off the table (i.e. on a board, Level 0) it waits."],
        ),
        (
            "as all do who love the signs, and so on\nhttp://example.org/of/a/length/beyond/all\nMars.",
            ["as all do who love the signs, and so on http://example.org/of/a/length/beyond/all Mars."],
        ),
        ("See there. http://example.org", ["See there.", "http://example.org"]),
        ("# Play\nGo on.\n-----\nStop", ["Play", "Go on.", "Stop"]),
        ("Players: 2\nTime: 20 min\n", ["Players: 2", "Time: 20 min"]),
        ("by hand\nand by eye", ["by hand and by eye"]),
        ("  \n\n--- *** ---\n", []),
        ("\ufeffFirst.\r\n\r\nSecond.", ["First.", "Second."]),
    ],
)
def test_where_a_sentence_ends(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_lines_that_were_wrapped_go_on() -> None:
    text = (
        "The board has eight squares, and every\nSquare of it is empty when the game\nbegins. Nobody\nminds."
    )
    assert split(text) == [
        "The board has eight squares, and every Square of it is empty when the game begins.",
        "Nobody minds.",
    ]


def test_what_has_the_form_of_a_heading() -> None:
    found = sentences(Source("doc.txt", "Setting up:\n\nTake three.\n\n• Two dice\n\n# The end"))
    assert [s.heading for s in found] == [True, False, False, True]


def test_a_digest_is_of_the_words() -> None:
    assert digest("Take  one\n counter.") == digest("Take one counter.")
    assert digest("Take one counter.") != digest("Take one counter")
    assert digest("caf\u00e9") == digest("cafe\u0301")


WORDS = st.builds(str.__add__, st.text("abCD", min_size=1, max_size=12), st.sampled_from(["", "", *",.;!?)"]))
PARAGRAPHS = st.lists(st.lists(WORDS, min_size=1, max_size=60).map(" ".join), max_size=6)


@given(PARAGRAPHS, st.integers(ROOM + 1, 120))
def test_wrapping_paragraphs_anew_changes_no_digest(paragraphs: list[str], width: int) -> None:
    plain = "\n\n".join(paragraphs)
    wrapped = "\n\n".join(textwrap.fill(p, width, break_long_words=False) for p in paragraphs)
    digests = [s.digest for s in sentences(Source("a", plain))]
    assert [s.digest for s in sentences(Source("b", wrapped))] == digests


LINES = st.lists(st.text("aAbB1.!?() -•*#’\t", max_size=30), max_size=12).map("\n".join)


@given(LINES)
def test_sentences_stand_in_order_and_hold_every_letter(text: str) -> None:
    found = sentences(Source("doc.txt", text))
    places = [p for s in found for p in ((s.span.line, s.span.column), (s.span.end_line, s.span.end_column))]
    assert places == sorted(places)
    assert [s.number for s in found] == [*range(1, len(found) + 1)]
    letters = sum(map(str.isalpha, text))
    assert sum(sum(map(str.isalpha, stretch(text, s))) for s in found) == letters


@pytest.mark.parametrize("text", [" " * 400_000, "(" * 400_000, "1) " * 100_000, "a. B" * 100_000])
def test_long_lines_are_gone_through_once(text: str) -> None:
    """A list marker was searched for at every position of a line of spaces, which took minutes."""
    assert len(sentences(Source("doc.txt", text))) <= 100_001
