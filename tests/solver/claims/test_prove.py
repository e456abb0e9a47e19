"""Verdicts on small games: what is said, on what evidence, under which readings, within which budget."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from families import hops, trail

from rulespec.budgets import Budget
from rulespec.core.verdicts import BOUNDED, Store, Verdict, says_less
from rulespec.core.verdicts.ruling_effects import effects_of_rulings
from rulespec.language import load
from rulespec.solver.claims import ProveOptions, Scope, VerdictReached, decide_claims, prove
from rulespec.solver.evidence.problem import Answer, Case, no_answer
from rulespec.solver.methods.scheduler import strongest
from rulespec.solver.methods.table import FORMULAS

EXPECTED = {
    "home": "proved",
    "home-at-once": "proved",
    "inside": "proved",
    "three": "refuted",
    "never-tired": "refuted",
    "hollow": "proved",
    "stuck": "proved",
    "fits": "proved",
    "ends": "proved",
    "rested": "proved",
    "busiest": "proved",
}


def by_claim(verdicts: list[Verdict]) -> dict[str, Verdict]:
    return {v.claim: v for v in verdicts if not v.readings}


@pytest.fixture(scope="module")
def decided() -> dict[str, Verdict]:
    return by_claim(prove(hops, timeout=200))


def test_every_claim_is_decided_as_by_hand(decided: dict[str, Verdict]) -> None:
    assert {name: v.outcome for name, v in decided.items()} == EXPECTED


def test_a_statement_says_what_was_shown(decided: dict[str, Verdict]) -> None:
    assert decided["home"].numbers["plies"] == 5
    assert decided["never-tired"].numbers["plies"] == 1
    assert decided["busiest"].numbers["value"] == 3
    assert decided["rested"].numbers["value"] == 0
    assert decided["ends"].numbers["plies"] == 8
    assert all(v.evidence for v in decided.values())


def test_a_claim_that_says_nothing_is_flagged(decided: dict[str, Verdict]) -> None:
    assert decided["hollow"].notes
    assert not decided["inside"].notes


def test_a_play_that_comes_back_refutes_termination() -> None:
    (verdict,) = prove(trail, timeout=200)
    assert verdict.outcome == "refuted"
    assert [e.kind for e in verdict.evidence] == ["play"]


def test_claims_across_readings() -> None:
    store = Store()
    verdicts = prove(hops, ["home"], timeout=200, store=store)
    assert {
        (v.readings.get("far", "one"), v.readings.get("rests", "counted")): v.outcome for v in verdicts
    } == {
        ("one", "counted"): "proved",
        ("one", "free"): "proved",
        ("two", "counted"): "refuted",
        ("two", "free"): "refuted",
    }
    effects = {e.ruling: e for e in effects_of_rulings(hops(), verdicts)}
    assert effects["far"].changes is True
    assert effects["far"].outcomes == {"one": "proved", "two": "refuted"}
    assert effects["rests"].changes is False


def test_all_readings_asks_each_ruling_alone() -> None:
    verdicts = prove(hops, ["three"], timeout=200, scope=Scope.ALL)
    outcomes = {tuple(v.readings.items()): v.outcome for v in verdicts}
    assert outcomes == {(): "refuted", (("far", "two"),): "proved", (("rests", "free"),): "refuted"}


def test_a_budget_that_runs_out_is_a_verdict() -> None:
    (verdict,) = prove(hops, ["inside"], timeout=0)
    assert verdict.outcome in ("undecided", "bounded")
    assert "nothing is known" in verdict.statement or "Nothing was decided" in verdict.statement


def test_an_unknown_claim_is_an_error() -> None:
    with pytest.raises(KeyError, match="no-such"):
        prove(hops, ["no-such"])


def test_an_interrupt_keeps_what_was_decided(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    events = decide_claims(hops, ProveOptions(timeout=600, store=path))
    next(events), next(events)
    with pytest.raises(KeyboardInterrupt):
        events.throw(KeyboardInterrupt)
    kept = Store.read(path)
    assert len([v for v in kept if v.outcome in ("proved", "refuted")]) == 2
    assert not any("interrupted" in note for v in kept for note in v.warnings), "nobody could check that"


def test_a_settled_verdict_can_be_taken_from_the_store(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    first = prove(hops, ["inside"], timeout=200, store=path)
    asked: list[str] = []
    assert (
        prove(hops, ["inside"], timeout=200, store=path, reuse=True, progress=asked.append)[0].to_data()
        == first[0].to_data()
    )
    assert asked == ["hops: inside (players=1)"], "it was only checked"


def test_what_was_not_settled_is_tried_again_unless_that_is_not_wanted(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    (first,) = prove(hops, ["inside"], timeout=0, store=path)
    (same,) = prove(hops, ["inside"], timeout=200, store=path, reuse=True, retry=False)
    assert same.outcome == first.outcome
    (settled,) = prove(hops, ["inside"], timeout=200, store=path, reuse=True)
    assert settled.outcome == "proved"


def test_a_verdict_that_says_less_does_not_replace_one_that_says_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))  # without the stamps of other tests
    path = tmp_path / "verdicts.json.gz"
    (first,) = prove(hops, ["inside"], timeout=200, store=path)
    (again,) = prove(hops, ["inside"], timeout=0, store=path)
    assert (again.outcome, first.outcome) == ("unchecked", "proved"), "there was no time for a check either"
    assert again.statement == "It is stored as proved, but it was not checked here."
    assert [v.to_data() for v in Store.read(path)] == [first.to_data()]


@pytest.mark.parametrize(
    ("numbers", "less"),
    [({"at_least": 3, "at_most": 9}, False), ({"at_least": 3, "at_most": 12}, True), ({"at_least": 3}, True),
     ({"at_least": 4, "at_most": 12}, False), ({"at_least": 3, "at_most": 8}, False)],
)  # fmt: skip
def test_of_bounds_those_say_less_that_are_farther_and_none_nearer(
    numbers: dict[str, int], less: bool
) -> None:
    before = replace(
        prove(hops, ["inside"], timeout=200)[0],
        kind="best",
        options={"sense": "most"},
        outcome="bounded",
        evidence=(),
        numbers={"at_least": 3, "at_most": 9},
    )
    assert says_less(replace(before, numbers=numbers), before) is less


@pytest.mark.parametrize(
    ("numbers", "less"),
    [((6, 4, 2), True), ((12, 7, 4), True), ((12, 8, 4), False), ((20, 14, 6), False), ((20, 5, 4), False)],
)
def test_an_estimate_from_fewer_deals_says_less(numbers: tuple[int, int, int], less: bool) -> None:
    before = replace(
        prove(hops, ["inside"], timeout=200)[0],
        kind="share_of_deals",
        options={"asks": "home", "deals": 20},
        outcome="estimated",
        evidence=(),
        numbers={"deals": 12, "held": 8, "failed": 4},
    )
    now = dict(zip(("deals", "held", "failed"), numbers, strict=True))
    assert says_less(replace(before, numbers=now), before) is less


def test_every_verdict_is_told_as_it_falls() -> None:
    options = ProveOptions(claims=["inside", "home"], timeout=200)
    events = [event for event in decide_claims(hops, options) if isinstance(event, VerdictReached)]
    assert {event.verdict.claim for event in events} == {"inside", "home"}
    assert [event.number for event in events] == [*range(1, len(events) + 1)]
    assert {event.total for event in events} == {len(events)}


FAULTY = """\
rulespec: 1
id: purses
title: Purses that may overflow
rules:
- id: purses
  prose: A countdown, and purses that every step adds to.
  formal: |
    state steps: 0..40 = 40
    state purses: map 1..9 -> 0..999 = 0
- id: step
  prose: Take a step.
  action: n in 1..9, k in 1..9
  written: step {n} {k}
  require:
    left:
      prose: There is a step to take.
      that: steps > 0
  do: |
    add n to purses[k]
    remove 1 from steps
claims:
- id: ends
  prose: Every play ends.
  terminates: steps
"""


def test_a_ply_that_faults_ends_the_play_whatever_the_measure(tmp_path: Path) -> None:
    path = tmp_path / "purse.yaml"
    path.write_text(FAULTY, "utf-8")
    (verdict,) = prove(lambda **settings: load(path, **settings), timeout=200)
    assert (verdict.outcome, verdict.numbers["plies"]) == ("proved", 40)


COUNTED = """\
rulespec: 1
id: counted
title: A count that nobody asks for
players: 1
rules:
- id: counts
  prose: What is seen, how often, and a count with many values that overflows in the seventh ply.
  formal: |
    state seen: set of 1..10 = {}
    state steps: 0..20 = 0
    state total: 0..200 = 194
- id: see
  prose: See something new.
  action: k in 1..10 where k not in seen
  written: see {k}
  do: |
    add k to seen
    add 1 to steps
    add 1 to total
claims:
- id: six
  prose: Six can be seen.
  reachable: steps = 6
- id: seven
  prose: No seven can.
  unreachable: steps = 7
- id: most
  prose: The most is six.
  most: steps
  when: steps > 0
"""


def test_what_faults_where_formulas_did_not_look_is_looked_for_again(tmp_path: Path) -> None:
    """A play of seven plies was found and refused by the interpreter, and that was told as a defect."""
    path = tmp_path / "counted.yaml"
    path.write_text(COUNTED, "utf-8")
    game = load(path)
    found = {name: FORMULAS(Case(game, claim, Budget(200.0, 4_000))) for name, claim in game.claims.items()}
    assert {name: answer and answer.outcome for name, answer in found.items()} == {
        "six": "proved",
        "seven": "proved",
        "most": "proved",
    }
    assert found["most"] is not None and found["most"].numbers["value"] == 6


def test_remarks_of_other_methods_are_kept_only_where_nothing_was_decided() -> None:
    """A bounded verdict was stored with the limit of another method, which no recheck could find again."""
    case = Case(hops(), hops().claims["inside"], Budget(0.0))
    found = Answer(BOUNDED, numbers={"plies": 1})
    other = no_answer("Nothing was decided.", "Formulas do not cover this.")
    assert strongest(case, [other, found]).remarks == ()
    assert strongest(case, [other, found]).stopped == case.budget.exceeded_limit != ""
    assert strongest(case, [other]).remarks[1] == "Formulas do not cover this."
