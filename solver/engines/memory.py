"""How much memory this process may take, and holding it to that where the system can."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

STATM = Path("/proc/self/statm")
"""Where Linux tells how many pages a process has room for and holds, in the first two places."""

STDERR = 2


def memory_in_use() -> float:
    """How much memory this process holds, in megabytes; where that is not told, the most it ever held."""
    return _pages(1)


def hold_to(megabytes: int) -> None:
    """Let this process take no more than so much memory; then it dies, without a word on standard error.

    Nothing is held to where the system does not tell what is in use.
    """
    if not STATM.exists():
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)
    more = max(0.0, megabytes - memory_in_use())
    resource.setrlimit(resource.RLIMIT_AS, (int((_pages(0) + more) * 2**20), resource.RLIM_INFINITY))


def _pages(place: int) -> float:
    try:
        pages = int(STATM.read_text("ascii").split()[place])
        return pages * resource.getpagesize() / 2**20
    except OSError:
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)
