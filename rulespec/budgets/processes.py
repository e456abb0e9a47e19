"""The descendants of a process, and the processors that this one may use."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

PROC = Path("/proc")
PR_SET_CHILD_SUBREAPER = 36

_parents: dict[int, int] = {}
"""A cache: the parent of each running process. A process whose parent ends gets another one."""


def descendants(process: int) -> list[int]:
    """A process and its descendants, parents first; only the process if the system has no `/proc`."""
    there = {int(path.name) for path in PROC.iterdir() if path.name.isdecimal()} if PROC.is_dir() else set()
    for gone in _parents.keys() - there:
        del _parents[gone]
    for one in there:
        if _parents.get(one) not in there:
            parent = _parent(one)
            if parent is not None:
                _parents[one] = parent
    found = [process]
    for one in found:
        found += [child for child, parent in _parents.items() if parent == one]
    return found


def adopt_orphans() -> None:
    """Make this process the parent of its descendants whose parents end; only Linux can do that."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _parent(process: int) -> int | None:
    """The parent of a process; None if it has ended."""
    try:
        return int((PROC / str(process) / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
