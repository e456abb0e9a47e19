"""Claims whose deals or readings an executor decides: the same verdicts as one after the other."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from texts import COINS, RULED

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.verdicts import Store, Verdict
from rulespec.executors import Executor, Processes, RejectedResult, Rules
from rulespec.executors.helpers import read_result, write_request
from rulespec.executors.plain import WIRE
from rulespec.executors.tasks import JUDGING
from rulespec.language import load
from rulespec.solver.claims import Scope, prove, recheck
from rulespec.solver.claims.deal_batches import BatchResult, DealBatchTask, Stretch
from rulespec.solver.claims.spreading import QuestionPart, QuestionTask
from rulespec.solver.claims.worker import Reply
from rulespec.solver.methods import all_deals

OF_DEALS = ("share", "share-low", "share-first-two", "never-two", "not-always-two")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def coins(tmp_path: Path) -> str:
    (tmp_path / "coins.yaml").write_text(COINS)
    return str(tmp_path / "coins.yaml")


@pytest.fixture
def ruled(tmp_path: Path) -> str:
    (tmp_path / "ruled.yaml").write_text(RULED)
    return str(tmp_path / "ruled.yaml")


def said(verdicts: list[Verdict]) -> list[tuple[Any, ...]]:
    """What verdicts say, in an order that does not depend on which fell first."""
    found = [(v.claim, dict(v.readings), v.outcome, dict(v.numbers), v.notes) for v in verdicts]
    return sorted(found, key=repr)


def decided(path: str, executor: Executor | None, **more: Any) -> list[Verdict]:
    return prove(partial(load, path), timeout=60, executor=executor, ruleset=path, **more)


def test_deals_are_decided_alike_by_processes(coins: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_deals, "BATCH", 5)
    store = Store()
    spread = decided(coins, Processes(2), claims=OF_DEALS, store=store)
    alone = decided(coins, None, claims=OF_DEALS)
    assert said(spread) == said(alone)
    assert {v.claim: v.evidence for v in spread} == {v.claim: v.evidence for v in alone}
    assert all(check.passed for check in recheck(store, lambda **settings: load(coins), timeout=60))


def test_readings_are_decided_alike_by_processes(ruled: str) -> None:
    store = Store()
    spread = decided(ruled, Processes(2), scope=Scope.ALL, store=store)
    assert said(spread) == said(decided(ruled, None, scope=Scope.ALL))
    assert len({v.outcome for v in spread if v.claim == "never-stuck" and v.readings}) == 2
    checks = recheck(store, partial(load, ruled), timeout=60)
    assert all(check.passed for check in checks), [c.text for c in checks if not c.passed]


class Nobody:
    """An executor that must not be asked."""

    part_seconds = 1.0

    def at_once(self) -> int:
        return 1

    def results(self, task: Any, parts: Any) -> Any:
        assert not [*parts], "everything is kept"
        return iter(())


def test_answers_to_deals_are_gone_on_with(coins: str) -> None:
    """Of two processes one may find the exception before the other has had the time for an earlier deal."""
    claims = ("share", "share-low", "never-two")
    first = decided(coins, Processes(1), claims=claims)
    assert said(decided(coins, Nobody(), claims=claims)) == said(first)


def test_what_a_whole_budget_cut_short_is_asked_again(coins: str) -> None:
    none = prove(partial(load, coins), ["share"], timeout=1e-9, executor=Processes(1), ruleset=coins)
    assert none[0].outcome == "undecided"
    assert decided(coins, Processes(1), claims=["share"])[0].numbers["held"] == 12


# ---- what other machines answer


@pytest.fixture
def batches(coins: str) -> DealBatchTask:
    return DealBatchTask(Rules.of(load(coins), coins), "share-low", 4000, whole=Budget(60.0))


def test_letters_of_a_batch_are_those_that_plays_and_verdicts_show(batches: DealBatchTask) -> None:
    whole = Stretch(0, 24)
    true = batches.perform(whole)
    data = WIRE.encode(true)
    assert batches.judge(whole, read_result(batches, data)).letters == true.letters
    flipped = data | {"letters": true.letters.translate(str.maketrans("yn", "ny"))}
    assert batches.judge(whole, read_result(batches, flipped)).letters == true.letters
    no_plays = batches.judge(whole, read_result(batches, data | {"plays": []})).letters
    assert no_plays == true.letters.replace("y", "?"), "what no play shows is open"
    no_verdicts = batches.judge(whole, read_result(batches, data | {"alone": []})).letters
    assert no_verdicts == true.letters.replace("n", "?"), "what no verdict shows is open"


def test_a_batch_that_there_was_no_time_to_judge_is_not_left_open(batches: DealBatchTask) -> None:
    whole = Stretch(0, 24)
    true = batches.perform(whole)
    with pytest.raises(OutOfBudget):
        replace(batches, whole=Budget(0.0)).judge(whole, true)


def test_batches_of_another_form_and_false_verdicts_are_rejected(batches: DealBatchTask) -> None:
    whole = Stretch(0, 24)
    true = batches.perform(whole)
    data = WIRE.encode(true)
    for change in ({"plays": [["first"]]}, {"letters": 3}, {"alone": [[0, {}]]}, {"more": 1}):
        with pytest.raises(RejectedResult):
            read_result(batches, data | change)
    at, reply = next(iter(true.alone.items()))
    other = next(place for place in range(24) if true.letters[place] == "y")
    false = replace(reply.verdict, outcome="proved", numbers={"plies": 1})
    with pytest.raises(RejectedResult, match="too large"):
        batches.judge(whole, BatchResult(true.letters, [[2**63]], true.alone))
    for alone in ({at: Reply(false, reply.records)}, {24: reply}, {other: reply}):
        with pytest.raises(RejectedResult):
            batches.judge(whole, BatchResult(true.letters, true.plays, alone))


def test_a_verdict_of_another_machine_is_about_what_was_asked(coins: str) -> None:
    game = load(coins)
    task, rules = QuestionTask(4000, 20.0), Rules.of(game, coins)
    chance = ("[1, 2, 3, 4]",)

    def part(claim: str) -> QuestionPart:
        return QuestionPart("0", rules, claim, chance=chance)

    reply = task.perform(part("anything"))
    assert task.judge(part("anything"), reply) == reply
    with pytest.raises(RejectedResult, match="about the claim"):
        task.judge(part("no-one"), reply)
    for change in ({"game": "0" * 64}, {"players": 2}, {"readings": {"a": "b"}}, {"evidence": ()}):
        with pytest.raises(RejectedResult):
            task.judge(part("anything"), replace(reply, verdict=replace(reply.verdict, **change)))
    with pytest.raises(RejectedResult):
        task.judge(part("anything"), replace(reply, records={}))


def test_judging_has_a_time_of_its_own(coins: str) -> None:
    """What a worker found at the end of its time was not seen here in as much again."""
    part = QuestionPart("0", Rules.of(load(coins), coins), "anything", chance=("[1, 2, 3, 4]",))
    whole = Budget(1000.0)
    task = QuestionTask(4000, 20.0, whole)
    asked, judged = (json.loads(write_request(task, part, *more))["seconds"] for more in ((), ({},)))
    assert asked == pytest.approx(20.0, abs=1.0)
    assert judged == pytest.approx(JUDGING * 20.0, abs=1.0)
    short = QuestionTask(4000, 20.0, Budget(30.0))
    assert json.loads(write_request(short, part, {}))["seconds"] <= 30.0, "the limit of the call holds"
