"""Work cut into parts: what a part costs where it is done, on the way, and where its result is judged.

The first two tables count processor seconds, which other work on the machine disturbs less than the clock;
the third needs a machine that does nothing else.
"""

from __future__ import annotations

import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest import mock

from rulespec.budgets import ChildDied, OutOfBudget
from rulespec.budgets.processes import descendants
from rulespec.executors import Executor, Processes, Rules, Task
from rulespec.executors.cluster import Cluster
from rulespec.executors.helpers import read_result, write_request
from rulespec.executors.plain import WIRE
from rulespec.play.face import load
from rulespec.simulation.database import Database, Stretch
from rulespec.simulation.run import simulate
from rulespec.simulation.task import GamesTask
from rulespec.solver.claims import deal
from rulespec.solver.claims.answers import Answers, Deal, DealAnswer
from rulespec.solver.claims.deal_batches import DealBatchTask
from rulespec.solver.claims.deal_batches import Stretch as Deals
from rulespec.solver.claims.spreading import QuestionPart, QuestionTask

from .peers import has
from .report import Table

MEMORY = 4_000
WORKERS = (1, 2, 4)

PARTS = (
    "Processor seconds for a part of some kinds of work: to do it (with its forked processes), and for its "
    "result to be read, judged and kept by the machine that gave it out; the bytes of the request and of the "
    "answer, in JSON; all of them means. The last column says how many cores elsewhere one core keeps busy "
    "that reads, judges and keeps what they answer: the ratio of both, without what is spent on the way."
)
WAY = (
    "Processor milliseconds for a part that does next to nothing (one game of tic-tac-toe), through a Dask "
    "scheduler and a worker with its helper on this machine: of the client with the scheduler, and of the "
    "worker with the helper."
)
SPEED = (
    "Seconds of the clock for the same work by 1, 2 and 4 processes, each way begun anew for each number: "
    "processes of this machine, and workers of a Dask cluster on it. Only true where nothing else runs."
)


GAMES = (
    ("tic-tac-toe", "random", 50_000),
    ("breakthrough", "random", 20_000),
    ("pig", "random", 20_000),
    ("connect-four", "search:100", 2),
)
"""Rulesets, how they are played, and how many games are one part."""


@dataclass(frozen=True)
class Work:
    """A kind of work: a task, some of its parts, and where their results are kept."""

    name: str
    task: Task[Any, Any]
    parts: Sequence[Any]
    keep: Callable[[Any, Any], None]


def measure(tiny: bool = False) -> Iterator[Table]:
    """What parts cost, and what they cost on the way where Dask is installed."""
    columns = ["part", "to do (s)", "request (B)", "answer (B)", "judge and keep (s)", "cores"]
    table = Table("Parts of work", PARTS, columns)
    with _own_folder() as folder:
        for work in _works(folder, tiny):
            table.rows.append(_row(work))
    yield table
    if has("distributed") and not tiny:
        yield _way(400)


def measure_speed(tiny: bool = False) -> Iterator[Table]:
    """How the clock speeds up with processes."""
    columns = ["work", *(f"{n} here" for n in WORKERS), *(f"{n} on a cluster" for n in WORKERS)]
    table = Table("Speed by processes", SPEED, columns)
    games = 4 if tiny else 1_000

    def play(executor: Executor) -> None:
        simulate("connect-four", games, policy="search:10", seed=1, executor=executor, database=False)

    def decide(executor: Executor) -> None:
        found = load("sacred-alignment-small").core
        rules = Rules.of(found, "sacred-alignment-small")
        parts = (_deal(rules, "zero-cheat", seed) for seed in range(4 if tiny else 400))
        assert all(
            not isinstance(r, OutOfBudget | ChildDied)
            for _, r in executor.results(QuestionTask(MEMORY, 60.0), parts)
        )

    for name, work in {
        f"{games:,} games of connect four by search": play,
        "deals of the small ziggurat": decide,
    }.items():
        here = [_seconds(work, Processes(number)) for number in WORKERS]
        there = []
        for number in WORKERS if has("distributed") else ():
            with _cluster(number) as executor:
                there.append(_seconds(work, executor))
        cells = [f"{seconds:.1f}" for seconds in [*here, *there]]
        table.rows.append([name, *cells, *["–"] * (len(columns) - 1 - len(cells))])
    yield table


def _works(folder: Path, tiny: bool) -> Iterator[Work]:
    for name, policy, games in GAMES[:1] if tiny else GAMES:
        size = 1 if tiny else games
        parts = [Stretch(size * number, size) for number in range(1 if tiny else 3)]
        yield _games(folder, name, policy, parts)
    for name, claim, seeds in (
        ("sacred-alignment-small", "zero-cheat", 20),
        ("sacred-alignment", "zero-cheat", 8),
    ):
        yield _deals(folder, name, claim, 1 if tiny else seeds)
        if tiny:
            return
    small = load("sacred-alignment-small").core
    batches = DealBatchTask(
        Rules.of(small, "sacred-alignment-small"), "share-of-all-without-cheating", MEMORY
    )
    stretches = [Deals(first, first + 5_000) for first in (0, 200_000, 400_000)]
    yield Work("5,000 of all deals of the small ziggurat", batches, stretches, lambda part, result: None)


def _games(folder: Path, name: str, policy: str, parts: Sequence[Stretch]) -> Work:
    game = load(name)
    policies = [policy] * len(game.players)
    task = GamesTask(Rules.of(game.core, name), policies, "1", 10_000, None, MEMORY, game)
    scored = game.players if game.core.outcome.score is not None else ()
    kept = Database(folder / f"{name}.sqlite", {"ruleset": name}, scored, [*game.core.actions])
    return Work(
        f"{parts[0].games:,} games of {name}, {policy}", task, parts, lambda part, batch: kept.put(batch)
    )


def _deals(folder: Path, name: str, claim: str, seeds: int) -> Work:
    game = load(name).core
    rules, task = Rules.of(game, name), QuestionTask(MEMORY, 60.0)
    kept = Answers.open(game, game.claims[claim], rules, folder / f"{name}-deals.sqlite")

    def keep(part: QuestionPart, reply: Any) -> None:
        chance = tuple(part.chance or ())
        kept.put(DealAnswer(Deal(part.name), chance, reply.verdict, reply.records), task.budget())

    return Work(
        f"a deal of {name}, {claim}", task, [_deal(rules, claim, seed) for seed in range(seeds)], keep
    )


def _deal(rules: Rules, claim: str, seed: int) -> QuestionPart:
    return QuestionPart(str(seed), rules, claim, chance=deal(rules.game(), seed))


def _row(work: Work) -> list[str]:
    first = work.parts[0]
    work.task.judge(
        first, work.task.perform(first)
    )  # which writes code; the first batch is always played again
    done, asked, answered, judged = [], [], [], []
    for part in work.parts:
        began = _processor()
        result = work.task.perform(part)
        done.append(_processor() - began)
        asked.append(len(write_request(work.task, part)))
        answer = json.dumps({"result": WIRE.encode(result)})
        answered.append(len(answer))
        began = _processor()
        work.keep(part, work.task.judge(part, read_result(work.task, json.loads(answer)["result"])))
        judged.append(_processor() - began)
    ratio = sum(done) / max(sum(judged), 1e-9)
    sizes = [f"{fmean(column):,.0f}" for column in (asked, answered)]
    return [
        work.name,
        f"{fmean(done):.3f}",
        *sizes,
        f"{fmean(judged):.4f}",
        f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}",
    ]


def _processor() -> float:
    """Processor seconds of this process and of its processes that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _way(parts: int) -> Table:
    game = load("tic-tac-toe")
    task = GamesTask(Rules.of(game.core, "tic-tac-toe"), ["random"] * 2, "1", 10_000, None, MEMORY, game)

    def elsewhere() -> float:
        ticks = 0
        for process in descendants(os.getpid())[1:]:
            with suppress(OSError):  # it has ended meanwhile
                text = Path(f"/proc/{process}/stat").read_text("ascii", "replace")
                ticks += sum(map(int, text.rpartition(")")[2].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    with _cluster(1) as executor:
        [*executor.results(task, [Stretch(0, 1)])]  # begins the helper
        before, began = elsewhere(), time.process_time()
        assert len([*executor.results(task, (Stretch(number, 1) for number in range(parts)))]) == parts
        here, there = time.process_time() - began, elsewhere() - before
    table = Table("Parts on the way", WAY, ["parts", "client and scheduler (ms)", "worker and helper (ms)"])
    table.rows.append([f"{parts:,}", f"{1000 * here / parts:.1f}", f"{1000 * there / parts:.1f}"])
    return table


def _seconds(work: Callable[[Executor], None], executor: Executor) -> float:
    began = time.monotonic()
    work(executor)
    return time.monotonic() - began


@contextmanager
def _cluster(workers: int) -> Iterator[Cluster]:
    """A Dask cluster of so many worker processes with a thread each."""
    from distributed import LocalCluster

    with tempfile.TemporaryDirectory() as folder:
        options = {"dashboard_address": None, "local_directory": folder, "memory_limit": 0}
        with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, **options) as local:
            yield Cluster(str(local.scheduler_address))


@contextmanager
def _own_folder() -> Iterator[Path]:
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, RULESPEC_CACHE=f"{folder}/cache"),
    ):
        yield Path(folder)
