"""Stored verdicts decided anew: from nothing, once, in an order in which helpers come first, and compared."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from answering import numbers_of

from benchmarks.__main__ import main
from benchmarks.calls import Journal
from benchmarks.frozen import reproving, verdicts
from benchmarks.frozen.reproving import Question, Run
from rulespec.core.verdicts import Store, beside
from rulespec.language import home, load, locate

NAME = "kuhn-poker"
ASKED = ("ends", "worth")


def asked_of(name: str, claims: Sequence[str]) -> list[Question]:
    return reproving.questions(home(), [name], claims)[name]


def test_settings_are_decided_in_parallel_and_claims_that_help_before_others() -> None:
    asked = [(question, 1.0) for question in asked_of("leistiko-small", [])]
    units = reproving.by_setting(asked)
    assert sum(map(len, units)) == len(asked)
    assert len(units) == len({question.key[2] for question, _ in asked}) > 2
    for unit in units:
        assert len({question.key[2] for question, _ in unit}) == 1
        assert unit == [one for one in asked if one in unit]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has decided two verdicts of a small ruleset, with a frozen table of them."""
    folder = tmp_path_factory.mktemp("proofs")
    frozen = verdicts.read_table(verdicts.TABLE).values()
    table = [a for a in frozen if a.ruleset == NAME and a.claim in ASKED]
    verdicts.write_table(folder / "table.gz", table)
    assert reprove(folder) == 0
    return folder


def reprove(folder: Path, *options: str) -> int:
    claims = [f"--claim={claim}" for claim in ASKED]
    where = ["--folder", str(folder), "--table", str(folder / "table.gz")]
    return main(["reprove", NAME, *claims, *where, *options])


needs_work = pytest.mark.skipif(sys.platform != "linux", reason="work is counted there")


@needs_work
def test_a_run_decides_from_nothing_and_not_again(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Store.read(beside(finished / "rulesets" / locate(NAME).relative_to(home())))
    assert [v.claim for v in kept] == [*ASKED]
    journal = (finished / "decided.jsonl").read_bytes()
    assert reprove(finished) == 0
    assert (finished / "decided.jsonl").read_bytes() == journal
    out, err = capsys.readouterr()
    assert err == ""
    assert "  all                2     2         0" in out


@needs_work
def test_a_verdict_whose_line_was_cut_off_is_decided_again(finished: Path) -> None:
    journal = finished / "decided.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])
    try:
        run = Run(finished, home(), "now")
        first, second = asked_of(NAME, ASKED)
        assert [q for q, _ in reproving.waiting(run, [first, second], {}, 1)] == [second]
        run.journal.append(json.loads(whole.splitlines()[1]))
        assert reproving.waiting(run, [first, second], {}, 1) == []
        changed = replace(second, verdict=replace(second.verdict, claim_digest="0" * 64))
        assert [q for q, _ in reproving.waiting(run, [first, changed], {}, 1)] == [changed]
    finally:
        journal.write_bytes(whole)


@needs_work
@pytest.mark.parametrize(
    ("outcome", "exact", "status", "line"),
    [
        ("refuted", (), 1, "contradicting: kuhn-poker worth (players=2): refuted -> proved, -1/18"),
        (
            "proved",
            ("1/18",),
            1,
            "contradicting: kuhn-poker worth (players=2): proved, 1/18 -> proved, -1/18",
        ),
        ("undecided", (), 0, "stronger: kuhn-poker worth (players=2): undecided -> proved, -1/18"),
    ],
)
def test_answers_are_compared_with_the_frozen_ones(
    finished: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    outcome: str,
    exact: tuple[str, ...],
    status: int,
    line: str,
) -> None:
    frozen = verdicts.read_table(finished / "table.gz")
    ends, worth = (next(a for a in frozen.values() if a.claim == claim) for claim in ASKED)
    other = tmp_path / "table.gz"
    verdicts.write_table(other, [ends, replace(worth, outcome=outcome, exact=exact)])
    page = tmp_path / "page.md"
    options = ["--compare", "--table", str(other), "--write", str(page)]
    assert reprove(finished, *options) == status
    printed = capsys.readouterr().out.splitlines()
    assert line in printed
    assert ("1 CONTRADICTIONS, 0 FAILURES" in printed) is (status == 1)
    assert f"| all | 2 | 1 | {int(status == 0)} | 0 | {int(status == 1)} | 0 |" in page.read_text("utf-8")


@needs_work
def test_what_says_less_is_decided_again_with_a_longer_limit_only(
    finished: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    frozen = verdicts.read_table(finished / "table.gz")
    key = next(key for key, a in frozen.items() if a.claim == "ends")
    table = {**frozen, key: replace(frozen[key], numbers={"plies": 1})}
    run, both = Run(finished, home(), "now"), asked_of(NAME, ASKED)
    assert reproving.waiting(run, both, table, 1) == []
    assert reproving.waiting(run, both, table, 2) == [(both[0], 2 * reproving.LEAST)]
    verdicts.write_table(tmp_path / "table.gz", table.values())
    assert reprove(finished, "--compare", "--table", str(tmp_path / "table.gz")) == 3
    assert "weaker: kuhn-poker ends (players=2)" in capsys.readouterr().out


def test_rulesets_are_copied_without_stores(tmp_path: Path) -> None:
    run = Run(tmp_path, home(), "now")
    run.prepare()
    copied = {str(path.relative_to(run.copies)) for path in run.copies.rglob("*.yaml")}
    assert copied == {str(path.relative_to(home())) for path in home().rglob("*.yaml")}
    assert not [*run.copies.rglob("*.gz"), *run.copies.rglob("*.xz")]
    assert run.answers() == {}


@needs_work
def test_a_call_without_a_verdict_fails_the_run(tmp_path: Path) -> None:
    run = Run(tmp_path, home(), "now")
    run.prepare()
    question = asked_of(NAME, ASKED)[0]
    wrong = replace(question, verdict=replace(question.verdict, claim="no-such-claim"))
    result = run.decide(wrong, 60)
    assert result.outcome == "failed"
    assert "no claim `no-such-claim`" in result.failure


def test_the_limit_of_a_verdict_is_a_multiple_of_its_seconds() -> None:
    verdict = asked_of(NAME, ASKED)[0].verdict
    for seconds, outcome, limit in [
        (0.1, "proved", 60),
        (100, "refuted", 500),
        (100, "bounded", 200),
        (5000, "undecided", 3600),
    ]:
        numbers = numbers_of("invariant", outcome)
        changes = {"kind": "invariant", "outcome": outcome, "numbers": numbers, "evidence": ()}
        other = replace(verdict, seconds=seconds, **changes)
        question = Question(other, {})
        assert question.limit() == limit
        assert question.limit(3) == 3 * limit


def test_helpers_and_usual_settings_come_first() -> None:
    name = "smith-tiny"
    ours = reproving.questions(home(), [name])[name]
    game = load(name)
    assert [q.verdict.parameters for q in ours if q.verdict.parameters] == [
        q.verdict.parameters for q in ours[-3:]
    ]
    usual = [q.verdict.claim for q in ours if not q.verdict.parameters and not q.verdict.readings]
    for claim in game.claims.values():
        for helper in claim.helped_by:
            if claim.id in usual and helper in usual:
                assert usual.index(helper) < usual.index(claim.id)
    assert all(set(q.readings) == set(game.rulings) for q in ours)


def test_a_journal_goes_on_behind_a_line_that_was_cut_off(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "folder" / "journal.jsonl")
    assert [*journal] == []
    journal.append({"number": 1})
    with journal.path.open("a") as file:
        file.write('{"numb')
    journal.append({"number": 2})
    assert [*journal] == [{"number": 1}, {"number": 2}]
    assert [*Journal(journal.path, afresh=True)] == []
