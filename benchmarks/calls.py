"""Calls of the command line in processes of their own, and the journals that keep their results."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec.budgets import Stopwatch

END = 500
"""Characters of the output of a failed call that are kept."""


@dataclass(frozen=True)
class Call:
    """The result of one call.

    `status` is its exit status, `out` and `err` its output, `work` the processor time of the process and its
    descendants in seconds, `clock` seconds of the clock, `memory` the peak of one process in megabytes.
    """

    status: int
    out: str
    err: str
    work: float
    clock: float
    memory: float

    @property
    def hung(self) -> bool:
        """True if the call was ended from outside."""
        return self.status in (124, 137)

    @property
    def end(self) -> str:
        """The end of the output, for the report of a failure."""
        return (self.out + self.err)[-END:]

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The verdicts in the output of `prove --json` as data; none if the call failed."""
        try:
            listed = json.loads(self.out)["verdicts"]
        except (ValueError, KeyError, TypeError):
            return []
        return [*listed]


def call(
    command: Sequence[str],
    seconds: float,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Call:
    """Run a command in a folder (default: the present one), for so many seconds of the clock at most."""
    limited = ["timeout", "--kill-after=5", f"{seconds:g}", *command]
    watch = Stopwatch()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(limited, cwd=folder, env=environment, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        clock = watch.seconds
        out.seek(0)
        err.seek(0)
        texts = out.read(), err.read()
    return Call(process.returncode, *texts, used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 1024)


class Journal:
    """Results in a file, one a line, appended at once so that an interrupted run resumes.

    A line that a kill has cut off is passed over.
    """

    def __init__(self, path: Path, *, afresh: bool = False) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if afresh:
            path.unlink(missing_ok=True)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        lines = self.path.read_text("utf-8").splitlines() if self.path.is_file() else []
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row

    def append(self, row: Mapping[str, Any]) -> None:
        """Append a result; what a kill has left of a line is ended first."""
        with self.path.open("ab+") as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(size - 1)
            whole = not size or file.read(1) == b"\n"
            file.write(("" if whole else "\n").encode() + json.dumps(row, sort_keys=True).encode() + b"\n")
