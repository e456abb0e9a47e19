"""Evidence under other readings is tried before anything is searched for, and shows what it shows here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from families import hops

from rulespec.budgets import Budget
from rulespec.core.verdicts import Evidence, Store, Verdict
from rulespec.core.verdicts.lemmas import assume
from rulespec.solver.claims import Scope, prove, recheck
from rulespec.solver.claims.proposals import by_proposals, other_readings
from rulespec.solver.claims.settings import settings
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.methods.table import FORMULAS as decide
from rulespec.solver.methods.verdicts import verdict_of

TWO = {"far": "two"}


def case(claim: str, readings: dict[str, str], known: Sequence[Verdict] = ()) -> Case:
    game = hops(readings=readings)
    return Case(game, game.claims[claim], Budget(60), lemmas=assume({v.claim: v for v in known}))


def by_formulas(claim: str, readings: dict[str, str]) -> Verdict:
    asked = case(claim, readings)
    answer = decide(asked)
    assert answer is not None
    return verdict_of(asked, answer, Store())


def proposed(claim: str, readings: dict[str, str], *verdicts: Verdict) -> tuple[Answer | None, int]:
    """The answer that evidence proposes under some readings, and the number of proposals that were tried."""
    asked, tried = case(claim, readings), list[str]()
    asked.progress = tried.append
    answer = by_proposals(asked, verdicts)
    return answer, sum("other readings" in words for words in tried)


def test_a_reading_that_does_not_matter_costs_one_check() -> None:
    inside = by_formulas("inside", {})
    assert [e.kind for e in inside.evidence] == ["induction"]
    answer, tried = proposed("inside", {"rests": "free"}, inside, replace(inside, readings=TWO))
    assert tried == 1
    assert answer is not None
    assert (answer.outcome, [p.kind for p in answer.proofs]) == ("proved", ["induction"])


def test_evidence_that_shows_nothing_under_these_readings_is_no_answer() -> None:
    """With hops of two the token is never on 3, which unrolled plays show; with hops of one it gets there."""
    three = by_formulas("three", TWO)
    assert (three.outcome, three.evidence[0].kind) == ("proved", "refutation")
    answer, tried = proposed("three", {}, three)
    assert tried == 1
    assert answer is None or answer.outcome == "refuted"
    free, _ = proposed("three", {"far": "two", "rests": "free"}, three)
    assert free is not None
    assert free.outcome == "proved"


def test_plays_and_values_are_not_proposals() -> None:
    home, farthest = by_formulas("home", {}), by_formulas("busiest", {})
    assert proposed("home", TWO, home) == (None, 0)
    assert proposed("busiest", TWO, farthest) == (None, 0)


def test_of_helpers_only_those_are_used_that_hold_under_these_readings() -> None:
    """A claim that helped under other readings may be false under these."""
    inside = by_formulas("inside", {})
    tired = replace(by_formulas("inside", {"rests": "free"}), claim="never-tired")
    helped = replace(inside, evidence=(*inside.evidence, Evidence("helper", {"claim": "never-tired"})))
    for known, names in (([], []), ([tired], ["never-tired"])):
        answer = by_proposals(case("inside", {"rests": "free"}, known), [helped])
        assert answer is not None
        assert [p.data["claim"] for p in answer.proofs if p.kind == "helper"] == names


def test_only_verdicts_under_other_readings_of_the_same_game_are_proposals() -> None:
    inside = by_formulas("inside", {})
    under = [replace(inside, readings={"far": "two", "rests": "free"}), replace(inside, readings=TWO)]
    open_one = replace(under[0], readings={"rests": "free"}, outcome="undecided", evidence=(), numbers={})
    others = [replace(under[0], players=2), replace(under[0], parameters={"n": 2}), open_one]
    found = other_readings(Store([inside, *under, *others]), inside)
    assert sorted(v.readings.items() for v in found) == sorted(v.readings.items() for v in under)


def test_every_setting_has_evidence_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    verdicts = prove(hops, ["home", "inside"], scope=Scope.ALL, timeout=600, store=path)
    assert len(verdicts) == len(list(all_settings()))
    checks = recheck(Store.read(path), hops, timeout=600)
    assert [c.passed for c in checks] == [True] * len(verdicts)
    for check in checks:  # each by itself: nothing that another setting shows is used
        alone = Store([check.verdict], Store.read(path).records)
        assert [c.passed for c in recheck(alone, hops, timeout=600)] == [True]


def all_settings() -> Iterator[object]:
    core = hops()
    for name in ("home", "inside"):
        yield from settings(core, core.claims[name], True)
