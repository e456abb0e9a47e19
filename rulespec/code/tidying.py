"""Keeping the folder of compiled code within bounds: what was not used for long goes, in a full folder more.

Whatever is removed is compiled again by whoever asks for it, so several processes may tidy at once.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

from ..core.files import regular_files

PREFIX = "rulespec_code_"
OURS = re.compile(rf"({PREFIX}[0-9a-f]{{20}})\.\w+\.[0-9a-f]{{16}}")
"""The name of a file of machine code: its module, its function, a digest of the signature."""
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
    for path in regular_files(folder, OURS):
        with suppress(OSError):  # another process removed it
            entry = (path, path.stat())
            held.setdefault(path.name.partition(".")[0], []).append(entry)
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
