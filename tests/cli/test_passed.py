"""The cache of checks of shipped rulesets is valid only while rulesets and program are unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.cli import passed
from rulespec.cli.passed import Current
from rulespec.core.verdicts import Verdict

ONE = Verdict("nim", "ends", "terminates", "proved", "It ends.", (), "interpreter", 0.1, "rules", "claim", 2)


def test_a_settled_verdict_stays_current_until_a_ruleset_or_the_program_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 576 settings was loaded again to test that its stored verdict is not stale."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    open_one = replace(ONE, claim="other", outcome="undecided")
    Current().keep([ONE, open_one])
    assert Current().settled([ONE, open_one]) == {ONE.subject}, "what is open is asked again"
    assert Current().settled([replace(ONE, game="other rules")]) == set()
    assert Current().settled([replace(ONE, claim_digest="another claim")]) == set()
    monkeypatch.setattr(passed, "_key", lambda: "another program")
    assert Current().settled([ONE]) == set()
