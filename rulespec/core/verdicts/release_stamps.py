"""Stamps of the release: records of the checks of shipped verdicts before a version was released.

They are shipped with the rulesets in one file and count there only: those of somebody else's ruleset are
never read. Their durations determine the order in which verdicts are checked. A page shows a verdict whose
check took long with the date, the version and the time, and never counts it as checked.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from ..data_forms import DataForm
from ..storage.atomic_files import write_text
from ..storage.safe_reading import read_bytes
from .evidence_data import is_line
from .verdict import Verdict
from .verdict_data import is_duration

NAME = "release-stamps.json"
"""The name of the file, in the folder of the shipped rulesets."""
FORMAT = 1
MOST_BYTES = 5_000_000
MINUTE, HOUR = 60.0, 3600.0
LONG = 60.0
"""A check of at least this many seconds is too long for most readers to repeat."""


def _is_day(text: str) -> bool:
    return re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is not None


@dataclass(frozen=True)
class ReleaseStamp:
    """The day on which a version of the program checked a verdict, and the seconds that it took."""

    day: Annotated[str, _is_day]
    version: Annotated[str, is_line]
    seconds: Annotated[float | int, is_duration]

    def sentence(self, verdict: Verdict) -> str:
        """A sentence about the check, with the command that repeats it."""
        command = f"rulespec recheck {verdict.ruleset} --each {max(HOUR, 3 * self.seconds):.0f}"
        return (
            f"Shown on {self.day} by version {self.version} in {in_words(self.seconds)}; not checked here. "
            f"To check it: `{command}`."
        )


@dataclass(frozen=True)
class _File:
    format: Annotated[int, FORMAT.__eq__]
    stamps: Mapping[str, ReleaseStamp]


def in_words(seconds: float) -> str:
    """A duration in its largest suitable unit, rounded.

    Example:
        >>> in_words(75), in_words(2240), in_words(9000)
        ('75 seconds', '37 minutes', '2.5 hours')
    """
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} seconds"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} minutes"
    return f"{seconds / HOUR:.1f} hours"


class ReleaseStamps:
    """The stamps of the release in the folder of the shipped rulesets; none without the file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._stamps = _read_stamps(self._path)

    def of(self, verdict: Verdict) -> ReleaseStamp | None:
        """The stamp of a verdict with a long check; None if the check was short, if there is no stamp, or
        if the verdict or its evidence has changed since."""
        stamp = self._stamps.get(verdict_digest(verdict))
        return stamp if stamp is not None and stamp.seconds >= LONG else None

    def seconds(self, verdict: Verdict) -> float | None:
        """The duration of the check of a verdict in seconds; None if it is unknown."""
        stamp = self._stamps.get(verdict_digest(verdict)) if self._stamps else None
        return stamp.seconds if stamp is not None else None

    def add(self, verdict: Verdict, version: str, seconds: float) -> None:
        """Stamp a verdict that passed a check of `seconds` today; see `save`."""
        stamp = ReleaseStamp(date.today().isoformat(), version, round(seconds, 1))
        self._stamps[verdict_digest(verdict)] = stamp

    def keep_only(self, verdicts: Mapping[str, Verdict]) -> None:
        """Drop all stamps except those of these verdicts, given by their digests."""
        self._stamps = {key: stamp for key, stamp in self._stamps.items() if key in verdicts}

    def save(self) -> None:
        """Write the stamps to their file, in a stable order."""
        lines = [f'"{key}": {json.dumps(asdict(stamp))}' for key, stamp in sorted(self._stamps.items())]
        listed = ",\n".join(lines)
        write_text(self._path, f'{{"format": {FORMAT}, "stamps": {{\n{listed}\n}}}}\n')


def verdict_digest(verdict: Verdict) -> str:
    """The SHA-256 digest of a verdict with its evidence and the digests of its rules and its claim."""
    data = json.dumps(verdict.to_data(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(data.encode()).hexdigest()


def _read_stamps(path: Path) -> dict[str, ReleaseStamp]:
    """The stamps in a file; empty unless all of them are valid."""
    try:
        data: _File = DataForm().decode(_File, json.loads(read_bytes(path, MOST_BYTES)))
    except (OSError, ValueError, RecursionError):
        return {}
    return {**data.stamps}
