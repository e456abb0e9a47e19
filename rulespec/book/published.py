"""The verdicts of a ruleset as a site may tell them: as shown only where this program has checked them."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace

from ..core.game import Claim
from ..core.game import Game as CoreGame
from ..core.verdicts import UNDECIDED, Store, Verdict

UNCHECKED = "unchecked"
"""In the place of an outcome: that of a verdict that this program has not checked."""

Checked = Callable[[Verdict], str | None]
"""How a verdict was checked by this program, in words; None if it was not."""


def nothing_checked(verdict: Verdict) -> None:
    """Where no verdict was checked."""


@dataclass
class Published:
    """A store, and which of its verdicts were checked.

    `current` holds the subjects of verdicts that are about the rules as they are, so that nobody need load
    their settings to find out.
    """

    store: Store = field(default_factory=Store)
    checked: Checked = nothing_checked
    current: Container[tuple[str, ...]] = ()

    def told(self, verdict: Verdict) -> Verdict:
        """A verdict as it may be told: as it is if it was checked, else without an answer, evidence or words.

        That a claim is undecided says nothing, so its outcome may stand unchecked.
        """
        if self.checked(verdict) is not None:
            return verdict
        outcome = UNDECIDED if verdict.outcome == UNDECIDED else UNCHECKED
        return replace(verdict, outcome=outcome, statement="", evidence=(), numbers={}, notes=())

    def verdict(self, game: CoreGame, claim: Claim) -> Verdict | None:
        """The verdict on a claim as it may be told, if it is about the rules as they are."""
        found = self.store.current(game, claim)
        return None if found is None else self.told(found)
