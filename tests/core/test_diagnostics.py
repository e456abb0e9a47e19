"""What messages carry with them."""

from __future__ import annotations

import pickle

from rulespec.core.diagnostics import Diagnostic, Label, RulesetError, Source, Span


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
