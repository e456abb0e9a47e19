"""The resident memory of processes, and limits on that of this process."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

STATM = Path("/proc/self/statm")
"""The file in which Linux reports the memory pages of a process."""
RESIDENT, DATA = 1, 5
"""The positions of numbers there: resident pages; private writable ones, including the stack."""

PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20 if hasattr(os, "sysconf") else 4096 / 2**20
"""The size of a page in megabytes."""

ANY_AMOUNT = 1 << 31
"""More megabytes than any machine has: the memory of a budget without a limit of memory."""

STDERR = 2
LITTLE = 1 << 20
"""`ask_for` does not measure for allocations of fewer bytes."""


class OutOfBudget(Exception):
    """Raised when a limit of time or memory is exceeded before the work is done; the text names the limit."""


class _Limit:
    """The limit of resident memory of this process, in megabytes: the nominal one, and the enforced one."""

    named: float = float("inf")
    megabytes: float = float("inf")


@contextmanager
def held_to(megabytes: int, share: float = 1.0) -> Iterator[None]:
    """Make `ask_for` refuse allocations beyond a share of a number of megabytes within the block."""
    before = _Limit.named, _Limit.megabytes
    _Limit.named, _Limit.megabytes = megabytes, share * megabytes
    try:
        yield
    finally:
        _Limit.named, _Limit.megabytes = before


def ask_for(size: int) -> None:
    """Raise OutOfBudget if an allocation of `size` bytes would pass the limit of `held_to`.

    It collects garbage first: arrays of the machine are few objects, and may be large.
    """
    most = _Limit.megabytes - size / 2**20
    if size > LITTLE and most < float("inf") and memory_in_use() > most:
        gc.collect()
        if memory_in_use() <= most:
            return
        raise OutOfBudget(f"the limit of {_Limit.named:.0f} MB")


def memory_in_use() -> float:
    """The resident memory of this process in megabytes; its peak if the system reports nothing else."""
    return _pages(RESIDENT)


def memory_of(processes: Iterable[int], limit: float) -> float:
    """The resident memory of processes together, in megabytes; zero if the system does not report it.

    Shared pages count once if the sum exceeds `limit`; below it they may count several times, which is
    cheaper to measure.
    """
    listed = [*processes]
    held = sum(_resident(process) for process in listed)
    return held if held <= limit else sum(_proportional(process) for process in listed)


def hold_to(megabytes: int) -> None:
    """Limit the memory of this process for good and silence standard error, because it dies at the limit.

    Without effect if the system does not report the memory in use.
    """
    if not STATM.exists():
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)
    more = max(0.0, megabytes - memory_in_use())
    _limit_data(more)


def limit_room(megabytes: float) -> None:
    """Limit the data of this process to its present size plus a number of megabytes.

    Reserved addresses are not data: the machine reserves gigabytes for each of its memories.
    """
    if STATM.exists() and megabytes < ANY_AMOUNT:
        _limit_data(megabytes)


def _limit_data(more: float) -> None:
    """Limit the data of this process to what it has now and `more` megabytes."""
    import resource  # missing on Windows

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int((_pages(DATA) + more) * 2**20)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def _pages(place: int) -> float:
    """Megabytes in a field of /proc/self/statm; where that is missing, the peak of resident memory."""
    try:
        return int(STATM.read_text("ascii").split()[place]) * PAGE
    except OSError:
        import resource

        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _resident(process: int) -> float:
    """Resident megabytes of a process, 0 if it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * PAGE


def _proportional(process: int) -> float:
    """Resident megabytes of a process, shared pages divided among their users."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return _resident(process)
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
