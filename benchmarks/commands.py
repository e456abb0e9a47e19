"""How long the command line takes from a cold start."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from .report import Table, spread

BARS = {("--help",): 0.25, ("check",): 1.0}
"""Commands, and the seconds that each may take."""


@dataclass(frozen=True)
class Cost:
    """What one run of a command took: seconds by the clock, and seconds of work."""

    wall: float
    cpu: float


def cost(arguments: tuple[str, ...], compiled: str) -> Cost:
    """Run a command of ours in a fresh interpreter; raises CalledProcessError if it fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "rulespec", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment(compiled))
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def environment(compiled: str) -> dict[str, str]:
    """The environment of a process that keeps compiled modules in a folder, as an installed package does."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": compiled}


def measure(runs: int) -> Table:
    """The commands that have a bar, each run several times after one that fills the caches."""
    words = (
        "Seconds from a cold start: the median of several runs, with the least and the greatest. Work is "
        "the processor time of the process, which depends less on other work on the machine. `check` "
        "reads every shipped ruleset and runs its examples."
    )
    table = Table("Commands", words, ["command", "bar", "wall s", "work s"])
    with tempfile.TemporaryDirectory() as compiled:
        for arguments, bar in BARS.items():
            cost(arguments, compiled)
            found = [cost(arguments, compiled) for _ in range(runs)]
            name = f"`rulespec {' '.join(arguments)}`"
            walls, works = spread(c.wall for c in found), spread(c.cpu for c in found)
            table.rows.append([name, f"{bar:g}", walls, works])
    return table
