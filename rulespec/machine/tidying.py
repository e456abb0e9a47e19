"""Keeping the folder of compiled modules within bounds: those not used for long go, in a full folder more.

Whatever is removed is compiled again by whoever asks for it, so several processes may tidy at once.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

from ..core.files import regular_files

PREFIX = "rulespec_machine_"
OURS = re.compile(rf"{PREFIX}[0-9a-f]{{32}}")
"""The name of a file with a compiled module: a digest of all that it was compiled from."""
DAY = 86_400.0
OLDEST = 30 * DAY
"""Code that was not used for so many seconds goes."""
MOST_BYTES = 512 << 20
"""If all code takes more, the least recently used goes, too,"""
IN_USE = DAY / 24
"""but none that was used within so many seconds: somebody may be about to load it."""


def tidy(folder: Path) -> None:
    """Remove code that is old or, the folder being too full, was not used for longest."""
    held: dict[Path, os.stat_result] = {}
    for path in regular_files(folder, OURS):
        with suppress(OSError):  # another process removed it
            held[path] = path.stat()
    now = time.time()
    left = sum(stat.st_size for stat in held.values())
    for path, stat in sorted(held.items(), key=lambda item: item[1].st_mtime):
        age = now - stat.st_mtime
        if age < IN_USE or (age < OLDEST and left <= MOST_BYTES):
            return
        path.unlink(missing_ok=True)
        left -= stat.st_size
