"""Many inputs in several processes, each of which is renewed now and then; resumable.

Inputs come in batches of `BATCH`. A worker tells its parent how each input went, so an input that
ends its process, or hangs past its own alarm, is named, and another worker goes on behind it. A batch counts
when it is whole.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from . import corpus, inputs, running
from .running import Failure

BATCH = 200


@dataclass
class Tally:
    """The results of inputs: the number of each kind, and failures by the name of the input (`kind/number`).

    `work` and `slowest` are in seconds of processor time.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failure] = field(default_factory=dict)
    work: float = 0.0
    slowest: float = 0.0
    slowest_input: str = ""

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return self.kinds.total()

    def count(self, name: str, failure: Failure | None, spent: float) -> None:
        """Enter one input."""
        self.kinds[name.split("/", maxsplit=1)[0]] += 1
        self.work += spent
        if spent > self.slowest:
            self.slowest, self.slowest_input = spent, name
        if failure is not None:
            self.failures[name] = failure

    def add(self, other: Tally) -> None:
        """Enter all of another tally."""
        self.kinds += other.kinds
        self.failures |= other.failures
        self.work += other.work
        if other.slowest > self.slowest:
            self.slowest, self.slowest_input = other.slowest, other.slowest_input


@dataclass
class Campaign:
    """A campaign by its seed: what was done so far."""

    base: str
    tally: Tally = field(default_factory=Tally)
    batches: set[int] = field(default_factory=set)
    """The numbers of the batches that are whole."""

    def write(self, file: Path) -> None:
        """Keep it, to go on from."""
        failures = {name: asdict(failure) for name, failure in self.tally.failures.items()}
        tally = {**vars(self.tally), "kinds": dict(self.tally.kinds), "failures": failures}
        data = {"base": self.base, "tally": tally, "batches": sorted(self.batches)}
        aside = file.with_suffix(".new")
        aside.write_text(json.dumps(data), "utf-8")
        aside.replace(file)

    @classmethod
    def read(cls, file: Path) -> Campaign:
        """A campaign that was kept."""
        data: dict[str, Any] = json.loads(file.read_text("utf-8"))
        tally = data["tally"]
        failures = {name: Failure(**failure) for name, failure in tally.pop("failures").items()}
        kinds = Counter(tally.pop("kinds"))
        return cls(data["base"], Tally(kinds, failures, **tally), set(data["batches"]))

    def run(
        self,
        total: int,
        jobs: int,
        finished: Callable[[Campaign], None] = lambda _: None,
        seconds: float = running.SECONDS,
    ) -> None:
        """Run batches until they hold `total` inputs, in `jobs` processes; `finished` hears of each batch."""
        warm()
        waiting = [b for b in range(-(-total // BATCH)) if b not in self.batches]
        workers: dict[Connection, _Worker] = {}
        try:
            while waiting or workers:
                while waiting and len(workers) < jobs:
                    number = waiting.pop(0)
                    last = min((number + 1) * BATCH, total)
                    worker = _Worker(self.base, number, number * BATCH, last, seconds)
                    workers[worker.pipe] = worker
                for pipe in wait(list(workers), timeout=1):
                    workers[pipe].hear()  # type: ignore[index]
                for pipe, worker in list(workers.items()):
                    if worker.deaf:
                        worker.lose(Failure("hang", "its process had to be ended from outside"))
                    if worker.ended:
                        del workers[pipe]
                        if worker.at < worker.last:
                            again = worker.successor()
                            workers[again.pipe] = again
                        else:
                            self.tally.add(worker.tally)
                            self.batches.add(worker.number)
                            finished(self)
        finally:
            for worker in workers.values():
                worker.kill()


def name_of(base: str, number: int) -> str:
    """The input of this number in a campaign."""
    return f"{inputs.drawn(random.Random(f'{base}/{number}'))}/{base}-{number}"


def warm() -> None:
    """Load once all that workers need, before they are forked."""
    corpus.formal(random.Random(0))
    for load in (corpus.rulesets, corpus.large, corpus.variants, corpus.records, corpus.stores, corpus.maps):
        load()
    for argv in (
        ["check", "nim", "--again"],
        ["simulate", "nim", "--games", "1", "--jobs", "1", "--no-store"],
    ):
        running.run(inputs.Input(argv), seconds=600)


class _Worker:
    """A process that runs the inputs `at` to `last` of a batch, and what became of them."""

    def __init__(
        self, base: str, number: int, at: int, last: int, seconds: float, tally: Tally | None = None
    ) -> None:
        self.number, self.at, self.last = number, at, last
        self.tally = tally or Tally()
        self.ended = False
        self._base, self._seconds = base, seconds
        self._since = time.monotonic()
        self.pipe, its = multiprocessing.Pipe(duplex=False)
        fork = multiprocessing.get_context("fork")
        self._process = fork.Process(target=_work, args=(base, at, last, seconds, its))
        self._process.start()
        its.close()

    def successor(self) -> _Worker:
        """A worker for the rest of the batch."""
        return _Worker(self._base, self.number, self.at, self.last, self._seconds, self.tally)

    def hear(self) -> None:
        """Take a message: how an input went, or that the process has ended."""
        try:
            failure, spent = self.pipe.recv()
        except EOFError:
            self._process.join()
            if self.at < self.last:
                self.lose(Failure("death", f"its process ended with {self._process.exitcode}"))
            self.ended = True
            return
        self._count(failure, spent)

    def lose(self, failure: Failure) -> None:
        """Give the process up, with the input that it is at."""
        self.kill()
        self._count(failure, 0.0)
        self.ended = True

    def _count(self, failure: Failure | None, spent: float) -> None:
        self.tally.count(name_of(self._base, self.at), failure, spent)
        self.at += 1
        self._since = time.monotonic()

    @property
    def deaf(self) -> bool:
        """True if an input takes so long that not even its alarm has ended it."""
        wall = time.monotonic() - self._since
        return not self.ended and wall > 30 * self._seconds

    def kill(self) -> None:
        """End the process at once."""
        if self._process.pid is not None and self._process.is_alive():
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()


def _work(base: str, first: int, last: int, seconds: float, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running.limit()
    for number in range(first, last):
        kind, rest = name_of(base, number).split("/", 1)
        started = time.process_time()
        failure = running.run(inputs.made(kind, rest), seconds)
        pipe.send((failure, time.process_time() - started))
    pipe.close()
