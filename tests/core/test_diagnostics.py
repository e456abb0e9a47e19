"""What messages carry with them."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator

import pytest

from rulespec.core.diagnostics import (
    LONGEST_MESSAGE,
    MORE,
    MOST_COMPARED_IN_ALL,
    MOST_FAULTS,
    Diagnostic,
    Label,
    Report,
    RulesetError,
    Source,
    Span,
    nearest,
)


def test_faults_come_whole_from_another_process() -> None:
    """A faulty ruleset among many that were checked at once ended the pool of processes."""
    place = Label(Span(Source("rules.yaml", "prose: x"), 1, 1, 1, 6))
    error = RulesetError([Diagnostic("key.unknown", "no such key", (place,))])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.diagnostics) == (str(error), error.diagnostics)


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    source = Source("a.txt", "x" * 300 + "wrong" + "y" * 300)
    found = Diagnostic("a.b", "so", (Label(Span(source, 1, 301, 1, 306)),))
    shown, caret = found.render().split("\n")[1:]
    assert len(shown) < 180
    assert shown[caret.index("^") : caret.rindex("^") + 1] == "wrong"


def test_a_place_in_another_file_says_in_which() -> None:
    here, there = Source("a.txt", "one"), Source("b.txt", "two")
    labels = (Label(Span(here, 1, 1, 1, 4)), Label(Span(there, 1, 1, 1, 4), "see"))
    assert "\n  b.txt:1:1:\n  1 | two\n" in Diagnostic("a.b", "so", labels).render()


def fault(number: int, source: Source) -> Diagnostic:
    return Diagnostic("a.b", f"fault {number}", (Label(Span(source, number, 1, number, 2)),))


def test_the_first_faults_are_shown_and_the_others_counted() -> None:
    """Each fault was compared with all before it, and the file was split into lines for each."""
    source, report = Source("a.txt", "x\n" * 30_000), Report()
    for number in [*range(1, 25_001), 1]:
        report.add(fault(number, source))
    assert (len(report.noted), report.count) == (MOST_FAULTS, 25_000)
    with pytest.raises(RulesetError) as caught:
        report.raise_errors()
    *shown, last = caught.value.diagnostics
    assert [one.message for one in shown] == [f"fault {n}" for n in range(1, MOST_FAULTS + 1)]
    assert (last.code, last.message) == (MORE, "24,900 more faults are not shown")
    assert last.span is not None
    assert last.span.line == MOST_FAULTS + 1
    assert str(caught.value).count("\n") < 5 * MOST_FAULTS


def test_advice_compares_only_so_many_names() -> None:
    """Comparing each of thousands of unknown names with all others took minutes."""
    report, asked = Report(), 0

    def names() -> Iterator[str]:
        nonlocal asked
        for number in range(10_000):
            asked += 1
            yield f"name{number}"

    for number in range(50):
        report.nearest(f"nam{number}", names())
    assert asked <= MOST_COMPARED_IN_ALL
    assert report.nearest("name", ["names"]) == ""
    assert Report().nearest("name", ["names"]) == "did you mean names?"
    assert nearest("n" * 5_000, ["n" * 4_999]) == ""


def test_control_characters_are_not_shown() -> None:
    source = Source("a\x1b.txt", "pr\x1b[2Jose \u202e x\x9b")
    found = Diagnostic("a.b", "bad \x00 \x1b]0;x\x07", (Label(Span(source, 1, 3, 1, 4), "\u2066"),), "\x7f")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", found.render())


def test_a_long_message_is_shown_by_both_ends() -> None:
    text = Diagnostic("a.b", "begin" + "x" * 1_000_000 + "end").render()
    assert len(text) < LONGEST_MESSAGE + 100
    assert "begin" in text
    assert text.endswith("end")
