"""Which processes descend from one, and ending them all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")

_parents: dict[int, int] = {}
"""The parent of each process that was looked at and is still there."""


def descendants(process: int) -> list[int]:
    """A process and all that descend from it, parents first; only itself where the system does not tell."""
    there = {int(path.name) for path in PROC.iterdir() if path.name.isdecimal()} if PROC.is_dir() else set()
    for gone in _parents.keys() - there:
        del _parents[gone]
    for new in there - _parents.keys():
        parent = _parent(new)
        if parent is not None:
            _parents[new] = parent
    found = [process]
    for one in found:
        found += [child for child, parent in _parents.items() if parent == one]
    return found


def end_with_descendants(process: int) -> None:
    """End a process, its group, and all that descend from it.

    They are stopped first, parents before children, so that none starts another meanwhile.
    """
    stopped: list[int] = []
    while new := [one for one in _fresh_descendants(process) if one not in stopped]:
        for one in new:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGSTOP)
        stopped += new
    for one in reversed(stopped):
        for end in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                end(one, signal.SIGKILL)


def _fresh_descendants(process: int) -> Iterator[int]:
    _parents.clear()
    yield from descendants(process)


def _parent(process: int) -> int | None:
    try:
        return int((PROC / str(process) / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
