"""Verdicts under several readings: each claim is asked wherever it or the game has another meaning."""

from __future__ import annotations

from pathlib import Path

from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Store
from rulespec.core.verdicts.ruling_effects import effects_of_rulings
from rulespec.solver.claims import LeftOut, ProveOptions, Scope, VerdictReached, decide_claims, prove, recheck

DOCUMENTS = Path(__file__).parent / "documents"


def document(name: str) -> Loader:
    return Loader(str(DOCUMENTS / f"{name}.yaml"))


def test_a_reading_that_only_claims_ask_for_is_asked_by_itself() -> None:
    """Two readings gave one game, so the second was skipped, and a false claim was reported to hold."""
    for scope in (Scope.NAMED, Scope.ALL):
        found = prove(document("limit"), ["fine", "counted"], timeout=200, scope=scope)
        assert {(v.claim, *v.readings.values()): (v.outcome, v.numbers.get("value")) for v in found} == {
            ("fine",): ("proved", None),
            ("fine", "two"): ("refuted", None),
            ("counted",): ("proved", 4),
            ("counted", "two"): ("proved", 3),
        }


def test_a_ruling_that_changes_a_value_changes_the_answer() -> None:
    """Both readings were *proved*, with 4 positions and with 3, and the ruling counted as without effect."""
    loader = document("limit")
    (effect,) = effects_of_rulings(loader(), prove(loader, ["counted"], timeout=200))
    assert effect.changes is True
    assert effect.values == {"three": "4", "two": "3"}


def test_a_count_at_the_last_depth_passes_beside_a_claim_that_saw_everything() -> None:
    """Evidence included states that another claim of the same run had explored, which recheck did not."""
    store = Store()
    prove(document("limit"), ["fine", "last", "soon"], timeout=200, store=store)
    assert {c.passed for c in recheck(store, document("limit"))} == {True}


def test_beliefs_are_followed_again_as_far_as_they_were() -> None:
    """Recheck used the number of beliefs as a limit on positions, and failed correct verdicts."""
    store = Store()
    (found,) = prove(document("beliefs"), timeout=200, store=store)
    assert found.outcome == "proved"
    assert [c.passed for c in recheck(store, document("beliefs"))] == [True]


def test_the_usual_readings_of_all_claims_come_first() -> None:
    """A claim was asked under all its readings before the next one was asked at all."""
    for timeout in (200.0, None):
        found = prove(document("limit"), ["fine", "counted"], timeout=timeout)
        assert [bool(v.readings) for v in found] == [False, False, True, True]


def test_only_the_usual_readings_are_asked_for() -> None:
    found = prove(document("limit"), ["fine", "counted"], scope=Scope.USUAL)
    assert [dict(v.readings) for v in found] == [{}, {}]


def test_settings_that_were_not_begun_are_counted() -> None:
    events = [*decide_claims(document("limit"), ProveOptions(claims=["fine", "counted"], timeout=0.0))]
    found = [event.verdict for event in events if isinstance(event, VerdictReached)]
    late = {event.claim: event.settings for event in events if isinstance(event, LeftOut)}
    assert [(v.claim, v.outcome, dict(v.readings)) for v in found] == [
        ("fine", "undecided", {}),
        ("counted", "undecided", {}),
    ]
    assert late == {"fine": 1, "counted": 1}
