"""Many things tried in several processes, each of which is renewed now and then; resumable.

Things come in batches, each with a number from which it is made again. A worker tells its parent how each
went, so one that ends its process, or hangs past its own alarm, is named, and another worker goes on behind
it. A batch counts when it is whole.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, ClassVar, TypeVar


@dataclass
class Failure:
    """A failure: `kind` in a word, `text` with the particulars."""

    kind: str
    text: str


@dataclass(frozen=True)
class Went:
    """The result of one trial: its counts, other figures, and its failures by name."""

    counts: Mapping[str, int]
    failures: Mapping[str, Failure] = field(default_factory=dict)
    beside: Mapping[str, int] = field(default_factory=dict)


@dataclass
class Tally:
    """The sum of many results: counts, other figures `beside`, and the failures by name.

    `work` and `slowest` are in seconds of processor time.
    """

    counts: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failure] = field(default_factory=dict)
    work: float = 0.0
    slowest: float = 0.0
    slowest_name: str = ""

    @property
    def total(self) -> int:
        """The sum of the counts."""
        return self.counts.total()

    def count(self, name: str, went: Went, spent: float) -> None:
        """Enter one thing."""
        figures = Counter(went.counts), Counter(went.beside), dict(went.failures)
        self.add(Tally(*figures, spent, spent, name))

    def add(self, other: Tally) -> None:
        """Enter all of another tally."""
        self.counts += other.counts
        self.beside += other.beside
        self.failures |= other.failures
        self.work += other.work
        if other.slowest > self.slowest:
            self.slowest, self.slowest_name = other.slowest, other.slowest_name


Some = TypeVar("Some", bound="Campaign")


@dataclass
class Campaign(ABC):
    """A campaign by its seed: what was done so far."""

    base: str
    tally: Tally = field(default_factory=Tally)
    batches: set[int] = field(default_factory=set)
    """The numbers of the batches that are whole."""

    BATCH: ClassVar[int]
    """The number of trials of one process."""
    SECONDS: ClassVar[float]
    """Of processor time that one of them may take."""

    @abstractmethod
    def name_of(self, number: int) -> str:
        """The thing of this number."""

    @abstractmethod
    def try_one(self, name: str) -> Went:
        """Try one thing, in a worker."""

    def warm(self) -> None:  # noqa: B027
        """Load once all that workers need, before they are forked."""

    def limit(self) -> None:  # noqa: B027
        """Bound what a worker may take."""

    def write(self, file: Path) -> None:
        """Keep it, to go on from."""
        failures = {name: asdict(failure) for name, failure in self.tally.failures.items()}
        figures = {"counts": dict(self.tally.counts), "beside": dict(self.tally.beside)}
        tally = {**vars(self.tally), **figures, "failures": failures}
        data = {"base": self.base, "tally": tally, "batches": sorted(self.batches)}
        aside = file.with_suffix(".new")
        aside.write_text(json.dumps(data), "utf-8")
        aside.replace(file)

    @classmethod
    def read(cls: type[Some], file: Path) -> Some:
        """A campaign that was kept."""
        data: dict[str, Any] = json.loads(file.read_text("utf-8"))
        tally = data["tally"]
        failures = {name: Failure(**failure) for name, failure in tally.pop("failures").items()}
        counts, beside = (Counter(tally.pop(name)) for name in ("counts", "beside"))
        return cls(data["base"], Tally(counts, beside, failures, **tally), set(data["batches"]))

    def _waiting(self, total: int) -> Iterator[tuple[int, int, int]]:
        """Batches that are not whole yet, while less than `total` was counted: number, first and last."""
        number = 0
        while self.tally.total < total:
            if number not in self.batches:
                yield number, number * self.BATCH, (number + 1) * self.BATCH
            number += 1

    def run(self, total: int, jobs: int, finished: Callable[[Any], None] = lambda _: None) -> None:
        """Run batches until `total` were counted, in `jobs` processes; `finished` hears of each batch."""
        self.warm()
        waiting, more = self._waiting(total), True
        workers: dict[Connection, _Worker] = {}
        try:
            while more or workers:
                while more and len(workers) < jobs:
                    batch = next(waiting, None)
                    more = batch is not None
                    if batch is not None:
                        worker = _Worker(self, *batch)
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


class _Worker:
    """A process that tries the things `at` to `last` of a batch, and what became of them."""

    def __init__(
        self, campaign: Campaign, number: int, at: int, last: int, tally: Tally | None = None
    ) -> None:
        self.number, self.at, self.last = number, at, last
        self.tally = tally or Tally()
        self.ended = False
        self._campaign = campaign
        self._since = time.monotonic()
        self.pipe, its = multiprocessing.Pipe(duplex=False)
        fork = multiprocessing.get_context("fork")
        self._process = fork.Process(target=_work, args=(campaign, at, last, its))
        self._process.start()
        its.close()

    def successor(self) -> _Worker:
        """A worker for the rest of the batch."""
        return _Worker(self._campaign, self.number, self.at, self.last, self.tally)

    def hear(self) -> None:
        """Take a message: how a thing went, or that the process has ended."""
        try:
            went, spent = self.pipe.recv()
        except EOFError:
            self._process.join()
            if self.at < self.last:
                self.lose(Failure("death", f"its process ended with {self._process.exitcode}"))
            self.ended = True
            return
        self._count(went, spent)

    def lose(self, failure: Failure) -> None:
        """Give the process up, with the thing that it is at."""
        self.kill()
        name = self._campaign.name_of(self.at)
        self._count(Went({name.split("/", maxsplit=1)[0]: 1}, {name: failure}), 0.0)
        self.ended = True

    def _count(self, went: Went, spent: float) -> None:
        self.tally.count(self._campaign.name_of(self.at), went, spent)
        self.at += 1
        self._since = time.monotonic()

    @property
    def deaf(self) -> bool:
        """True if a trial takes so long that even its alarm does not end it."""
        wall = time.monotonic() - self._since
        return not self.ended and wall > 30 * self._campaign.SECONDS

    def kill(self) -> None:
        """End the process at once."""
        if self._process.pid is not None and self._process.is_alive():
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()


def _work(campaign: Campaign, first: int, last: int, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    campaign.limit()
    for number in range(first, last):
        started = time.process_time()
        went = campaign.try_one(campaign.name_of(number))
        pipe.send((went, time.process_time() - started))
    pipe.close()
