"""The verdicts of a ruleset as a site may show them: only answers checked by this program or, with a note,
by the project's release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ...core.game import Claim
from ...core.game import Game as CoreGame
from ...core.verdicts import UNCHECKED, UNDECIDED, Store, Verdict
from ...core.verdicts.current_verdicts import Current
from ...core.verdicts.release_stamps import ReleaseStamp

RELEASED = "released"
"""The standing of a verdict that only the project's release has checked."""

Checked = Callable[[Verdict], str | None]
"""Describes how this program checked a verdict; None if it did not."""


def nothing_checked(verdict: Verdict) -> None:
    """The `Checked` for which no verdict counts as checked."""


def nothing_released(verdict: Verdict) -> None:
    """The absence of release stamps."""


@dataclass
class PublishedVerdicts:
    """A store, and the checks of its verdicts, here or by the release.

    `current` are verdicts known not to be stale, so that pages need not load their settings again.
    """

    store: Store = field(default_factory=Store)
    checked: Checked = nothing_checked
    current: Current = field(default_factory=Current)
    released: Callable[[Verdict], ReleaseStamp | None] = nothing_released

    def redact(self, verdict: Verdict) -> Verdict:
        """The verdict unchanged if it was checked, else without outcome, evidence, numbers and notes.

        A verdict that was checked for the release keeps them and gets a remark. `undecided` asserts nothing,
        so that outcome is kept without a check.
        """
        if self.checked(verdict) is not None:
            return verdict
        stamp = self.released(verdict)
        if stamp is not None:
            return replace(verdict, standing=RELEASED, remarks=(stamp.sentence(verdict),))
        outcome = UNDECIDED if verdict.outcome == UNDECIDED else UNCHECKED
        return replace(verdict, outcome=outcome, evidence=(), numbers={}, notes=())

    def verdict(self, game: CoreGame, claim: Claim) -> Verdict | None:
        """The redacted verdict on a claim; None if there is none or it is stale."""
        current = self.store.current(game, claim)
        return None if current is None else self.redact(current)


def mark_of(verdict: Verdict) -> str:
    """The mark of a redacted verdict: its outcome, or `RELEASED` if only the release has checked it."""
    return RELEASED if verdict.standing == RELEASED else verdict.outcome
