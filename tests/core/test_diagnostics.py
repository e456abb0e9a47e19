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
