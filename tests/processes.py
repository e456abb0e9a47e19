"""Processes that tests have started: finding them, and waiting for their end."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def marked(setting: str) -> list[int]:
    """The processes of this user that have a setting in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            settings = path.read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if setting in settings:
            found.append(int(path.parent.name))
    return found


def ends(process: int) -> bool:
    """Wait for the end of a process that was killed; if it keeps running, kill it and return False."""
    for _ in range(3000):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{process}/stat")
        if stat.exists() and stat.read_text("ascii", "replace").rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    return False
