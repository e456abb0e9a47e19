"""A pool of workers: each request has a budget, and all workers share one limit of memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import wait
from typing import TypeVar

from .budget import Budget
from .children import WATCH, ChildDied, ChildFailure, ChildResult, Listener, Serve, Worker, can_fork, ignore
from .memory import ANY_AMOUNT, OutOfBudget, memory_of

Q = TypeVar("Q")
R = TypeVar("R")


def map_unordered(
    serve: Serve[Q, R],
    requests: Iterable[Q],
    jobs: int,
    budget: Callable[[], Budget],
    listener: Listener = ignore,
    following: Callable[[Q], Q | None] = lambda request: None,
) -> Iterator[tuple[Q, R | OutOfBudget | ChildDied]]:
    """Yield each request with its result, as results arrive, `jobs` requests running in parallel.

    OutOfBudget replaces the result if the request overran the budget that `budget()` gave when it began,
    ChildDied if its process ended by itself. Requests are consumed as workers become free; messages of all
    workers go to `listener`. The worker of a request serves the one that is `following` it, if any, before
    others, so that its process can use again what it has computed.

    If the workers together take more than the memory of a budget, the largest is killed, its request waits,
    and from then on fewer run in parallel; one that takes as much alone has overrun its budget. Raises the
    exceptions of `serve`. Closing the iterator kills the workers.
    """
    if not can_fork():
        one: Worker[Q, R] = Worker(serve)
        for first in requests:
            request: Q | None = first
            while request is not None:
                try:
                    yield request, one.ask(request, budget(), listener)
                except OutOfBudget as out:
                    yield request, out
                request = following(request)
        return
    again, rest, idle = deque[Q](), iter(requests), [Worker(serve) for _ in range(jobs)]
    running: dict[Worker[Q, R], tuple[Q, Budget]] = {}

    def begin(worker: Worker[Q, R], request: Q) -> None:
        running[worker] = request, budget()
        worker.begin(*running[worker])

    def go_on(worker: Worker[Q, R], served: Q) -> None:
        request = following(served)
        idle.append(worker) if request is None else begin(worker, request)

    try:
        while True:
            while idle and (again or (more := [*islice(rest, 1)])):
                begin(idle.pop(), again.popleft() if again else more[0])
            if not running:
                return
            finished = _finished_workers(running, listener)
            for worker, result in finished:
                request, _ = running.pop(worker)
                go_on(worker, request)
                yield request, result
            if not finished and (large := _too_large(running)) is not None:
                large.end()
                request, allowed = running.pop(large)
                if running:
                    again.append(request)
                else:
                    go_on(large, request)
                    yield request, OutOfBudget(allowed.memory_limit)
    finally:
        for worker in [*running, *idle]:
            worker.end()


def _finished_workers(
    running: dict[Worker[Q, R], tuple[Q, Budget]], listener: Listener
) -> list[tuple[Worker[Q, R], R | OutOfBudget | ChildDied]]:
    """The workers that have finished, with their results, after waiting up to `WATCH` seconds for one."""
    wait([worker.pipe for worker in running if worker.pipe is not None], WATCH)
    finished: list[tuple[Worker[Q, R], R | OutOfBudget | ChildDied]] = []
    for worker in running:
        try:
            outcome = worker.outcome(listener)
        except (OutOfBudget, ChildDied) as out:
            worker.end()
            finished.append((worker, out))
            continue
        if isinstance(outcome, ChildFailure):
            raise outcome.error
        if isinstance(outcome, ChildResult):
            finished.append((worker, outcome.result))
    return finished


def _too_large(running: dict[Worker[Q, R], tuple[Q, Budget]]) -> Worker[Q, R] | None:
    """The largest worker, if all together exceed the limit of memory."""
    limit = min(budget.memory for _, budget in running.values())
    if limit >= ANY_AMOUNT:
        return None
    of = {worker: worker.processes for worker in running}
    if memory_of([os.getpid(), *(p for processes in of.values() for p in processes)], limit) <= limit:
        return None
    return max(running, key=lambda worker: memory_of(of[worker], 0))
