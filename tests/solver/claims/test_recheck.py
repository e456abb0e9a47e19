"""Rechecking: sound evidence passes, and no damage, exchange or exaggeration does."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from answering import forged
from families import hops, trail

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.game import Game
from rulespec.core.verdicts import Evidence, Store, StoreError, Verdict, beside
from rulespec.core.verdicts.lemmas import helpers_of
from rulespec.core.verdicts.stamps import Stamps
from rulespec.language import locate
from rulespec.solver.claims import Recheck, RecheckOptions, Scope, check_and_stamp, prove, recheck
from rulespec.solver.claims.check_order import (
    CHEAPEST,
    LONG,
    STEPS,
    Audience,
    Place,
    check_cost,
    check_order,
    exploration_of,
)
from rulespec.solver.claims.recheck import _groups, check_one, judge_of
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.checks import Judgement, compare_answer
from rulespec.solver.evidence.problem import Answer, Case, Proof, no_answer
from rulespec.solver.explore import InterpreterStates, spot_check
from rulespec.solver.explore.spot_check import Comparison
from rulespec.solver.explore.state_space import Limits


@pytest.fixture(scope="module")
def proved() -> Store:
    store = Store()
    prove(hops, timeout=200, store=store, scope=Scope.ALL)
    return store


def copy(store: Store) -> Store:
    return Store.parse(store.text())


def verdict(store: Store, claim: str) -> Verdict:
    return next(v for v in store if v.claim == claim and not v.readings)


def only(store: Store, changed: Verdict | None) -> list[bool | None]:
    """What rechecking says of a claim's default verdict after it was changed; no if it is none at all."""
    if changed is None:
        return [False]
    other = copy(store)
    other.put(changed)
    checks = recheck(other, hops, [changed.claim], timeout=200)
    return [c.passed for c in checks if not c.verdict.readings]


def test_sound_evidence_passes(proved: Store) -> None:
    checks = recheck(copy(proved), hops, timeout=200)
    assert len(checks) == len(proved) > 11
    assert {c.passed for c in checks} == {True}
    assert recheck(copy(proved), hops, timeout=200, jobs=2) == checks


def test_what_is_not_begun_in_time_is_left_out(proved: Store) -> None:
    slow = Store((replace(v, seconds=30) for v in copy(proved)), proved.records)
    checks = recheck(slow, hops, timeout=0)
    assert {c.passed for c in checks} == {None}
    assert all("left for later" in c.text for c in checks)
    assert {c.passed for c in recheck(slow, hops, timeout=600)} == {True}


def test_what_players_read_comes_first_and_then_what_costs_least(proved: Store) -> None:
    seen = [event.check.verdict for event in Recheck([(copy(proved), hops)], RecheckOptions(timeout=200))]
    changes = [len(v.readings) + len(v.parameters) for v in seen]
    assert changes == sorted(changes)
    on_page = [v for v in seen if not v.readings and not hops().claims[v.claim].lemma]
    alike = {**Counter(map(exploration_of, on_page)), (): 1}
    costs = [max(CHEAPEST, check_cost(v) / alike[exploration_of(v)]) for v in on_page]
    assert all(later >= earlier / 10 for earlier, later in pairwise(costs))


@pytest.mark.parametrize("jobs", [1, 2])
def test_claims_that_rest_on_one_exploration_share_it(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, begun = Comparison.begin, tmp_path / "begun"

    def noting(self: Comparison, random: Random) -> None:
        with begun.open("a") as file:
            file.write(f"{os.getpid()}\n")
        begin(self, random)

    monkeypatch.setattr(Comparison, "begin", noting)
    claims = ["best-play", "positions", "plays"]
    loader = Loader("tic-tac-toe")
    only = {v.subject for v in Store.read(beside(locate("tic-tac-toe"))) if not v.parameters}
    checks = recheck(beside(locate("tic-tac-toe")), loader, claims, only=only, each=60, jobs=jobs)
    passed = [c for c in checks if c.passed]
    assert sorted(c.verdict.claim for c in passed) == sorted(claims)
    assert len({c.text for c in passed}) == 1
    assert "positions gone through by the interpreter" in passed[0].text
    assert len(begun.read_text().split()) == 1


def test_explorations_of_other_positions_are_not_shared(proved: Store) -> None:
    inside, stuck = verdict(proved, "inside"), verdict(proved, "stuck")
    assert exploration_of(inside) == exploration_of(stuck) != ()
    (evidence,) = inside.evidence

    def with_entries(**entries: object) -> Verdict:
        return replace(inside, evidence=(replace(evidence, data={**evidence.data, **entries}),))

    others = [
        replace(inside, readings={"far": "two"}),
        replace(inside, kind="symmetry"),
        replace(inside, evidence=()),
        with_entries(digest="0"),
        with_entries(costs=[1]),
        with_entries(closed=False),
    ]
    assert exploration_of(with_entries()) == exploration_of(inside)
    assert exploration_of(inside) not in [exploration_of(other) for other in others]


class Spendable(Budget):
    """A budget that a test spends at once."""

    spent = False

    @property
    def seconds_left(self) -> float:
        """The seconds left; none once it is spent."""
        return 0.0 if self.spent else super().seconds_left


def test_a_check_that_ends_before_the_last_layer_is_closed_has_no_result(
    proved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It FAILED on a slow machine: what was seen by then was less than the evidence says."""
    inside, budget = verdict(proved, "inside"), Spendable(200)
    last = len(inside.evidence[0].data["counts"]) - 1

    def explore(case: Case, limits: Limits) -> Answer:
        found = exploration.explore(case, replace(limits, depth=last))
        budget.spent = limits.judge
        return found

    monkeypatch.setattr("rulespec.solver.evidence.judge.exploration", SimpleNamespace(explore=explore))
    check = check_one(judge_of(proved, budget), hops, inside)
    assert (check.passed, "not as far as it was explored" in check.text) == (None, True)


def test_claims_about_the_same_random_plays_are_a_group(proved: Store) -> None:
    def sampled(claim: str, **entries: int) -> Verdict:
        data = {"games": 10, "seed": 1, "total": 5, "squares": 5, **entries}
        return replace(verdict(proved, "inside"), claim=claim, evidence=(Evidence("sample", data),))

    assert exploration_of(sampled("a")) == exploration_of(sampled("b", total=7)) != ()
    assert exploration_of(sampled("a")) != exploration_of(sampled("b", games=11))


def test_the_cost_of_an_exploration_is_shared_by_the_claims_that_rest_on_it(proved: Store) -> None:
    """A page of many claims on one exploration waited for pages of few."""
    inside, stuck = (
        replace(v, evidence=(replace(v.evidence[0], data={**v.evidence[0].data, "counts": [10**7]}),))
        for v in (verdict(proved, "inside"), verdict(proved, "stuck"))
    )
    (alone,) = check_order([inside], hops(), proved, None)
    names = [f"other-{number}" for number in range(20)]
    many = check_order([inside, *(replace(stuck, claim=name) for name in names)], hops(), proved, None)
    assert {place.magnitude for place in many} == {alone.magnitude - 4}
    assert {place.group for place in many} == {alone.group}


def test_cheap_checks_on_one_setting_are_a_group(proved: Store) -> None:
    """Each of them translated the rules anew, in whichever process was free."""
    inside = replace(verdict(proved, "inside"), evidence=(), seconds=0.0)
    other = replace(inside, claim="other")
    elsewhere = replace(inside, readings={"far": "two"})
    long = replace(other, evidence=(Evidence("induction", {"depth": 1}),), seconds=1_000.0)
    first, second, third, fourth = check_order([inside, other, elsewhere, long], hops(), proved, None)
    assert first.group == second.group != ()
    assert third.group not in (first.group, ())
    assert fourth.group == ()


def test_a_change_waits_for_checks_for_players_that_cost_a_thousand_times_as_much() -> None:
    def urgency(audience: Audience, magnitude: int) -> int:
        return Place(audience, magnitude, 0).urgency

    assert urgency(Audience.PLAYERS, 1) == urgency(Audience.READERS_OF_DETAILS, 1)
    assert urgency(Audience.PLAYERS, 3 * STEPS - 1) < urgency(Audience.ONE_CHANGE, 0)
    assert urgency(Audience.PLAYERS, 3 * STEPS + 1) > urgency(Audience.ONE_CHANGE, 0)


def test_measured_seconds_come_before_estimates(proved: Store) -> None:
    slow = verdict(proved, "home")
    options = RecheckOptions(timeout=200, measured=lambda v: 100.0 if v.key == slow.key else 0.1)
    run = Recheck([(copy(proved), hops)], options)
    order = ["/".join(event.check.verdict.key[1:]) for event in run]
    on_page = [name for name in order if name.endswith(f"/{slow.key[2]}")]
    assert on_page[-1] == f"home/{slow.key[2]}" != order[-1]


def test_the_checks_come_back_in_the_order_of_the_store(proved: Store) -> None:
    store = copy(proved)
    assert [c.verdict for c in recheck(store, hops, timeout=200)] == list(store)


def test_what_has_passed_is_stamped_also_when_the_checks_are_interrupted(
    proved: Store, tmp_path: Path
) -> None:
    run, stamps = Recheck([(copy(proved), hops)], RecheckOptions(timeout=200)), Stamps(tmp_path)
    events = check_and_stamp(run, stamps)
    checks = [next(events).check for _ in range(3)]
    with pytest.raises(KeyboardInterrupt):
        events.throw(KeyboardInterrupt)
    assert len(run.so_far) == 3
    free = [check.verdict for check in checks if not helpers_of(check.verdict)]
    assert free and all(stamps.of(verdict) is not None for verdict in free)


def test_a_repetition_passes_and_is_looked_at() -> None:
    store = Store()
    (found,) = prove(trail, timeout=200, store=store)
    assert [c.passed for c in recheck(store, trail)] == [True]
    first = found.evidence[0]
    store.put(replace(found, evidence=(replace(first, data={**first.data, "repeats": 0}),)))
    assert [c.passed for c in recheck(store, trail)] == [False]


@pytest.mark.parametrize("claim", ["home", "inside", "three", "stuck", "fits", "ends", "rested", "busiest"])
def test_the_opposite_outcome_is_refused(proved: Store, claim: str) -> None:
    found = verdict(proved, claim)
    opposite = "refuted" if found.outcome == "proved" else "proved"
    assert only(proved, forged(found, outcome=opposite)) == [False]


@pytest.mark.parametrize(
    ("claim", "number"), [("home", "plies"), ("ends", "plies"), ("busiest", "value"), ("inside", "states")]
)
def test_a_number_that_was_not_measured_is_refused(proved: Store, claim: str, number: str) -> None:
    found = verdict(proved, claim)
    assert only(proved, forged(found, numbers={**found.numbers, number: found.numbers[number] + 1})) == [
        False
    ]


def test_a_verdict_without_evidence_is_refused(proved: Store) -> None:
    assert only(proved, forged(verdict(proved, "inside"), evidence=())) == [False]


def test_an_exchanged_play_is_refused(proved: Store) -> None:
    home, three = verdict(proved, "home"), verdict(proved, "three")
    assert only(proved, forged(home, evidence=three.evidence)) == [False]


def test_an_illegal_play_is_refused(proved: Store) -> None:
    other = copy(proved)
    digest = other.keep({"chance": [], "plays": ["hop"] * 6})
    home = verdict(proved, "home")
    other.put(replace(home, evidence=(Evidence("play", {"record": digest}),), numbers={"plies": 6}))
    (check,) = [c for c in recheck(other, hops, ["home"], timeout=200) if not c.verdict.readings]
    assert check.passed is False
    assert "ply 6" in check.text


def test_counts_of_other_positions_are_refused(proved: Store) -> None:
    found = verdict(proved, "inside")
    damaged = replace(found.evidence[0], data={**found.evidence[0].data, "digest": "0" * 64})
    assert only(proved, forged(found, evidence=(damaged,))) == [False]


def test_a_stale_verdict_is_refused(proved: Store) -> None:
    def changed(**setting: object) -> Game:
        return replace(hops(**setting), ends=())  # type: ignore[arg-type]

    checks = recheck(copy(proved), changed, ["inside"], timeout=200)
    assert all(c.passed is False and "stale" in c.text for c in checks)


def test_a_damaged_store_is_refused(proved: Store, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    text = proved.text()
    changed = (
        text[: len(text) // 2],
        text.replace("hop", "hup", 1),
        text.replace('"proved"', '"refuted"', 1),
        "[]",
        "\x00",
    )
    whole = gzip.compress(text.encode())
    cut = (whole[: len(whole) // 2], whole[:-4] + b"\x00\x00\x00\x00", text.encode(), b"")
    for broken in (*(gzip.compress(t.encode()) for t in changed), *cut):
        path.write_bytes(broken)
        with pytest.raises(StoreError, match=r"verdicts\.json"):
            recheck(path, hops)


def test_a_play_stored_under_another_digest_is_refused(proved: Store) -> None:
    data = json.loads(proved.text())
    first, second, *_ = data["records"]
    data["records"][first], data["records"][second] = data["records"][second], data["records"][first]
    with pytest.raises(StoreError, match="not the one"):
        Store.parse(json.dumps(data))


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        (Answer("bounded", numbers={"plies": 3}), True),
        (Answer("bounded", numbers={"plies": 2}), False),
        (Answer("bounded", numbers={"plies": 4}), False),
        (Answer("proved", numbers={"states": 4}), False),
        (Answer("bounded", (Proof("refutation", {"plies": 3}),), numbers={"plies": 3}), False),
        (Answer("bounded", numbers={"plies": 3}, notes=("over-at-once",)), False),
        (no_answer("Nothing was decided."), None),
        (None, None),
    ],
)
def test_a_verdict_passes_if_it_is_the_answer_that_its_evidence_shows(
    proved: Store, answer: Answer | None, passed: bool | None
) -> None:
    """A looser bound, or a weaker outcome, passed."""
    said = replace(verdict(proved, "inside"), outcome="bounded", numbers={"plies": 3}, evidence=())
    assert compare_answer(said, Judgement(answer)).passed is passed


class Watch:
    """A stopwatch that goes on by some seconds whenever it is looked at."""

    def __init__(self, step: float) -> None:
        self._times = count(step, step)

    @property
    def seconds(self) -> float:
        """The next time."""
        return next(self._times)


@pytest.mark.parametrize(
    ("step", "whom"),
    [(0.0, "the interpreter"), (5.0, "generated code, 1 of {0} positions gone through by ")],
)
def test_the_interpreter_goes_through_as_much_as_its_time_allows(
    step: float, whom: str, proved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of outcomes in the evidence decided who explored, and nobody compared it."""
    monkeypatch.setattr(spot_check, "Stopwatch", lambda work: Watch(step))
    found = verdict(proved, "inside")
    (evidence,) = found.evidence
    (check,) = [c for c in recheck(proved, hops, ["inside"], timeout=200) if not c.verdict.readings]
    assert check.passed
    positions = sum(evidence.data["counts"])
    assert check.text.startswith(f"explored again by {whom.format(positions)}")


def test_a_verdict_does_not_pass_where_code_and_interpreter_differ(
    proved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InterpreterStates, "answer", lambda self, question, position: 7)
    (check,) = [c for c in recheck(proved, hops, ["inside"], timeout=200) if not c.verdict.readings]
    assert check.passed is False
    assert check.text.startswith("generated code and the interpreter differ in ")


def test_of_a_best_value_the_side_that_has_evidence_is_checked(proved: Store) -> None:
    best = verdict(proved, "busiest")
    (play,) = [e for e in best.evidence if e.kind == "play"]
    lower = replace(best, outcome="bounded", numbers={"at_least": best.numbers["value"]}, evidence=(play,))
    assert only(proved, lower) == [False]  # no value is better than this one, so more is shown
    assert only(proved, forged(lower, numbers={"at_least": best.numbers["value"] + 1})) == [False]
    assert only(proved, forged(lower, numbers={"at_most": best.numbers["value"] - 1})) == [False]


def test_a_best_value_that_no_play_reaches_is_refused(proved: Store) -> None:
    best = verdict(proved, "busiest")
    rest = tuple(e for e in best.evidence if e.kind != "play")
    bound = Evidence("refutation", {"bound": best.numbers["value"] + 1})
    assert only(proved, forged(best, evidence=(*rest, bound))) == [False]


TWO_WAYS = """\
rulespec: 1
id: two-ways
title: Two ways
players: 1
rules:
  - id: things
    prose: There is a counter.
    formal: "state high: 0..2 = 0"
  - id: add
    prose: Add one, with the one hand or the other.
    action: hand in 1..2
    written: hand {hand}
    do: add 1 to high
    require:
      low:
        prose: It is not full.
        that: high < 2
claims:
  - id: highest
    prose: The highest number is 2.
    most: high
"""


def test_a_best_value_may_be_reached_by_another_play_than_the_judge_finds(tmp_path: Path) -> None:
    (tmp_path / "two-ways.yaml").write_text(TWO_WAYS)
    store, load_it = Store(), Loader(tmp_path / "two-ways.yaml")
    (best,) = prove(load_it, timeout=60, store=store)
    (explored,) = [e for e in best.evidence if e.kind == "exploration"]
    for plays, passes in ((["hand 1", "hand 1"], True), (["hand 2", "hand 1"], True), (["hand 2"], False)):
        other = copy(store)
        digest = other.keep({"chance": [], "plays": plays})
        other.put(replace(best, evidence=(explored, Evidence("play", {"record": digest}))))
        (check,) = recheck(other, load_it, timeout=60)
        assert check.passed is passes, plays


def test_claims_granted_without_need_are_no_fault(proved: Store) -> None:
    """With more time, a step may be proved without claims that were first needed for it."""
    step = Evidence("induction", {"depth": 1})
    said = replace(verdict(proved, "inside"), evidence=(step,), numbers={"depth": 1})
    helped = replace(said, evidence=(step, Evidence("helper", {"claim": "hollow"})))
    strange = replace(said, evidence=(step, Evidence("helper", {"claim": "nothing"})))
    assert [only(proved, one) for one in (said, helped, strange)] == [[True], [True], [None]]
    explored = verdict(proved, "inside")
    assert only(proved, replace(explored, evidence=(*explored.evidence, helped.evidence[-1]))) == [False]


def test_the_longest_checks_may_begin_first() -> None:
    """The longest of all began last, and went on alone while the other processes had nothing to do."""
    places = [
        Place(Audience.SEVERAL_CHANGES, -3, 0),
        Place(Audience.PLAYERS, LONG, 0),
        Place(Audience.PLAYERS, -3, 0),
        Place(Audience.SEVERAL_CHANGES, LONG + 1, 0),
    ]
    tasks: dict[int, Any] = {
        number: SimpleNamespace(place=place, ruleset=0, rank=(place.urgency, place.audience, 0, place.claim))
        for number, place in enumerate(places)
    }
    assert _groups(tasks) == [[2], [1], [0], [3]]
    assert _groups(tasks, 1) == [[3], [2], [1], [0]]
    assert _groups(tasks, 3) == [[3], [1], [2], [0]], "others are not long"
