"""Keeping the folder of compiled code within bounds: what was not used for long goes, in a full folder more.

Whatever is removed is compiled again by whoever asks for it, so several processes may tidy at once.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

PREFIX = "rulespec_code_"
OURS = re.compile(rf"{PREFIX}[0-9a-f]+")
"""What the name of a generated module and of every file that belongs to it begins with."""
DAY = 86_400.0
OLDEST = 30 * DAY
"""Code that was not used for so many seconds goes."""
MOST_BYTES = 512 << 20
"""If all code takes more, the least recently used goes, too,"""
IN_USE = DAY / 24
"""but none that was used within so many seconds: somebody may be about to load it."""


def tidy(folder: Path) -> None:
    """Remove code that is old or, the folder being too full, was not used for longest."""
    held: dict[str, list[tuple[Path, os.stat_result]]] = {}
    for path, stat in _files(folder):
        ours = OURS.match(path.name)
        if ours:
            held.setdefault(ours[0], []).append((path, stat))
    now = time.time()
    used = {name: max(stat.st_mtime for _, stat in files) for name, files in held.items()}
    left = sum(stat.st_size for files in held.values() for _, stat in files)
    for name in sorted(held, key=used.__getitem__):
        age = now - used[name]
        if age < IN_USE or (age < OLDEST and left <= MOST_BYTES):
            return
        for path, stat in held[name]:
            path.unlink(missing_ok=True)
            left -= stat.st_size


def mark(source: Path) -> None:
    """Note that a module was used. Its source stays as it is, or Numba would not know what was compiled."""
    for path in (source.parent / "__pycache__").glob(f"{source.stem}.cpython*.pyc"):
        try:
            os.utime(path)
        except OSError:  # gone meanwhile, or another user's
            continue


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The files that lie in a folder and among what Python and Numba made of them."""
    for place in (folder, folder / "__pycache__"):
        try:
            found = list(os.scandir(place))
        except OSError:
            continue
        for entry in found:
            try:
                if entry.is_file(follow_symlinks=False):
                    yield Path(entry.path), entry.stat(follow_symlinks=False)
            except OSError:  # removed meanwhile
                continue
