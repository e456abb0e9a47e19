"""The consequences of another reading of a ruling: the claims whose answers change, all else being equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..core.diagnostics import RulesetError
from ..core.game import Claim, Ruling
from ..core.verdicts import ESTIMATED, Store, Verdict
from ..core.verdicts.wording import sentence
from .face import Game


@dataclass(frozen=True)
class Consequences:
    """The claims under one reading of a ruling, compared with the reading that the game follows.

    Claims are compared if the verdicts under both readings were checked here and settle them.
    """

    ruling: str
    reading: str
    changed: list[tuple[Claim, Verdict]] = field(default_factory=list)
    """Compared claims with another answer, and the verdict under this reading."""
    same: list[Claim] = field(default_factory=list)
    """Compared claims with the same answer."""
    sampled: list[tuple[Claim, Verdict]] = field(default_factory=list)
    """Claims that were estimated from random games under this reading."""
    unsettled: list[Claim] = field(default_factory=list)
    """Claims that are open under this reading or the other one."""
    unchecked: list[Claim] = field(default_factory=list)
    """Claims with a stored verdict that was not checked here."""
    unasked: list[Claim] = field(default_factory=list)
    """Claims without a verdict under this reading or the other one."""

    @property
    def sentences(self) -> list[str]:
        """The consequences in words: each claim that changes, then the number of those that do not."""
        told = [sentence(verdict, claim) for claim, verdict in (*self.changed, *self.sampled)]
        if self.same:
            told.append(_unchanged_sentence(len(self.same), bool(self.changed)))
        if self.unsettled:
            told.append(f"Open under this reading: {_in_words(self.unsettled)}.")
        if self.unchecked:
            told.append(f"Decided under this reading, but not checked here: {_in_words(self.unchecked)}.")
        if not told:
            told.append("No claim was tested under this reading.")
        return told

    def to_data(self) -> dict[str, object]:
        """Plain data for `--json`."""
        named = {key: [claim.id for claim in getattr(self, key)] for key in ("same", *OPEN)}
        return {
            "ruling": self.ruling,
            "reading": self.reading,
            "changed": [claim.id for claim, _ in self.changed],
            "sampled": [claim.id for claim, _ in self.sampled],
            **named,
            "sentences": self.sentences,
        }


OPEN = ("unsettled", "unchecked", "unasked")
"""The groups of claims that were not compared."""


def _unchanged_sentence(number: int, others: bool) -> str:
    """A sentence with the number of claims that a reading does not change."""
    if others:
        if number == 1:
            return "One more claim was tested, and does not change."
        return f"{number} more claims were tested, and do not change."
    if number == 1:
        return "The one claim that was tested does not change."
    return f"None of the {number} claims that were tested changes."


def _in_words(claims: list[Claim]) -> str:
    """A claim in its own words, without the full stop; for several claims their number."""
    return claims[0].prose.rstrip(".") if len(claims) == 1 else f"{len(claims)} claims"


def consequences(
    game: Game,
    store: Store,
    checked: Callable[[Verdict], str | None],
    ruling: Ruling,
    current: Callable[[Verdict], bool] | None = None,
) -> Iterator[Consequences]:
    """The consequences of each reading of a ruling except the one that the game follows.

    Args:
        game: the game, whose other settings all readings share.
        store: verdicts on its claims.
        checked: describes how a verdict was checked here; None if it was not.
        ruling: a ruling of the game.
        current: tells whether a verdict is about the present rules, by default by comparing digests.
    """
    core = game.core
    up_to_date = current or (lambda verdict: not is_stale(game, verdict))
    claims = [c for c in core.claims.values() if not c.lemma and not c.is_of_one_deal]
    for reading in ruling.readings:
        if reading.id == ruling.chosen or not reading.modelled:
            continue
        found = Consequences(ruling.id, reading.id)
        for claim in claims:
            here = store.current(core, claim)
            there = store.of_setting(core, claim, {ruling.id: reading.id})
            if here is None or there is None or not up_to_date(there):
                found.unasked.append(claim)
            elif checked(here) is None or checked(there) is None:
                is_open = there.answer is None and there.outcome != ESTIMATED
                (found.unsettled if is_open else found.unchecked).append(claim)
            elif there.outcome == ESTIMATED:
                found.sampled.append((claim, there))
            elif here.answer is None or there.answer is None:
                found.unsettled.append(claim)
            elif here.answer == there.answer:
                found.same.append(claim)
            else:
                found.changed.append((claim, there))
        yield found


def is_stale(game: Game, verdict: Verdict) -> bool:
    """True if a verdict under other settings is about rules that have changed since."""
    try:
        other = game.under(verdict.players, verdict.parameters, verdict.readings)
    except RulesetError:
        return True
    claim = other.core.claims.get(verdict.claim)
    return claim is None or not verdict.is_about(other.core, claim)
