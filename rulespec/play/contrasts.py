"""A claim that holds by one reading and fails by another: a play that shows it, and its result under the
other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.data_forms import attributes, publish
from ..core.game import Claim
from ..core.verdicts import Store, Verdict
from ..core.verdicts.ruling_effects import RulingEffect, effects_of_rulings
from .chance import ChanceError
from .errors import IllegalAction
from .face import Game
from .records.traces import outcome_of
from .refusal import Refusal


@dataclass(frozen=True)
class Contrast:
    """The point at which a play of one game becomes impossible in another: before ply `number` (0 is the
    setup).

    `refusals` are the reasons there. If the whole play is legal there too, `number` is None, and `reasons`
    explain the different answer to the claim in the same place.
    """

    number: int | None
    """The action that is refused with the other reading, 0 for the setup; None if all are legal."""
    action: str = ""
    refusals: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.number is None:
            why = "; ".join(self.reasons) or "it counts otherwise"
            return f"the same play is legal, and at its end {why}"
        what = f"action {self.number}, `{self.action}`" if self.number else "the setup"
        return f"{what}: {'; '.join(self.refusals)}"


def contrast(game: Game, claim: Claim, chance: Sequence[str], plays: Sequence[str]) -> Contrast:
    """The result of a play under other settings of the ruleset, with the claim as it reads there."""
    try:
        state = game.start(chance=chance)
    except ChanceError as error:
        return Contrast(0, refusals=(str(error),))
    for number, text in enumerate(plays, 1):
        try:
            state = state.play(text)
        except IllegalAction as error:
            return Contrast(number, text, _reasons(error.refusals), tuple(sorted(error.clauses)))
        except ChanceError as error:
            return Contrast(number, text, (str(error),))
    return Contrast(None, reasons=tuple(outcome_of(claim, state)))


def _reasons(refusals: Sequence[Refusal]) -> tuple[str, ...]:
    return tuple(map(str, refusals))


@dataclass(frozen=True)
class ContrastingPlay:
    """A play that decides a claim under one reading of a ruling, and its result under another reading."""

    PUBLISHED = attributes(
        "shown-by=reading not-by=other ply=contrast.number action=contrast.action refusals=contrast.refusals "
        "clauses=contrast.clauses reasons=contrast.reasons sentence"
    )

    ruling: str
    reading: str
    other: str
    verdict: Verdict
    contrast: Contrast

    def __str__(self) -> str:
        shown = "holds" if self.verdict.holds else "fails"
        where = f"where `{self.ruling}` is {self.reading} a play shows that it {shown}"
        return f"{where}; where it is {self.other}, {self.contrast}"

    @property
    def sentence(self) -> str:
        return str(self)

    def to_data(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        data: dict[str, Any] = publish(self)
        return data


def disagreeing(verdicts: Sequence[Verdict], ruling: str) -> tuple[Verdict, Verdict] | None:
    """Two verdicts whose settings differ in one ruling only, and that disagree on whether the claim holds.

    Verdicts with a play and few other readings come first. None if there are no such two.
    """
    settled = [v for v in verdicts if v.holds is not None]
    for one in sorted(
        settled, key=lambda v: (not any(e.kind == "play" for e in v.evidence), len(v.readings))
    ):
        rest = {name: reading for name, reading in one.readings.items() if name != ruling}
        for other in settled:
            others = {k: v for k, v in other.readings.items() if k != ruling}
            if others == rest and other.holds is not one.holds:
                return one, other
    return None


def plays_of(verdict: Verdict, store: Store) -> Iterator[Any]:
    """The plays that a verdict rests on, as plain data: `chance` and `plays`."""
    for evidence in verdict.evidence:
        data = store.records.get(str(evidence.data.get("record", "")))
        if evidence.kind == "play" and data is not None:
            yield data


def effects(
    game: Game, store: Store, verdicts: Sequence[Verdict]
) -> Iterator[tuple[RulingEffect, ContrastingPlay | None]]:
    """The effect of each ruling on the claim of the verdicts, all else being equal.

    For one that changes the answer there is also a play that shows it, if any.
    """
    asked = {ruling for v in verdicts for ruling in v.readings}
    for effect in effects_of_rulings(game.core, verdicts):
        if effect.ruling in asked:
            pair = disagreeing(verdicts, effect.ruling) if effect.changes else None
            yield effect, _find_contrast(game, store, effect.ruling, *pair) if pair else None


def _find_contrast(
    game: Game, store: Store, ruling: str, one: Verdict, other: Verdict
) -> ContrastingPlay | None:
    """A play that shows the claim under one reading and not under another; None if none is stored."""
    default = game.core.rulings[ruling].readings[0].id
    for shows, fails in ((one, other), (other, one)):
        for data in plays_of(shows, store):
            there = game.under(fails.players, fails.parameters, fails.readings)
            found = contrast(there, there.core.claims[fails.claim], data["chance"], data["plays"])
            names = [v.readings.get(ruling, default) for v in (shows, fails)]
            return ContrastingPlay(ruling, names[0], names[1], shows, found)
    return None
