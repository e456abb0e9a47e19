"""Stored verdicts that `prove` takes as they are: those without a stamp are checked, for a short time."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..budgets import cores
from ..core.stamps import Stamps
from ..core.store_file import StoreFile
from ..core.verdicts import UNDECIDED, Store, Verdict
from .output import Progress
from .proving import WORDS, about, budgets, rechecked

BRIEFLY = 10.0
"""The most seconds for all checks of one command."""

MOST_CHECKED = 50
"""The most verdicts that are checked; those under the default readings come first."""

LEFT = "the time for checks was over: `rulespec recheck` gives it more"


@dataclass
class Taken:
    """The verdicts that one call of `prove` took from its store, with the results of their checks.

    `before` is the store as it was before the call, `began` the `time.monotonic()` of its start.
    """

    arguments: argparse.Namespace
    before: Store
    stamps: Stamps
    began: float = field(default_factory=time.monotonic)
    unchecked: list[Verdict] = field(default_factory=list)
    """Those without a stamp, in the order in which they were taken."""
    results: dict[tuple[str, ...], tuple[bool | None, str]] = field(default_factory=dict)
    """By subject: True if it passed, False if not, None if it was not checked; and the text of its check."""

    def take(self, verdict: Verdict) -> bool:
        """Note a verdict that is to be checked; False for one that is new or has its stamp."""
        waits = self.before.has(verdict) and self.stamps.of(verdict) is None
        self.unchecked += [verdict] if waits else []
        return waits

    def check(self, progress: Progress) -> None:
        """Check the verdicts noted, and stamp those that pass."""
        seconds = min(BRIEFLY, (self.arguments.timeout or BRIEFLY) - time.monotonic() + self.began)
        if not self.unchecked or seconds <= 0:
            return
        from solver.claims.joining import with_helpers

        first = sorted(self.unchecked, key=lambda verdict: bool(verdict.readings))[:MOST_CHECKED]
        needed = {v.subject for v in with_helpers(first, self.before) if self.stamps.of(v) is None}
        limits = {**budgets(self.arguments), "timeout": seconds, "each": None, "jobs": cores()}
        limits |= {"only": needed}
        for check in rechecked([self.arguments.name], limits, progress, self.stamps):
            self.results[check.verdict.subject] = check.passed, check.text

    def drop_failed(self, path: Path) -> None:
        """Remove the verdicts whose checks failed from the store at a path, so that they are decided anew."""
        failed = [v for v in self.unchecked if self.results.get(v.subject, (None, LEFT))[0] is False]
        if failed:
            file = StoreFile(path)
            with file.locked() as store:
                store.drop(v for v in failed if store.has(v))
                file.write()

    def how(self, verdict: Verdict) -> str:
        """How a verdict came from the store, in words; empty for a new one."""
        passed, text = self.results.get(verdict.subject, (None, LEFT))
        if not self.before.has(verdict):
            return ""
        if verdict not in self.unchecked or passed:
            return "stored"
        gone = "stored until now, its check FAILED, so ask again"
        return f"{gone}: {text}" if passed is False else "stored, not checked here"

    def rows(self) -> list[dict[str, str]]:
        """The checks as data."""
        found = ((v, *self.results.get(v.subject, (None, LEFT))) for v in self.unchecked)
        return [about(verdict, WORDS[passed], text) for verdict, passed, text in found]

    @property
    def failed(self) -> bool:
        """True if a check failed."""
        return any(passed is False for passed, _ in self.results.values())

    def counted(self, verdicts: Iterable[Verdict]) -> Sequence[Verdict]:
        """The verdicts for the exit status: one without a check has decided nothing here."""
        passed = {subject for subject, (held, _) in self.results.items() if held}
        open_ones = {v.subject for v in self.unchecked} - passed
        return [replace(v, outcome=UNDECIDED) if v.subject in open_ones else v for v in verdicts]
