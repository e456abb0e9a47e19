"""The comparison with the frozen table tells every difference apart; the frozen claims cover every kind."""

from __future__ import annotations

import gzip
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from answering import numbers_of, wins

from benchmarks.__main__ import main
from benchmarks.frozen import claims, trees, verdicts
from benchmarks.frozen.answers import Answer, Change, compare
from rulespec.core.verdicts import Evidence, Store, Verdict
from rulespec.language import home


def verdict(
    claim: str, outcome: str, kind: str = "best", evidence: Sequence[Evidence] = (), **numbers: int
) -> Verdict:
    """A verdict of some game on a claim."""
    proofs = tuple(evidence)
    numbers, options = numbers or numbers_of(kind, outcome), {"sense": "most"} if kind == "best" else {}
    return Verdict(
        "game", claim, kind, outcome, proofs, "search", 1.0, "a" * 64, "b" * 64, 2, options, numbers=numbers
    )


def sample(total: int) -> Verdict:
    """A verdict on a share of random plays."""
    data = {"games": 100, "seed": 1, "total": total, "squares": total}
    return verdict("c", "estimated", "estimate", [Evidence("sample", data)], total=total)


PAIRS: Mapping[str, tuple[Verdict, Verdict, Change]] = {
    "more positions": (
        verdict("c", "proved", "invariant", states=5),
        verdict("c", "proved", "invariant", states=7),
        Change.SAME,
    ),
    "a longer play": (
        verdict("c", "proved", "reachable", plies=5),
        verdict("c", "proved", "reachable", plies=7),
        Change.SAME,
    ),
    "settled at last": (verdict("c", "undecided"), verdict("c", "proved", value=3), Change.STRONGER),
    "undecided again": (verdict("c", "proved", value=3), verdict("c", "undecided"), Change.WEAKER),
    "proof becomes refutation": (verdict("c", "proved"), verdict("c", "refuted"), Change.CONTRADICTING),
    "another value": (
        verdict("c", "proved", value=3),
        verdict("c", "proved", value=4),
        Change.CONTRADICTING,
    ),
    "a value lost": (verdict("c", "proved", value=3), verdict("c", "bounded", at_most=3), Change.WEAKER),
    "a value outside the bounds": (
        verdict("c", "bounded", at_most=14),
        verdict("c", "proved", value=15),
        Change.CONTRADICTING,
    ),
    "a value within the bounds": (
        verdict("c", "bounded", at_most=14),
        verdict("c", "proved", value=14),
        Change.STRONGER,
    ),
    "a tighter bound": (
        verdict("c", "bounded", at_most=14),
        verdict("c", "bounded", at_most=13),
        Change.STRONGER,
    ),
    "one bound for another": (
        verdict("c", "bounded", at_most=14),
        verdict("c", "bounded", at_least=2),
        Change.WEAKER,
    ),
    "less depth": (
        verdict("c", "bounded", "invariant", plies=9),
        verdict("c", "bounded", "invariant", plies=8),
        Change.WEAKER,
    ),
    "a failure within the depth": (
        verdict("c", "bounded", "invariant", plies=9),
        verdict("c", "refuted", "invariant", plies=9),
        Change.CONTRADICTING,
    ),
    "a failure past the depth": (
        verdict("c", "bounded", "invariant", plies=9),
        verdict("c", "refuted", "invariant", plies=10),
        Change.STRONGER,
    ),
    "ends later": (
        verdict("c", "proved", "terminates", plies=9),
        verdict("c", "proved", "terminates", plies=12),
        Change.WEAKER,
    ),
    "another fraction": (
        verdict("c", "proved", "expected", [Evidence("fraction", {"is": "1/18"})]),
        verdict("c", "proved", "expected", [Evidence("fraction", {"is": "1/17"})]),
        Change.CONTRADICTING,
    ),
    "one seat fewer": (
        verdict("c", "proved", "winnable", wins(2)),
        verdict("c", "bounded", "winnable", wins(1)),
        Change.WEAKER,
    ),
    "no longer the shortest": (
        verdict("c", "proved", "reachable", [Evidence("play", {"shortest": True})], plies=5),
        verdict("c", "proved", "reachable", plies=5),
        Change.WEAKER,
    ),
    "another sample that agrees": (
        sample(50),
        sample(55),
        Change.SAME,
    ),
    "another sample that does not": (
        sample(50),
        sample(95),
        Change.CONTRADICTING,
    ),
    "more of the same deals": (
        verdict("c", "estimated", "share_of_deals", deals=10, held=4, failed=3),
        verdict("c", "estimated", "share_of_deals", deals=10, held=5, failed=3),
        Change.STRONGER,
    ),
    "other answers to the same deals": (
        verdict("c", "estimated", "share_of_deals", deals=10, held=4, failed=6),
        verdict("c", "estimated", "share_of_deals", deals=10, held=6, failed=4),
        Change.CONTRADICTING,
    ),
}


@pytest.mark.parametrize("what", PAIRS)
def test_each_change_is_told_apart(what: str) -> None:
    before, now, change = PAIRS[what]
    assert compare(Answer.of(before), Answer.of(now)) is change
    backwards = {Change.STRONGER: Change.WEAKER, Change.WEAKER: Change.STRONGER}
    if what != "one bound for another":
        assert compare(Answer.of(now), Answer.of(before)) is backwards.get(change, change)


def test_a_row_of_the_table_gives_the_answer_back() -> None:
    for before, now, _ in PAIRS.values():
        for one in (Answer.of(before), Answer.of(now)):
            assert Answer.from_row(one.to_row()) == one


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """A folder with the store of a small game, and its frozen table beside it."""
    folder = tmp_path / "rulesets"
    (folder / "game").mkdir(parents=True)
    put(folder, verdict("kept", "proved"), verdict("open", "undecided"), verdict("lost", "refuted"))
    assert frozen(folder, "--write") == 0
    return folder


def put(folder: Path, *stored: Verdict) -> None:
    Store(stored).write(folder / "game" / "verdicts.json.gz")


def frozen(folder: Path, *options: str) -> int:
    return main(["frozen", "--rulesets", str(folder), "--table", str(folder.parent / "table.gz"), *options])


def test_equal_and_stronger_stores_pass(stores: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert frozen(stores) == 0
    put(stores, verdict("kept", "proved"), verdict("open", "proved"), verdict("lost", "refuted"))
    assert frozen(stores) == 0
    assert "->" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("now", "line"),
    [
        (
            [verdict("kept", "proved"), verdict("open", "undecided")],
            "missing: game lost (players=2): refuted -> none",
        ),
        ([verdict("lost", "undecided")], "weaker: game lost (players=2): refuted -> undecided"),
        ([verdict("kept", "refuted")], "contradicting: game kept (players=2): proved, value 1 -> refuted"),
        ([verdict("more", "proved")], "new: game more (players=2): none -> proved, value 1"),
        (
            [replace(verdict("lost", "undecided"), game="c" * 64)],
            "weaker: game lost (players=2): refuted -> undecided; the rules or the claim have changed",
        ),
    ],
)
def test_each_loss_is_listed_and_fails(
    stores: Path, capsys: pytest.CaptureFixture[str], now: list[Verdict], line: str
) -> None:
    put(stores, *now)
    assert frozen(stores) == 1
    assert line in capsys.readouterr().out.splitlines()


def test_a_table_is_replaced_only_if_that_is_asked_for(stores: Path) -> None:
    table = stores.parent / "table.gz"
    before = table.read_bytes()
    put(stores, verdict("kept", "refuted"))
    with pytest.raises(SystemExit):
        frozen(stores, "--write")
    with pytest.raises(SystemExit):
        frozen(stores, "--overwrite")
    assert table.read_bytes() == before
    assert frozen(stores, "--write", "--overwrite") == 0
    assert table.read_bytes() != before
    assert frozen(stores) == 0


def test_the_table_is_written_the_same_again(tmp_path: Path) -> None:
    again = tmp_path / "again.gz"
    verdicts.write_table(again, verdicts.read_table(verdicts.TABLE).values())
    assert gzip.decompress(again.read_bytes()) == gzip.decompress(verdicts.TABLE.read_bytes())


def test_the_frozen_claims_are_of_every_kind_and_family() -> None:
    asked = claims.questions()
    assert len({q.digest for q in asked}) == len(asked)
    table = verdicts.read_table(verdicts.TABLE).values()
    kinds = {(a.ruleset, a.claim): a.kind for a in table}
    covered = {kinds[q.ruleset, q.claim] for q in asked if (q.ruleset, q.claim) in kinds}
    # Those two kinds are asked under one reading, and of fewer deals, in files beside the list.
    assert covered | {"never_falls", "share_of_deals"} == set(kinds.values())
    assert {"one-reading", "goal-kept"} <= {q.ruleset for q in asked}
    families = {path.parent.name for path in home().rglob("ruleset.yaml")}
    assert {"sacred-alignment", "leistiko", "smith", "stout"} <= families
    names = {q.ruleset for q in asked}
    assert all(any(f"{name}-".startswith(f"{family}-") for name in names) for family in families)


@pytest.mark.skipif(sys.platform != "linux", reason="work is counted there")
def test_claims_are_measured_and_not_measured_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "BUILD", tmp_path / "build")
    state, page = tmp_path / "runs.jsonl", tmp_path / "page.md"
    command = ["claims", "--only", "nim", "--state", str(state), "--write", str(page)]
    assert main(command) == 0
    first = state.read_text("utf-8")
    assert "| nim first-wins | proved, value 1 |" in page.read_text("utf-8")
    assert main(command) == 0
    assert state.read_text("utf-8") == first
    assert capsys.readouterr().err.count("round 1") == 1
    shutil.rmtree(tmp_path / "build")


def test_a_tree_that_changes_while_it_is_measured_is_refused() -> None:
    tree = trees.present()
    tree.verify()
    with pytest.raises(RuntimeError, match="has changed while it was measured"):
        replace(tree, digest="another").verify()


@pytest.mark.skipif(sys.platform != "linux", reason="work is counted there")
def test_a_call_without_a_verdict_fails_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "BUILD", tmp_path / "build")
    monkeypatch.setattr(claims, "questions", lambda: [claims.Question("nim", "no-such-claim", 1.0)])
    assert main(["claims", "--state", str(tmp_path / "runs.jsonl")]) == 1
    assert "failed: nim no-such-claim: " in capsys.readouterr().out


def run(tree: str, outcome: str, work: float) -> claims.Run:
    answer = Answer.of(verdict("c", outcome))
    return claims.Run(tree, "q", 1, work, work, [answer.to_row()])


def test_two_revisions_are_compared_by_work_and_answers(tmp_path: Path) -> None:
    here, there = (trees.Tree(tmp_path, name, Path(sys.executable), name) for name in ("now", "then"))
    question = claims.Question("game", "c", 1.0)
    runs = [
        {question.digest: [run("now", "undecided", 3.0)]},
        {question.digest: [run("then", "proved", 2.0)]},
    ]
    table = claims.two_table([here, there], [question], runs)
    assert table.rows[0] == ["game c", "2.00", "3.00", "1.50", "weaker"]
    assert table.rows[-1][-1] == "1 of 1 slower"
