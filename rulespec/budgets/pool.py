"""A pool of workers: each request has a budget, and all workers share one limit of memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import wait
from typing import TypeVar

from .budget import Budget
from .children import WATCH, Died, Done, Failed, Listener, Serve, Worker, can_fork, ignore
from .memory import ANY_AMOUNT, OutOfBudget, memory_of

Q = TypeVar("Q")
R = TypeVar("R")


def map_unordered(
    serve: Serve[Q, R],
    requests: Iterable[Q],
    jobs: int,
    budget: Callable[[], Budget],
    listener: Listener = ignore,
) -> Iterator[tuple[Q, R | OutOfBudget | Died]]:
    """Yield each request with its result, as results arrive, `jobs` requests running in parallel.

    OutOfBudget replaces the result if the request overran the budget that `budget()` gave when it began,
    Died if its process ended by itself. Requests are consumed as workers become free; messages of all
    workers go to `listener`. Raises the exceptions of `serve`. Closing the iterator kills the workers.
    """
    if not can_fork():
        one: Worker[Q, R] = Worker(serve)
        for request in requests:
            try:
                yield request, one.ask(request, budget(), listener)
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
            for worker, result in _finished(running, listener):
                request, _ = running.pop(worker)
                idle.append(worker)
                yield request, result
    finally:
        for worker in [*running, *idle]:
            worker.end()


def _finished(
    running: dict[Worker[Q, R], tuple[Q, Budget]], listener: Listener
) -> list[tuple[Worker[Q, R], R | OutOfBudget | Died]]:
    """The workers that have finished, with their results, after waiting up to `WATCH` seconds for one."""
    wait([worker.pipe for worker in running if worker.pipe is not None], WATCH)
    finished: list[tuple[Worker[Q, R], R | OutOfBudget | Died]] = []
    for worker in running:
        try:
            outcome = worker.outcome(listener)
        except (OutOfBudget, Died) as out:
            worker.end()
            finished.append((worker, out))
            continue
        if isinstance(outcome, Failed):
            raise outcome.error
        if isinstance(outcome, Done):
            finished.append((worker, outcome.result))
    return finished or _too_large(running)


def _too_large(
    running: dict[Worker[Q, R], tuple[Q, Budget]],
) -> list[tuple[Worker[Q, R], R | OutOfBudget | Died]]:
    """Kill the largest worker if all together exceed the limit of memory; the worker with OutOfBudget."""
    limit = min(budget.memory for _, budget in running.values())
    if limit >= ANY_AMOUNT:
        return []
    of = {worker: worker.processes for worker in running}
    if memory_of([os.getpid(), *(p for processes in of.values() for p in processes)], limit) <= limit:
        return []
    largest = max(running, key=lambda worker: memory_of(of[worker], 0))
    largest.end()
    return [(largest, OutOfBudget(f"the limit of {limit} MB"))]
