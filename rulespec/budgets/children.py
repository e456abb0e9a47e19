"""Work done in forked copies of this process, which can be ended at any moment with all that they started."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic, TypeVar

from .budget import Budget, Stopwatch
from .memory import OutOfBudget, held_to, limit_room, memory_of
from .processes import descendants

T = TypeVar("T")
Q = TypeVar("Q")
R = TypeVar("R")

Hear = Callable[[Any], None]
"""Told what is worth hearing before there is a result."""
Serve = Callable[[Q, Hear], R]
"""Gives the result of a request."""

GRACE, GRACE_SHARE = 1.0, 0.1
"""A worker that has spent its time is ended so many seconds later, and this share of its time."""
WATCH = 0.05
"""Seconds between two looks at how much memory workers hold."""
PR_SET_PDEATHSIG = 1


class Died(Exception):
    """A copy ended by itself before its work was done, killed by the system perhaps."""


@dataclass(frozen=True)
class Done(Generic[R]):
    """A result."""

    result: R


@dataclass(frozen=True)
class Failed:
    """An error in place of a result."""

    error: Exception


def unheard(told: Any) -> None:
    """Where nobody listens."""


def can_fork() -> bool:
    """Whether this process may have such a copy."""
    forks = "fork" in multiprocessing.get_all_start_methods()
    return forks and not multiprocessing.current_process().daemon


class Aside(Generic[T]):
    """Calls a function in a copy, which ends with the `with` block, and whatever it has started with it.

    What the function gives is sent back, so it must be data; what it raises is raised here. One that is
    `alone` starts no process of its own, and ends with the copy that started it.
    """

    def __init__(self, work: Callable[[], T], *, alone: bool = False) -> None:
        self.pipe, self._copy = _forked(_once, work, leads=not alone)
        """Where the copy sends to."""

    def done(self) -> bool:
        """Whether there is something to fetch."""
        return self.pipe.poll()

    def wait(self, seconds: float) -> None:
        """Wait until there is something to fetch, no longer than this."""
        self.pipe.poll(max(0.0, seconds))

    def result(self, seconds: float) -> T | None:
        """What the function gave; none if it took longer than this, or died."""
        if not self.pipe.poll(max(0.0, seconds)):
            return None
        try:
            kind, sent = self.pipe.recv()
        except (EOFError, ConnectionError):
            return None
        if kind == "raised":
            raise sent
        given: T = sent
        return given

    def end(self) -> None:
        """End the copy with whatever it has started."""
        _end(self._copy)
        self.pipe.close()

    def __enter__(self) -> Aside[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class Worker(Generic[Q, R]):
    """A copy that answers requests one by one, held to a budget for each.

    `serve` is called in the copy with a request and a function that tells what is worth hearing on the way.
    What it needs besides it has from this process, as it stood when the copy was made; requests, results and
    what is told must be data. Where this process may not fork, `serve` is called here, and only loops that
    ask their budget are held to it.
    """

    def __init__(self, serve: Serve[Q, R]) -> None:
        self._serve = serve
        self._copy: BaseProcess | None = None
        self.pipe: Connection | None = None
        """Where the copy sends to, if there is one."""
        self._budget, self._watch, self._longest = Budget(0.0), Stopwatch(), 0.0

    def ask(self, request: Q, budget: Budget, hear: Hear = unheard) -> R:
        """The result of a request.

        Raises OutOfBudget, which names the limit, where the copy overran and was ended; Died where it ended
        by itself; and what `serve` raises. After the first two the next request goes to a fresh copy.
        """
        if not can_fork():
            with held_to(budget.memory):
                return self._serve(request, hear)
        try:
            self.begin(request, budget)
            while (outcome := self.outcome(hear)) is None:
                assert self.pipe is not None
                wait([self.pipe], min(WATCH, max(0.0, self._longest - self._watch.seconds)))
                if memory_of([os.getpid(), *self.processes], budget.memory) > budget.memory:
                    raise OutOfBudget(budget.memory_limit)
        except BaseException:
            with suppress(Exception):
                self.outcome(hear)  # what was told before the end
            self.end()
            raise
        if isinstance(outcome, Failed):
            raise outcome.error
        return outcome.result

    def begin(self, request: Q, budget: Budget) -> None:
        """Put a request to the copy; see `outcome`."""
        if self._copy is not None and not self._copy.is_alive():
            self.end()
        if self.pipe is None:
            self.pipe, self._copy = _forked(_always, self._serve, budget.memory)
        self._budget, self._watch = budget, Stopwatch()
        self._longest = budget.left + GRACE + GRACE_SHARE * min(budget.left, budget.seconds)
        self.pipe.send(request)

    def outcome(self, hear: Hear = unheard) -> Done[R] | Failed | None:
        """What came of the request; none while nothing has. OutOfBudget where it took too long; Died."""
        assert self.pipe is not None and self._copy is not None
        while self.pipe.poll():
            try:
                kind, sent = self.pipe.recv()
            except (EOFError, ConnectionError):
                self._copy.join()
                raise Died(_how(self._copy.exitcode)) from None
            if kind == "done":
                return Done(sent)
            if kind == "raised":
                return Failed(sent)
            hear(sent)
        if self._watch.seconds > self._longest:
            raise OutOfBudget(self._budget.time_limit)
        return None

    @property
    def processes(self) -> list[int]:
        """The copy, if there is one, and whatever it has started."""
        return [] if self._copy is None or self._copy.pid is None else descendants(self._copy.pid)

    def end(self) -> None:
        """End the copy, if there is one, with whatever it has started."""
        if self._copy is not None and self.pipe is not None:
            _end(self._copy)
            self.pipe.close()
        self._copy = self.pipe = None

    def __enter__(self) -> Worker[Q, R]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def _forked(work: Callable[..., None], *given: Any, leads: bool = True) -> tuple[Connection, BaseProcess]:
    """A copy that does some work, and our end of the pipe to it; see `_copied`."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    copy = context.Process(target=_copied, args=(work, leads, ours, theirs, *given))
    copy.start()
    theirs.close()
    return ours, copy


def _copied(
    work: Callable[..., None], leads: bool, parents: Connection, pipe: Connection, *given: Any
) -> None:
    """Work, and end when the process that forked this one does, however that ends.

    Interrupts are for the first process. A copy that `leads` has a group of its own, with which it is ended.
    """
    _end_with_parent()
    if leads:
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parents.close()
    with suppress(EOFError, ConnectionError):
        work(pipe, *given)


def _once(pipe: Connection, work: Callable[[], Any]) -> None:
    try:
        sent = "done", work()
    except Exception as error:
        sent = "raised", _sendable(error)
    pipe.send(sent)


def _always(pipe: Connection, serve: Serve[Any, Any], memory: int) -> None:
    """Serve until nobody asks any more.

    Where room is asked for at once that the limit could never hold, the system refuses it: twice the limit,
    and a gigabyte for code and reservations that hold nothing.
    """
    limit_room(2 * memory + 1024)
    ours = os.getpid()

    def tell(told: Any) -> None:
        if os.getpid() == ours:  # copies of this copy have the same pipe
            pipe.send(("told", told))

    while True:
        request = pipe.recv()
        try:
            with held_to(memory):
                sent = "done", serve(request, tell)
        except MemoryError:
            sent = "raised", OutOfBudget(f"the limit of {memory} MB")
        except Exception as error:
            sent = "raised", _sendable(error)
        pipe.send(sent)


def _sendable(error: Exception) -> Exception:
    """An error as it can be sent, with where it was raised as a note."""
    error.add_note("".join(traceback.format_exception(error)).rstrip())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent() -> None:
    """Let this process end when the one that forked it does, however that ends.

    Where the system can see to that, it does: a thread has no turn while an engine or machine code runs.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        parent = multiprocessing.parent_process()
        if parent is not None and os.getppid() != parent.pid:  # it ended before that was said
            os._exit(1)
    else:
        threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _end(copy: BaseProcess) -> None:
    """End a copy and its group; what it started outside of that ends with it, being copies too."""
    assert copy.pid is not None
    if copy.is_alive():
        with suppress(ProcessLookupError):  # its group, as long as it has made one
            if os.getpgid(copy.pid) == copy.pid:
                os.killpg(copy.pid, signal.SIGKILL)
        copy.kill()
    copy.join()


def _how(status: int | None) -> str:
    """How a process ended, in words."""
    if status is not None and status < 0:
        return f"its process was ended by {signal.Signals(-status).name}"
    return f"its process ended with status {status}"
