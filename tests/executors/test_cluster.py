"""Work on a Dask cluster whose workers are killed, have other rules or another program, or lie."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from clusters import CERTIFIED, LocalCluster
from processes import ends, marked
from texts import COINS, HEAPS, RULED

from rulespec.budgets import ChildDied
from rulespec.cli import main
from rulespec.core.verdicts import Verdict
from rulespec.executors import (
    Executor,
    NoCluster,
    OtherProgram,
    OtherRules,
    PartFailed,
    Processes,
    RejectedResult,
    cluster,
)
from rulespec.executors.cluster import Cluster
from rulespec.executors.helpers import read_result
from rulespec.executors.plain import WIRE
from rulespec.language import load
from rulespec.simulation import run
from rulespec.simulation.run import simulate
from rulespec.solver.claims import prove
from rulespec.solver.claims.worker import deal as dealt
from rulespec.solver.methods import all_deals
from rulespec.solver.surveys import recheck, survey

pytest.importorskip("distributed", reason="rulespec[dask] is not installed")

DEALS = 30
MARK = "RULESPEC_TEST_CLUSTER"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers begin in their time, on a busy machine, too."""
    monkeypatch.setattr(cluster, "PATIENCE", 180.0)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A cluster whose workers come and go."""
    folder = tmp_path_factory.mktemp("cluster")
    local = LocalCluster(folder, 0, **{MARK: str(folder)})
    yield local
    local.close()


@pytest.fixture
def empty(scheduler: LocalCluster) -> Iterator[LocalCluster]:
    """A cluster without a worker; those of the test end with it."""
    scheduler.dismiss()
    yield scheduler
    scheduler.dismiss()


@pytest.fixture
def dask(scheduler: LocalCluster) -> LocalCluster:
    """A cluster of two workers, which a test may kill; those that live serve the next test, too."""
    alive = [worker for worker in scheduler.workers if worker.poll() is None]
    scheduler.workers[:] = [*alive, *(scheduler.add() for _ in range(2 - len(alive)))]
    return scheduler


@pytest.fixture
def heaps(tmp_path: Path) -> str:
    (tmp_path / "heaps.yaml").write_text(HEAPS)
    return str(tmp_path / "heaps.yaml")


def test_a_survey_loses_nothing_with_a_worker(heaps: str, dask: LocalCluster, tmp_path: Path) -> None:
    file, done = tmp_path / "answers.sqlite", list[int]()

    def kill(number: int, deals: int, words: str) -> None:
        done.append(number)
        if number == DEALS // 2:
            dask.kill(0)

    found = survey(heaps, DEALS, "three", executor=Cluster(dask.address), database=file, progress=kill)
    assert dask.workers[1].poll() is None
    assert done == [*range(DEALS + 1)], "each deal was answered once"
    game = load(heaps)
    assert [row.outcome == "proved" for row in found.rows] == [
        3 <= int(dealt(game, seed)[0]) <= 6 for seed in range(DEALS)
    ]
    assert all(one.passed for one in recheck(file, 5, jobs=1))
    helpers = [number for number in marked(f"{MARK}={dask.folder}") if number != dask.scheduler.pid]
    assert len(helpers) > 1, "a worker, and its helper"
    dask.dismiss()
    assert all(ends(process) for process in helpers), "helpers end with their workers"


@pytest.mark.parametrize("claim", ["three", "fewest"])
def test_a_survey_gives_the_answers_of_one_process(
    heaps: str, dask: LocalCluster, tmp_path: Path, claim: str
) -> None:
    """Deals came back undecided that one process refutes at once: the judge of this machine had no time."""
    answers: list[list[tuple[str, str, int | None]]] = []
    for number, executor in enumerate((Processes(1), Cluster(dask.address))):
        done = list[int]()
        found = survey(
            heaps, 12, claim, executor=executor, database=tmp_path / f"{number}.sqlite",
            progress=lambda number, deals, words, done=done: done.append(number),
        )  # fmt: skip
        assert done == [*range(13)], "each deal was decided once"
        answers.append([(row.deal, row.outcome, row.value) for row in found.rows])
    assert answers[0] == answers[1]
    assert {outcome for _, outcome, _ in answers[0]} >= {"proved"}


def test_what_was_kept_before_all_workers_ended_is_gone_on_with(
    heaps: str, dask: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.sqlite"

    def kill(number: int, deals: int, words: str) -> None:
        if number == 10:
            dask.kill(0)
            dask.kill(1)
            monkeypatch.setattr(cluster, "PATIENCE", 2.0)

    with pytest.raises(NoCluster, match="no workers"):
        survey(heaps, DEALS, "three", executor=Cluster(dask.address), database=file, progress=kill)
    with sqlite3.connect(file) as db:
        before = db.execute("SELECT rowid, deal, verdict FROM deals ORDER BY 1").fetchall()
    assert 10 <= len(before) < DEALS
    dask.workers.append(dask.add())
    monkeypatch.setattr(cluster, "PATIENCE", 180.0)
    found = survey(heaps, DEALS, "three", executor=Cluster(dask.address), database=file)
    assert len(found.rows) == DEALS and found.undecided_deals == ()
    with sqlite3.connect(file) as db:
        after = db.execute("SELECT rowid, deal, verdict FROM deals ORDER BY 1").fetchall()
    assert after[: len(before)] == before, "nothing was asked twice"


def test_a_scheduler_that_ends_leaves_what_was_kept(
    heaps: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, dask = tmp_path / "answers.sqlite", LocalCluster(tmp_path, 1)

    def kill(number: int, deals: int, words: str) -> None:
        if number == 10:
            dask.scheduler.kill()
            monkeypatch.setattr(cluster, "PATIENCE", 2.0)

    try:
        with pytest.raises(NoCluster, match=r"went away|no workers"):
            survey(heaps, 400, "three", executor=Cluster(dask.address), database=file, progress=kill)
    finally:
        dask.close()
    with sqlite3.connect(file) as db:
        rows = db.execute("SELECT outcome, count(*) FROM deals GROUP BY 1").fetchall()
    assert {outcome for outcome, _ in rows} == {"proved", "refuted"}, "nobody's death is an answer"
    assert sum(count for _, count in rows) >= 10


def test_games_are_the_same_with_a_worker_less(
    dask: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "TRIAL", 1e-9)  # the first game alone is played here, on a fast machine too
    monkeypatch.setattr(run, "ALONE", 0.0)
    monkeypatch.setattr(run, "MOST_GAMES", 50)
    games, file, seen = 2000, tmp_path / "games.sqlite", list[int]()

    def kill(number: int, games: int, words: str) -> None:
        seen.append(number)
        if dask.workers[0].poll() is None and number > 1000:
            dask.kill(0)

    found = simulate("hex", games, seed=3, executor=Cluster(dask.address), database=file, progress=kill)
    assert dask.workers[0].poll() is not None
    assert found == simulate("hex", games, seed=3, jobs=1, database=False)
    assert found == simulate("hex", games, seed=3, jobs=1, database=file), "all of them were kept"
    assert len(seen) > 30, "it was cut into parts"


def said(verdicts: list[Verdict]) -> list[str]:
    """What verdicts say, in an order that does not depend on which fell first."""
    return sorted(repr((v.claim, v.readings, v.outcome, v.numbers, v.evidence)) for v in verdicts)


def test_claims_about_deals_are_the_same_with_a_worker_less(
    dask: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_deals, "BATCH", 8)
    path, words = tmp_path / "coins.yaml", list[str]()
    path.write_text(COINS)

    def kill(text: str) -> None:
        words.append(text)
        if text.startswith("deals ") and dask.workers[0].poll() is None:
            dask.kill(0)

    def decided(executor: Executor | None) -> list[Verdict]:
        loader = partial(load, str(path))
        return prove(loader, ["share-low"], timeout=1000, executor=executor, ruleset=str(path), progress=kill)

    spread = decided(Cluster(dask.address))
    assert dask.workers[0].poll() is not None
    assert sum(text.startswith("deals ") for text in words) == 3, "each batch was taken once"
    monkeypatch.setattr(all_deals, "BATCH", 24)
    assert said(spread) == said(decided(None))


def test_readings_are_the_same_on_a_cluster(dask: LocalCluster, tmp_path: Path) -> None:
    path = tmp_path / "ruled.yaml"
    path.write_text(RULED)

    def decided(executor: Executor | None) -> list[Verdict]:
        loader = partial(load, str(path))
        return prove(loader, ["never-stuck"], timeout=100, executor=executor, ruleset=str(path))

    spread = decided(Cluster(dask.address))
    assert len(spread) == 6
    assert said(spread) == said(decided(None))


LIAR = """\
import sys
if "rulespec.cli.helping" in sys.orig_argv:
    from rulespec.executors import helpers
    honest = helpers._serving
    def lying(task):
        serve = honest(task)
        def lie(request, send):
            data = serve(request, send)
            if request[1] is None:
                {lie}
            return data
        return lie
    helpers._serving = lying
"""
"""A module that makes a helper change its results, though its program is ours."""
OTHERWISE = (
    "o = data['verdict']['verdict']; o['outcome'] = {'proved': 'refuted', 'refuted': 'proved'}[o['outcome']]"
)
LONGER = "o = data['outcomes']; o['plies'] = [plies + 1 for plies in o['plies']]"


class Liar:
    """Performs parts in this process and changes their results, as if another machine had sent them."""

    part_seconds = 2.0

    def __init__(self, lie: str) -> None:
        self.lie = lie

    def at_once(self) -> int:
        return 1

    def results(self, task: Any, parts: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        for part in parts:
            data = json.loads(json.dumps(WIRE.encode(task.perform(part))))
            exec(self.lie, {"data": data, "o": data.get("outcomes")})  # noqa: S102 - written here
            try:
                yield part, task.judge(part, read_result(task, data))
            except RejectedResult as why:
                yield part, ChildDied(str(why))


def liar(where: str, lie: str, dask: LocalCluster, folder: Path) -> Executor:
    """An executor that lies: a worker of the cluster with a changed program, or in this process."""
    if where == "here":
        return Liar(lie)
    (folder / "sitecustomize.py").write_text(LIAR.replace("{lie}", lie))
    dask.workers.append(dask.add(str(folder)))
    return Cluster(dask.address)


@pytest.mark.parametrize(
    ("where", "lie", "left_open"),
    [
        ("a worker", OTHERWISE, 6),
        ("here", "data['records'] = {}", 2),
        ("here", "data['verdict']['verdict']['evidence'] = []", 6),
    ],
)
def test_a_worker_that_lies_makes_no_verdict(
    heaps: str, empty: LocalCluster, where: str, lie: str, left_open: int, tmp_path: Path
) -> None:
    file = tmp_path / "answers.sqlite"
    found = survey(heaps, 6, "three", executor=liar(where, lie, empty, tmp_path), database=file)
    held = [3 <= int(dealt(load(heaps), seed)[0]) <= 6 for seed in range(6)]
    right = ["proved" if holds else "refuted" for holds in held]
    assert all(row.outcome in ("undecided", true) for row, true in zip(found.rows, right, strict=True))
    assert len(found.undecided_deals) == left_open, "those whose evidence does not show it"
    with sqlite3.connect(file) as db:
        verdicts = [json.loads(text) for (text,) in db.execute("SELECT verdict FROM deals")]
    assert all(not verdict["evidence"] for verdict in verdicts if verdict["outcome"] == "undecided")


@pytest.mark.parametrize(
    ("where", "lie", "words"),
    [
        ("a worker", LONGER, "goes otherwise here"),
        ("here", "o['games'] = [games + 1 for games in o['games']]", "no batch of these games"),
        ("here", "o['winners'] = ['somebody'] * len(o['winners'])", "no batch of these games"),
        ("here", "o['plies'] = ['many'] * len(o['plies'])", "no result of this work"),
        ("here", "o['example'].pop()", "no batch of these games"),
        ("here", "del o['scores']", "no result of this work"),
    ],
)
def test_games_of_a_worker_that_lies_are_not_kept(
    empty: LocalCluster, where: str, lie: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "TRIAL", 1e-9)  # the first game alone is played here, on a fast machine too
    monkeypatch.setattr(run, "ALONE", 0.0)
    monkeypatch.setattr(run, "MOST_GAMES", 200)
    file, games = tmp_path / "games.sqlite", 2000
    with pytest.raises(PartFailed, match=words):
        simulate("hex", games, seed=3, executor=liar(where, lie, empty, tmp_path), database=file)
    honest = simulate("hex", games, seed=3, jobs=1, database=file)
    assert honest == simulate("hex", games, seed=3, jobs=1, database=False), "what was kept is true"


def test_workers_with_other_rules_are_refused(heaps: str, dask: LocalCluster, tmp_path: Path) -> None:
    def change(number: int, deals: int, words: str) -> None:
        Path(heaps).write_text(HEAPS.replace("1..8", "1..7"))

    file = tmp_path / "answers.sqlite"
    with pytest.raises(OtherRules, match="other rules"):
        survey(heaps, 3, "three", executor=Cluster(dask.address), database=file, progress=change)


def test_workers_with_another_program_are_refused(
    heaps: str, dask: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulespec.executors.helpers.program", lambda: "of yesterday")
    with pytest.raises(OtherProgram, match="another version"):
        survey(heaps, 3, "three", executor=Cluster(dask.address), database=tmp_path / "answers.sqlite")


def test_connections_are_secured_as_dask_is_configured(
    heaps: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import dask

    folder = tmp_path / "cluster"
    folder.mkdir()
    local = LocalCluster(folder, 1, secured=True)
    asked = ["survey", heaps, "--deals", "3", "--database", str(tmp_path / "answers.sqlite"), "--on"]
    asked.append(local.address.replace("tls://", "dask+tls://"))
    try:
        assert local.address.startswith("tls://")
        assert main(asked) == 2
        assert "Dask's configuration names no certificates" in capsys.readouterr().err
        with dask.config.set({**CERTIFIED, "distributed.comm.tls.client.cert": str(tmp_path / "none.pem")}):
            assert main(asked) == 2
        assert "cannot be used" in capsys.readouterr().err
        with pytest.raises(NoCluster, match="no Dask scheduler answers"):
            Cluster(local.address.replace("tls://", "tcp://")).at_once()
        with dask.config.set(CERTIFIED):
            assert main(asked) == 0
    finally:
        local.close()


def test_an_address_where_nobody_is(
    monkeypatch: pytest.MonkeyPatch, heaps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    assert main(["survey", heaps, "--deals", "2", "--on", "dask://127.0.0.1:9"]) == 2
    assert "no Dask scheduler answers" in capsys.readouterr().err
    assert main(["survey", heaps, "--on", "tcp://127.0.0.1:9"]) == 2
    assert "--on is dask://HOST:PORT" in capsys.readouterr().err
