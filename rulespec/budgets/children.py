"""Work in forked child processes, each of which can be killed at any moment together with its descendants."""

from __future__ import annotations

import ctypes
import gc
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic, TypeVar

from . import watchdog
from .budget import Budget, Stopwatch
from .interrupts import defer_interrupts
from .memory import OutOfBudget, held_to, limit_room, memory_of
from .processes import descendants

T = TypeVar("T")
Q = TypeVar("Q")
R = TypeVar("R")

Listener = Callable[[Any], None]
"""Receives the messages that a child sends before its result."""
Serve = Callable[[Q, Listener], R]
"""Computes the result of a request; it may send messages through the listener meanwhile."""

GRACE, GRACE_SHARE, MOST_GRACE = 1.0, 0.1, 3.0
"""A worker is killed this many seconds, plus this share of its time, after its time is spent; the last
number limits their sum."""
HELD = 0.9
"""The share of the memory beyond which allocations of a worker are refused, so that it is not killed with
its results."""
WATCH = 0.05
"""Seconds between two measurements of the memory of workers."""
PR_SET_PDEATHSIG = 1


class ChildDied(Exception):
    """A child process ended before its work was done, for example killed by the system."""


@dataclass(frozen=True)
class ChildResult(Generic[R]):
    """The result of a request."""

    result: R


@dataclass(frozen=True)
class ChildFailure:
    """The exception that a request raised."""

    error: Exception


def ignore(message: Any) -> None:
    """The listener that drops every message."""


def can_fork() -> bool:
    """True if this process may fork children: the platform forks, and the process is not daemonic."""
    forks = "fork" in multiprocessing.get_all_start_methods()
    return forks and not multiprocessing.current_process().daemon


class ForkedCall(Generic[T]):
    """A call of a function in a child process, which is killed with its descendants at the end of the block.

    The result must be picklable; `result` raises the exceptions of the function. A child that is `alone`
    starts no process, and stays in the group of its parent, with which it is killed. A child that brings this
    process above `memory` megabytes is killed at the next request for its result.
    """

    def __init__(self, work: Callable[[], T], *, alone: bool = False, memory: float = math.inf) -> None:
        self.pipe, self._copy = _fork(_once, work, leads=not alone)
        """The pipe to the child."""
        self.overran = False
        """True if the child was killed for its memory."""
        self._memory, self._looked = memory, -math.inf

    def is_done(self) -> bool:
        """True once the result, an exception or the end of the child can be fetched."""
        self._look()
        return self.pipe.poll()

    def wait(self, seconds: float) -> None:
        """Wait until the call is done, but at most `seconds`."""
        watch = Stopwatch()
        step = seconds if self._memory == math.inf else WATCH
        while not self.is_done() and watch.seconds < seconds:
            self.pipe.poll(max(0.0, min(step, seconds - watch.seconds)))

    def _look(self) -> None:
        """Kill the child if it uses too much memory; measured now and then."""
        now = time.monotonic()
        if self._memory == math.inf or self.overran or now < self._looked + WATCH:
            return
        self._looked = now
        assert self._copy.pid is not None
        processes = [os.getpid(), *descendants(self._copy.pid)]
        if not self.pipe.poll() and memory_of(processes, self._memory) > self._memory:
            self.overran = True
            _end(self._copy)

    def result(self, seconds: float) -> T | None:
        """The result of the call; None if it has none within `seconds` or the child died."""
        self.wait(seconds)
        if not self.pipe.poll():
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
        """Kill the child and its descendants."""
        _end(self._copy)
        self.pipe.close()

    def __enter__(self) -> ForkedCall[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class Worker(Generic[Q, R]):
    """A child process that answers requests one by one, each within a budget.

    `serve` is called in the child with a request and a listener that sends messages to this process. The
    child is forked at the first request and sees the objects of this process as they are then; requests,
    results and messages must be picklable. If this process cannot fork, `serve` is called here, and only
    loops that test their budget are bound by it.
    """

    def __init__(self, serve: Serve[Q, R]) -> None:
        self._serve = serve
        self._copy: BaseProcess | None = None
        self.pipe: Connection | None = None
        """The pipe to the child, if it runs."""
        self._budget, self._watch, self._longest = Budget(0.0), Stopwatch(), 0.0

    def ask(self, request: Q, budget: Budget, listener: Listener = ignore) -> R:
        """The result of a request; messages go to `listener`.

        Raises OutOfBudget, which names the limit, if the child overran and was killed; ChildDied if it ended
        by itself; and the exceptions of `serve`. After the first two a new child serves the next request.
        """
        if not can_fork():
            with held_to(budget.memory):
                return self._serve(request, listener)
        try:
            self.begin(request, budget)
            while (outcome := self.outcome(listener)) is None:
                assert self.pipe is not None
                wait([self.pipe], min(WATCH, max(0.0, self._longest - self._watch.seconds)))
                if memory_of([os.getpid(), *self.processes], budget.memory) > budget.memory:
                    raise OutOfBudget(budget.memory_limit)
        except BaseException:
            with suppress(Exception):
                self.outcome(listener)  # messages sent before the end
            self.end()
            raise
        if isinstance(outcome, ChildFailure):
            raise outcome.error
        return outcome.result

    def begin(self, request: Q, budget: Budget) -> None:
        """Send a request to the child; `outcome` gives its result."""
        if self._copy is not None and not self._copy.is_alive():
            self.end()
        if self.pipe is None:
            self.pipe, self._copy = _fork(_always, self._serve, budget.memory)
        self._budget, self._watch = budget, Stopwatch()
        grace = GRACE + GRACE_SHARE * min(budget.seconds_left, budget.seconds)
        self._longest = budget.seconds_left + min(grace, MOST_GRACE)
        self.pipe.send(request)

    def outcome(self, listener: Listener = ignore) -> ChildResult[R] | ChildFailure | None:
        """The outcome of the last request; None while it runs. Raises the errors of `ask`."""
        assert self.pipe is not None and self._copy is not None
        while self.pipe.poll():
            with defer_interrupts():  # which would lose half a message
                try:
                    kind, sent = self.pipe.recv()
                except (EOFError, ConnectionError):
                    self._copy.join()
                    if self._copy.exitcode == -signal.SIGXCPU:
                        raise watchdog.TooSlow from None
                    raise ChildDied(_exit_in_words(self._copy.exitcode)) from None
                if kind == "message":
                    listener(sent)
            if kind == "done":
                return ChildResult(sent)
            if kind == "raised":
                return ChildFailure(sent)
        if self._watch.seconds > self._longest:
            raise OutOfBudget(self._budget.time_limit)
        return None

    @property
    def processes(self) -> list[int]:
        """The ids of the child and its descendants; empty if none runs."""
        return [] if self._copy is None or self._copy.pid is None else descendants(self._copy.pid)

    def end(self) -> None:
        """Kill the child and its descendants, if it runs."""
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


def _fork(work: Callable[..., None], *given: Any, leads: bool = True) -> tuple[Connection, BaseProcess]:
    """A forked child that calls `work`, and this process's end of the pipe to it; see `_run_in_copy`."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    copy = context.Process(target=_run_in_copy, args=(work, leads, ours, theirs, *given))
    copy.start()
    theirs.close()
    return ours, copy


def _run_in_copy(
    work: Callable[..., None], leads: bool, parents: Connection, pipe: Connection, *given: Any
) -> None:
    """Call `work` in a child that leaves interrupts to the first process and ends with its parent.

    A child that `leads` has its own session and group, with which it is killed. Its garbage collector ignores
    the objects of the parent, whose pages would otherwise be copied.
    """
    gc.freeze()
    parent = multiprocessing.parent_process()
    assert parent is not None and parent.pid is not None
    end_with_parent(parent.pid)
    if leads:
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parents.close()
    with suppress(EOFError, ConnectionError):
        work(pipe, *given)


def _once(pipe: Connection, work: Callable[[], Any]) -> None:
    """Do the work and send its result or error to the parent."""
    try:
        sent = "done", work()
    except Exception as error:
        sent = "raised", _sendable(error)
    pipe.send(sent)


def _always(pipe: Connection, serve: Serve[Any, Any], memory: int) -> None:
    """Serve requests until the pipe closes.

    The data of the process is limited to twice `memory` (megabytes) and a gigabyte, so that the system
    refuses a single allocation far over the limit.
    """
    limit_room(2 * memory + 1024)
    ours = os.getpid()

    def send(message: Any) -> None:
        if os.getpid() == ours:  # children of this child inherit the pipe
            pipe.send(("message", message))

    while True:
        request = pipe.recv()
        try:
            with held_to(memory, HELD):
                sent = "done", serve(request, send)
        except MemoryError:
            sent = "raised", OutOfBudget(f"the limit of {memory} MB")
        except Exception as error:
            sent = "raised", _sendable(error)
        pipe.send(sent)


def _sendable(error: Exception) -> Exception:
    """The error with its traceback as a note; a RuntimeError with its text if it cannot be pickled."""
    error.add_note("".join(traceback.format_exception(error)).rstrip())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def end_with_parent(parent: int) -> None:
    """Make this process end when its parent ends, even if the parent is killed.

    On Linux the system does it, because a thread cannot run during a call of an engine or machine code.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent ended before the call
            os._exit(1)
    else:
        threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    """End this process when its parent ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _end(copy: BaseProcess) -> None:
    """Kill a child and its group; descendants in other groups end with their parents (`end_with_parent`)."""
    assert copy.pid is not None
    if copy.is_alive():
        with suppress(ProcessLookupError):  # it may not have made its group yet
            if os.getpgid(copy.pid) == copy.pid:
                os.killpg(copy.pid, signal.SIGKILL)
        copy.kill()
    copy.join()


def _exit_in_words(status: int | None) -> str:
    """The exit status of a process, or the signal that ended it, in words."""
    if status is not None and status < 0:
        return f"its process was ended by {signal.Signals(-status).name}"
    return f"its process ended with status {status}"
