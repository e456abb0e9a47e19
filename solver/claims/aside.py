"""Work done in a forked copy of this process, while it goes on with something else."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


def can_fork() -> bool:
    """Whether this process may have such a copy."""
    forks = "fork" in multiprocessing.get_all_start_methods()
    return forks and not multiprocessing.current_process().daemon


class Aside(Generic[T]):
    """Calls a function in a copy, which ends with the `with` block, and whatever it has started with it.

    What the function gives is sent back, so it must be data; what it raises is raised here.
    """

    def __init__(self, work: Callable[[], T]) -> None:
        context = multiprocessing.get_context("fork")
        self._receiver, sender = context.Pipe(duplex=False)
        self._copy = context.Process(target=_work, args=(work, sender))
        self._copy.start()
        sender.close()

    def done(self) -> bool:
        """Whether there is something to fetch."""
        return self._receiver.poll()

    def wait(self, seconds: float) -> None:
        """Wait until there is something to fetch, no longer than this."""
        self._receiver.poll(max(0.0, seconds))

    def result(self, seconds: float) -> T | None:
        """What the function gave; none if it took longer than this."""
        if not self._receiver.poll(max(0.0, seconds)):
            return None
        try:
            found, raised = self._receiver.recv()
        except EOFError:
            return None
        if raised is not None:
            raise raised
        given: T = found
        return given

    def __enter__(self) -> Aside[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._copy.pid is not None
        if self._copy.is_alive():
            try:
                os.killpg(self._copy.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has not made its group yet, or is gone
                self._copy.kill()
        self._copy.join()
        self._receiver.close()


def _work(work: Callable[[], T], sender: Connection) -> None:
    """Do the work in a group of its own: an interrupt is for the first process, which ends this one."""
    os.setsid()
    try:
        sender.send((work(), None))
    except Exception as error:
        sender.send((None, error))
