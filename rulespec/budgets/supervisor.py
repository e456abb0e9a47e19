"""A parent process that ends a command at its limits, whatever the command does.

`supervise` forks. The child continues as the command; the parent only waits. It passes signals on and stops
the command at a limit of time or memory. A command that is asked to stop has a moment to print or write its
results so far; then it is killed with its descendants. That also works during one long call of machine code,
an engine or Python's arithmetic, in which no thread and no handler of the child runs.
"""

from __future__ import annotations

import atexit
import mmap
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from math import inf

from .budget import Budget
from .children import end_with_parent
from .memory import ANY_AMOUNT, limit_room, memory_of
from .processes import adopt_orphans, descendants

REPORT = 6.0
"""Seconds after the limit of time in which a command may end by itself, with a report of its progress."""
GRACE = 2.0
"""Seconds between asking a command to stop and killing it."""
HOUR = 3600.0
LOOK = 0.25
"""Seconds between two measurements of memory."""
SLACK, SLACK_SHARE = 100, 0.1
"""Megabytes, or a share of the limit if that is more, by which a command may exceed its memory: the command
itself kills its workers at the limit, and then reports."""
STOP = signal.SIGALRM if hasattr(signal, "SIGALRM") else signal.SIGTERM
"""The signal by which a command is asked to stop at its limit of time."""


class Cause(Enum):
    """The reason why a command was killed."""

    INTERRUPT = "SIGINT"
    TERMINATION = "SIGTERM"
    TIME = "time"
    MEMORY = "memory"


@dataclass(frozen=True)
class Ending:
    """The end of a command.

    `status` is its exit status, or the negative number of the signal that ended it; `killed` is the reason if
    this process killed it. `is_told` means that the command had said itself that it ends.
    """

    status: int
    killed: Cause | None = None
    is_told: bool = False


WAITING, TOLD = range(2)
"""Places of the bytes that a command and its parent share: 1 while the command waits for a person; 1 once it
has said that it ends."""


class _Shared:
    """The bytes that the command and its parent share, and whether this process is the command."""

    bytes: mmap.mmap | None = None
    is_command: bool = False


def can_supervise() -> bool:
    """True if this system has everything needed: forks, children that end with their parent, `/proc`."""
    return sys.platform == "linux"


def supervise(limits: Budget) -> Ending | None:
    """Run the rest of this program in a child; returns None in the child, and its ending in the parent.

    No buffer may hold unprinted output. After `limits.seconds` the command receives `STOP`, later it is
    killed.
    """
    _Shared.bytes = mmap.mmap(-1, 2)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    awaited = {s for s in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(s) is not signal.SIG_IGN}
    awaited.add(signal.SIGCHLD)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    parent = os.getpid()
    adopt_orphans()
    child = os.fork()
    if child:
        return _Watch(child, limits, awaited).ending()
    end_with_parent(parent)
    limit_room(2 * limits.memory + 1024)
    _Shared.is_command = True
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return None


def leave(status: int) -> None:
    """End a supervised command with an exit status; other processes continue.

    Its objects are not freed one by one: that can take seconds, in which a signal would end it otherwise.
    """
    if _Shared.is_command:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(status)


@contextmanager
def person_waited_for() -> Iterator[None]:
    """In the block, an interrupt is a person's answer at the terminal, not a request to end."""
    if _Shared.bytes is None:
        yield
        return
    _Shared.bytes[WAITING] = 1
    try:
        yield
    finally:
        _Shared.bytes[WAITING] = 0


def note_told() -> None:
    """Note that the command has said that it ends, so that its parent does not say it again."""
    if _Shared.bytes is not None:
        _Shared.bytes[TOLD] = 1


class _Watch:
    """The state of the parent: its requests to the command, and their deadlines."""

    def __init__(self, child: int, limits: Budget, awaited: set[signal.Signals]) -> None:
        self._child, self._limits, self._awaited = child, limits, awaited
        self._cause: Cause | None = None
        self._kill_at = inf
        self._too_large = False

    def ending(self) -> Ending:
        """Wait until the command ends, or end it; returns how it ended."""
        while True:
            self._hear()
            done, status = os.waitpid(self._child, os.WNOHANG)
            if done:
                return Ending(os.waitstatus_to_exitcode(status))
            if self._cause is None and self._limits.seconds_spent > self._limits.seconds + REPORT:
                self._ask(Cause.TIME, STOP)
            if time.monotonic() > self._kill_at or self._exceeds_memory():
                return self._kill(self._cause or Cause.MEMORY)

    def _hear(self) -> None:
        """Wait for a signal, but at most until the next measurement."""
        heard = signal.sigtimedwait(self._awaited, self._pause)
        if heard is None or heard.si_signo == signal.SIGCHLD:
            return
        if heard.si_signo == signal.SIGTERM:
            self._ask(Cause.TERMINATION, signal.SIGTERM)
        elif heard.si_code <= 0:  # from a process; a terminal sends it to the command as well
            self._ask(Cause.INTERRUPT, signal.SIGINT)
        else:
            self._ask(Cause.INTERRUPT)

    @property
    def _pause(self) -> float:
        """Seconds until the next measurement."""
        if self._cause is not None:
            return max(0.01, self._kill_at - time.monotonic())
        look = LOOK if self._limits.memory < ANY_AMOUNT else HOUR
        return max(0.01, min(look, self._limits.seconds + REPORT - self._limits.seconds_spent))

    def _ask(self, cause: Cause, number: signal.Signals | None = None) -> None:
        """Ask the command to stop; sends a signal unless it has already received one."""
        waits = cause == Cause.INTERRUPT and _Shared.bytes is not None and _Shared.bytes[WAITING]
        if self._cause is None and not waits:
            self._cause, self._kill_at = cause, time.monotonic() + GRACE
        if number is not None:
            with suppress(ProcessLookupError):
                os.kill(self._child, number)

    @property
    def _processes(self) -> list[int]:
        """The command and its descendants, also those whose parents have ended."""
        return descendants(os.getpid())[1:]

    def _exceeds_memory(self) -> bool:
        """True if two measurements in a row exceed the memory."""
        if self._limits.memory >= ANY_AMOUNT:
            return False
        limit = self._limits.memory + max(SLACK, SLACK_SHARE * self._limits.memory)
        before, self._too_large = self._too_large, memory_of(self._processes, limit) > limit
        return before and self._too_large

    def _kill(self, cause: Cause) -> Ending:
        """Kill the command with its descendants.

        A process that starts after the listing becomes a child of this one when its parent dies, so none is
        left once this process has no children.
        """
        with suppress(ChildProcessError):
            while True:
                for process in self._processes:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                os.waitpid(-1, 0)
        is_told = _Shared.bytes is not None and _Shared.bytes[TOLD] == 1
        return Ending(-signal.SIGKILL, cause, is_told)
