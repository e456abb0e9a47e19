"""Tables of measurements, and what is said of the machine they were made on."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("wasmtime", "open-spiel", "pgx", "ludax", "jax", "python-sat", "z3-solver", "lark", "pyyaml")


@dataclass(frozen=True)
class Table:
    """What was measured: a title, the words above the table, its columns, its rows."""

    title: str
    words: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)

    def markdown(self, head: str) -> str:
        """The table as a section of a page, under what is said of the machine.

        The first column goes to the left, the others to the right.
        """
        lines = [self.columns, ["---", *["--:"] * (len(self.columns) - 1)], *self.rows]
        return f"## {self.title}\n\n{head}\n\n{self.words}\n\n" + "\n".join(
            f"| {' | '.join(row)} |" for row in lines
        )

    def text(self) -> str:
        """The table for a terminal."""
        lines = [self.columns, *self.rows]
        widths = [max(len(row[i]) for row in lines) for i in range(len(self.columns))]
        cells = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in lines]
        return "\n".join([self.title, *("  " + "  ".join(row).rstrip() for row in cells)])


def spread(found: Iterable[float], digits: int = 2) -> str:
    """The median, and behind it the least and the greatest of several measurements."""
    values = sorted(found)
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({values[0]:.{digits}f}–{values[-1]:.{digits}f})"


def machine() -> str:
    """The machine and the versions that the numbers depend on, in a sentence or two."""
    installed = ", ".join(f"{name} {v}" for name in PACKAGES if (v := _version(name)))
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"Measured on {_processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}; {installed}. "
        f"Load average when the measurements began: {load} (past the number of cores, times are too long)."
    )


def _processor() -> str:
    try:
        listed = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        listed = []
    named = (line.partition(":")[2].strip() for line in listed if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
