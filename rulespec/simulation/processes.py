"""Work spread over processes of this machine that hold the caller's objects already, being forked."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as watched
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Died(Exception):
    """A process ended before its work was done, killed perhaps; `tasks` were given out and have no result."""

    def __init__(self, tasks: list[Any]) -> None:
        super().__init__(f"a process ended before its work was done, {len(tasks)} tasks having no result")
        self.tasks = tasks


def can_fork() -> bool:
    """Whether this machine has processes of that kind."""
    return "fork" in multiprocessing.get_all_start_methods()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_once(work: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Iterator[tuple[T, R]]:
    """Each task with its result, in the order in which they are done, `jobs` at a time.

    A task is taken when there is room for it, not before. Whatever stops the caller stops the processes, and
    so does the end of the caller's process. Raises what `work` raises, and Died.
    """
    others = set(multiprocessing.active_children())
    waiting = iter(tasks)
    running: dict[Future[R], T] = {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _begin, (work,)) as pool:
        try:
            while True:
                while len(running) <= jobs and (found := next(waiting, None)) is not None:
                    running[pool.submit(_work, found)] = found
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                results = [(running[future], future.result()) for future in done]
                for future in done:
                    del running[future]
                yield from results
        except BrokenProcessPool:
            raise Died([*running.values()]) from None
        except BaseException:  # an interrupt, most likely: nobody waits for work that takes long
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
            raise


_works: list[Callable[[Any], Any]] = []
"""In a process of a pool: what it does."""


def _begin(work: Callable[[Any], Any]) -> None:
    _works.append(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is told once, by the first process
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    watched([parent.sentinel])
    os._exit(1)


def _work(task: Any) -> Any:
    return _works[0](task)
