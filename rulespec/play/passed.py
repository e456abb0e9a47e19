"""Examples that passed, so that one is run again only when a text has changed that it rests on.

Skipping examples must not change the result of a check. Examples that fail are never skipped, so no message
is lost. The one other effect of an example is the steps that it takes: for skipped examples, all steps of the
checks in which they passed count. Past the limit of work nothing may be skipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST_KEPT = 20_000
"""The most examples that are kept."""


@dataclass(frozen=True, eq=False)
class EarlierCheck:
    """A check in which examples passed, and the steps that it took."""

    steps: int


class PassedExamples:
    """The check in which each example passed, by the digest of all that the example rests on."""

    def __init__(self) -> None:
        self._checks: dict[str, EarlierCheck] = {}

    def check_of(self, digest: str | None) -> EarlierCheck | None:
        """The check in which an example passed; None if there is none."""
        return None if digest is None else self._checks.get(digest)

    def add(self, digests: Iterable[str], steps: int) -> None:
        """Add examples that passed in one check, which took so many steps."""
        added = dict.fromkeys(digests, EarlierCheck(steps))
        if len(self._checks) + len(added) > MOST_KEPT:
            self._checks.clear()
        self._checks |= added
