"""A survey handed to a Dask scheduler with two workers on this machine, one of which is killed half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from texts import HEAPS

from rulespec.language import load
from solver.claims.worker import deal as dealt
from solver.surveys import recheck, survey
from solver.surveys.dask import DaskExecutor, NoCluster
from solver.surveys.questions import OtherRules

pytest.importorskip("distributed", reason="rulespec[dask] is not installed")

ROOT = Path(__file__).resolve().parents[3]
DEALS = 60


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ruleset, in which the cluster runs."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "heaps.yaml").write_text(HEAPS)
    return folder


Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def start(home: Path) -> Iterator[Start]:
    """Starts a part of the cluster; all of them are stopped in the end."""
    running: list[subprocess.Popen[bytes]] = []
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def started(module: str, *options: str) -> subprocess.Popen[bytes]:
        file = str(home / "scheduler.json")
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", file, *options]
        with (home / f"{module}.log").open("ab") as log:
            part = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)
        running.append(part)
        return part

    yield started
    for part in running:
        part.kill()
        part.wait()


@pytest.fixture(scope="module")
def cluster(home: Path, start: Start) -> tuple[str, list[subprocess.Popen[bytes]]]:
    """The address of a scheduler, and its two workers."""
    import json

    start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
    file = home / "scheduler.json"
    for _ in range(600):
        if file.exists() and file.read_text():
            break
        time.sleep(0.05)
    address = json.loads(file.read_text())["address"]
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    workers = [start("dask_worker", *options, "--local-directory", str(home / f"w{i}")) for i in (1, 2)]
    return address.replace("tcp://", "dask://"), workers


def test_a_worker_that_is_killed_costs_nothing(
    home: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, workers = cluster
    heaps, file = str(home / "heaps.yaml"), home / "answers.sqlite"
    done: list[int] = []

    def kill(number: int, deals: int, words: str) -> None:
        done.append(number)
        if number == DEALS // 2:
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()

    found = survey(heaps, DEALS, "three", executor=DaskExecutor(address), database=file, progress=kill)
    assert workers[0].returncode == -signal.SIGKILL and workers[1].poll() is None
    assert done == [*range(DEALS + 1)], "each deal was answered once"
    game = load(heaps)
    held = [3 <= int(dealt(game, seed)[0]) <= 6 for seed in range(DEALS)]
    assert [row.outcome == "proved" for row in found.rows] == held
    assert all(one.passed for one in recheck(file, 5, jobs=1))


def test_workers_with_other_rules_are_refused(
    home: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, _ = cluster
    own = home / "own"
    own.mkdir()
    (own / "heaps.yaml").write_text(HEAPS)
    # The workers run in `home`, where the same relative path leads to another file.
    (home / "more").mkdir()
    (own / "more").mkdir()
    (home / "more" / "heaps.yaml").write_text(HEAPS.replace("1..8", "1..7"))
    (own / "more" / "heaps.yaml").write_text(HEAPS)
    before = Path.cwd()
    os.chdir(own)
    try:
        with pytest.raises(OtherRules, match="other rules"):
            survey("more/heaps.yaml", 3, "three", executor=DaskExecutor(address), database=own / "a.sqlite")
    finally:
        os.chdir(before)


def test_an_address_where_nobody_is(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr("solver.surveys.dask.PATIENCE", 0.3)
    heaps, nobody = str(home / "heaps.yaml"), DaskExecutor("dask://127.0.0.1:9")
    with pytest.raises(NoCluster, match="no Dask scheduler"):
        survey(heaps, 2, "three", executor=nobody, database=home / "b.sqlite")
