"""How much memory processes hold, and holding this one to a limit where the system can."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

STATM = Path("/proc/self/statm")
"""Where Linux gives the pages that a process has room for and holds, in the first two places."""

PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20 if hasattr(os, "sysconf") else 4096 / 2**20
"""Megabytes of a page."""

ANY_AMOUNT = 1 << 31
"""More megabytes than there are: the memory of a budget that bounds none."""

STDERR = 2
LITTLE = 1 << 20
"""Nobody asks for fewer bytes."""


class OutOfBudget(Exception):
    """Time or memory ran out before the work was done; the text names the limit."""


class _Limit:
    """How many megabytes this process may hold."""

    megabytes: float = float("inf")


@contextmanager
def held_to(megabytes: int) -> Iterator[None]:
    """Refuse room, within, that would let this process hold more megabytes; see `ask_for`."""
    before, _Limit.megabytes = _Limit.megabytes, megabytes
    try:
        yield
    finally:
        _Limit.megabytes = before


def ask_for(size: int) -> None:
    """Raise OutOfBudget where so many bytes more would pass the limit of memory. Ask before making room."""
    limit = _Limit.megabytes
    if size > LITTLE and limit < float("inf") and memory_in_use() + size / 2**20 > limit:
        raise OutOfBudget(f"the limit of {limit:.0f} MB")


def memory_in_use() -> float:
    """How much memory this process holds, in megabytes; where that is not told, the most it ever held."""
    return _pages(1)


def memory_of(processes: Iterable[int], limit: float) -> float:
    """How much memory processes hold together, in megabytes, pages that they share counted once.

    Below `limit` shared pages may count several times, which costs less. Zero where the system does not tell.
    """
    listed = [*processes]
    held = sum(_held(process) for process in listed)
    return held if held <= limit else sum(_shared_once(process) for process in listed)


def hold_to(megabytes: int) -> None:
    """Let this process take no more than so much memory; then it dies, without a word on standard error.

    Nothing is held to where the system does not tell what is in use.
    """
    if not STATM.exists():
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)
    more = max(0.0, megabytes - memory_in_use())
    _limit_room(_pages(0) + more)


def limit_room(megabytes: float) -> None:
    """Refuse this process room for more than so many megabytes beyond what it has room for now."""
    if STATM.exists() and megabytes < ANY_AMOUNT:
        _limit_room(_pages(0) + megabytes)


def _limit_room(megabytes: float) -> None:
    import resource  # not on every system that plays

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = int(megabytes * 2**20)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _pages(place: int) -> float:
    try:
        return int(STATM.read_text("ascii").split()[place]) * PAGE
    except OSError:
        import resource

        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _held(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * PAGE


def _shared_once(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return _held(process)
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
