"""A pool of workers: each request has a budget, and all workers share one limit of memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf
from multiprocessing.connection import wait
from typing import TypeVar

from .budget import Budget
from .children import WATCH, ChildDied, ChildFailure, ChildResult, Listener, Serve, Worker, can_fork, ignore
from .memory import ANY_AMOUNT, OutOfBudget, memory_of

HOLDS = 0.5
"""The share of its part of the memory that a worker may hold between requests: what it has computed is worth
less than room for the next."""

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

    If the workers together take more than the memory of a budget, the largest is killed, and its request
    waits for another worker. Such a request is not killed again: others beside it are, each at most once, and
    wait until it has been served. One that takes as much alone has overrun its budget. A worker that holds
    much memory after a request is replaced (see `HOLDS`). Raises the exceptions of `serve`. Closing the
    iterator kills the workers.
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
    rest, idle = iter(requests), [Worker(serve) for _ in range(jobs)]
    again, resting = deque[Q](), list[Worker[Q, R]]()  # requests whose workers were killed, and these
    running: dict[Worker[Q, R], tuple[Q, Budget]] = {}
    repeating = set[Worker[Q, R]]()  # at most one

    def begin(worker: Worker[Q, R], request: Q) -> None:
        running[worker] = request, budget()
        worker.begin(*running[worker])

    def go_on(worker: Worker[Q, R], served: Q) -> None:
        repeating.discard(worker)
        request = following(served)
        idle.append(worker) if request is None else begin(worker, request)

    try:
        while True:
            if repeating or not again:
                idle += resting
                resting.clear()
            while idle and ((large_one := again and not repeating) or (more := [*islice(rest, 1)])):
                worker = idle.pop()
                if large_one:
                    repeating.add(worker)
                begin(worker, again.popleft() if large_one else more[0])
            if not running:
                return
            finished = _finished_workers(running, listener)
            for worker, result in finished:
                request, allowed = running.pop(worker)
                if _holds_much(worker, allowed, jobs):
                    worker.end()
                go_on(worker, request)
                yield request, result
            if not finished and (large := _too_large(running, repeating)) is not None:
                large.end()
                request, allowed = running.pop(large)
                if running:
                    again.append(request)
                    (idle if repeating else resting).append(large)
                else:
                    go_on(large, request)
                    yield request, OutOfBudget(allowed.memory_limit)
    finally:
        for worker in [*running, *idle]:
            worker.end()


def _holds_much(worker: Worker[Q, R], allowed: Budget, jobs: int) -> bool:
    """True if a worker holds more memory after a request, beyond that of this process, than it may."""
    if allowed.memory >= ANY_AMOUNT:
        return False
    return memory_of(worker.processes, inf) - memory_of([os.getpid()], inf) > HOLDS * allowed.memory / jobs


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
            if not isinstance(outcome.error, OutOfBudget):
                raise outcome.error
            finished.append((worker, outcome.error))
        if isinstance(outcome, ChildResult):
            finished.append((worker, outcome.result))
    return finished


def _too_large(
    running: dict[Worker[Q, R], tuple[Q, Budget]], repeating: set[Worker[Q, R]]
) -> Worker[Q, R] | None:
    """The largest worker if all together exceed the memory limit, else None; one that repeats a request only
    if it is alone."""
    limit = min(budget.memory for _, budget in running.values())
    if limit >= ANY_AMOUNT:
        return None
    of = {worker: worker.processes for worker in running}
    if memory_of([os.getpid(), *(p for processes in of.values() for p in processes)], limit) <= limit:
        return None
    return max(running, key=lambda worker: (worker not in repeating, memory_of(of[worker], 0)))
