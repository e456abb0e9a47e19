"""Several workers at once, each request held to its budget and all of them to one limit of memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import wait
from typing import TypeVar

from .budget import Budget
from .children import WATCH, Died, Done, Failed, Hear, Serve, Worker, can_fork, unheard
from .memory import ANY_AMOUNT, OutOfBudget, memory_of

Q = TypeVar("Q")
R = TypeVar("R")


def at_once(
    serve: Serve[Q, R],
    requests: Iterable[Q],
    jobs: int,
    budget: Callable[[], Budget],
    hear: Hear = unheard,
) -> Iterator[tuple[Q, R | OutOfBudget | Died]]:
    """Each request with its result, in the order in which they are done, `jobs` at a time.

    In place of a result stands OutOfBudget where the request overran the budget that it had when it was
    taken, or Died where its copy ended by itself. Requests are taken as there is room for them; what is told
    on the way is heard, whoever tells it. Raises what `serve` raises. Whoever stops listening stops the work.
    """
    if not can_fork():
        one: Worker[Q, R] = Worker(serve)
        for request in requests:
            try:
                yield request, one.ask(request, budget(), hear)
            except OutOfBudget as out:
                yield request, out
        return
    waiting, idle = iter(requests), [Worker(serve) for _ in range(jobs)]
    running: dict[Worker[Q, R], tuple[Q, Budget]] = {}
    try:
        while True:
            for request in islice(waiting, len(idle)):
                worker, allowed = idle.pop(), budget()
                running[worker] = request, allowed
                worker.begin(request, allowed)
            if not running:
                return
            for worker, result in _settled(running, hear):
                request, _ = running.pop(worker)
                idle.append(worker)
                yield request, result
    finally:
        for worker in [*running, *idle]:
            worker.end()


def _settled(
    running: dict[Worker[Q, R], tuple[Q, Budget]], hear: Hear
) -> list[tuple[Worker[Q, R], R | OutOfBudget | Died]]:
    """The workers that are done by now, with their results, after a moment's wait."""
    wait([worker.pipe for worker in running if worker.pipe is not None], WATCH)
    found: list[tuple[Worker[Q, R], R | OutOfBudget | Died]] = []
    for worker in running:
        try:
            outcome = worker.outcome(hear)
        except (OutOfBudget, Died) as out:
            worker.end()
            found.append((worker, out))
            continue
        if isinstance(outcome, Failed):
            raise outcome.error
        if isinstance(outcome, Done):
            found.append((worker, outcome.result))
    return found or _too_large(running)


def _too_large(
    running: dict[Worker[Q, R], tuple[Q, Budget]],
) -> list[tuple[Worker[Q, R], R | OutOfBudget | Died]]:
    """The largest worker, which is ended, where all together hold more than they may."""
    limit = min(budget.memory for _, budget in running.values())
    if limit >= ANY_AMOUNT:
        return []
    of = {worker: worker.processes for worker in running}
    if memory_of([os.getpid(), *(p for processes in of.values() for p in processes)], limit) <= limit:
        return []
    largest = max(running, key=lambda worker: memory_of(of[worker], 0))
    largest.end()
    return [(largest, OutOfBudget(f"the limit of {limit} MB"))]
