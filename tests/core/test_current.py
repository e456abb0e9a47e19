"""Verdicts that were seen not to be stale are known again while nothing changes that they rest on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.core.diagnostics import Source
from rulespec.core.verdicts import Verdict, current_verdicts
from rulespec.core.verdicts.current_verdicts import Current

ONE = Verdict("nim", "ends", "terminates", "refuted", (), "interpreter", 0.1, "rules", "claim", 2)
TEXTS = Source("nim.yaml", "rulespec: 1"), Source("base.yaml", "rulespec: 1")


def test_a_verdict_stays_current_until_a_text_or_the_program_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 576 settings was loaded again to test that its stored verdict is not stale."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    Current(TEXTS).keep([ONE.subject])
    assert ONE.subject in Current(TEXTS)
    assert replace(ONE, game="other rules").subject not in Current(TEXTS)
    assert replace(ONE, claim_digest="another claim").subject not in Current(TEXTS)
    assert ONE.subject not in Current(TEXTS[:1])
    assert ONE.subject not in Current((TEXTS[0], Source("base.yaml", "rulespec: 1 # changed")))
    monkeypatch.setattr(current_verdicts, "source_digest", lambda *modules: "another program")
    assert ONE.subject not in Current(TEXTS)


def test_without_texts_nothing_is_kept() -> None:
    Current().keep([ONE.subject])
    assert ONE.subject not in Current()
