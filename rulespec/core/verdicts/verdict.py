"""Verdicts: the answer to a claim for one setting of a game, with the evidence for it.

A verdict says what was proved and no more. It names the game that it is about by digest, so that it is stale
at once if the game or the claim changes. Plays that serve as evidence are kept in the store, under their
digest; a verdict refers to them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from ..digest import of_claim
from ..game import Claim, Game, Other
from ..notation import write
from ..types import Truth
from . import evidence_wording, wording
from .answer_form import check_form
from .evidence_data import OPTION_NAMES, one_of
from .verdict_data import BOUNDED, ESTIMATED, PROVED, REFUTED, STRENGTH, VerdictData


@dataclass(frozen=True)
class Verdict(VerdictData):
    """The answer to one claim for one setting of a ruleset.

    Raises InvalidAnswer for numbers or evidence that no answer to such a claim has; see `answer_form`.
    """

    kind: Annotated[str, one_of(wording.STATEMENTS)]
    """The kind of claim, such as invariant or reachable."""
    notes: tuple[Annotated[str, one_of(wording.NOTES)], ...] = ()
    """The keys of warnings, see `wording.NOTES`."""

    def __post_init__(self) -> None:
        check_form(self)

    @property
    def statement(self) -> str:
        """The sentence that follows the claim and states the result."""
        return wording.statement(self)

    @property
    def warnings(self) -> list[str]:
        """The notes and the remarks as sentences."""
        return wording.notes(self)

    @property
    def reasons(self) -> list[str]:
        """A sentence about each piece of evidence."""
        return [evidence_wording.sentence(self, e) for e in self.evidence]

    @property
    def holds(self) -> bool | None:
        """True if the claim holds, False if not; None if it was not settled."""
        return {PROVED: True, REFUTED: False}.get(self.outcome)

    @property
    def answer(self) -> tuple[object, ...] | None:
        """The truth of the claim with the values of the verdict; None if the claim is not settled.

        Verdicts with different answers contradict each other, even if the claim holds in both. Lengths of
        plays and numbers of positions are not part of the answer.
        """
        if self.holds is None:
            return None
        parts: list[object] = [self.holds]
        parts += [(name, self.numbers[name]) for name in VALUES if name in self.numbers]
        parts += [str(e.data["is"]) for e in self.evidence if "is" in e.data]
        seats = {f"{e.data['seat']}: {e.data.get('outcome')}" for e in self.evidence if "seat" in e.data}
        return (*parts, *sorted(seats))

    @property
    def value_text(self) -> str:
        """The value or the bounds of the verdict in words; empty without any."""
        exact = next((str(e.data["is"]) for e in self.evidence if "is" in e.data), "")
        if exact or "value" in self.numbers:
            return exact or str(self.numbers["value"])
        low, high = self.numbers.get("at_least"), self.numbers.get("at_most")
        words = [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        return " and ".join(words)

    @property
    def key(self) -> tuple[str, str, str]:
        """The key in the store: ruleset, claim, setting."""
        return (self.ruleset, self.claim, setting_text(self.players, self.parameters, self.readings))

    @property
    def subject(self) -> tuple[str, ...]:
        """The key with the digests of the judged rules and claim."""
        return (*self.key, self.game, self.claim_digest)

    def is_about(self, game: Game, claim: Claim) -> bool:
        """True if neither the game nor the claim, with its options, has changed since."""
        same = self.game == game.digest and self.claim_digest == of_claim(claim)
        return same and dict(self.options) == options_of(claim)

    def to_data(self) -> dict[str, Any]:
        """The verdict as plain data for the store."""
        data = {f.name: getattr(self, f.name) for f in fields(self) if f.compare}
        data["evidence"] = [{"kind": e.kind, "data": dict(e.data)} for e in self.evidence]
        for name in ("options", "parameters", "readings", "numbers"):
            data[name] = dict(sorted(data[name].items()))
        return {**data, "notes": list(self.notes), "seconds": round(self.seconds, 2)}

    def json_data(self, claim: Claim | None = None) -> dict[str, Any]:
        """Plain data for `--json`: that of the store, its standing, and all sentences.

        With the claim given, the statement begins with its words.
        """
        data = self.to_data()
        texts = zip(data["evidence"], self.reasons, strict=True)
        data["evidence"] = [{**evidence, "text": text} for evidence, text in texts]
        standing = {"standing": self.standing, "rests_on": dict(self.rests_on)}
        said = self.statement if claim is None else wording.sentence(self, claim)
        return {**data, **standing, "statement": said, "notes": self.warnings}


def options_of(claim: Claim) -> dict[str, int | str]:
    """The options of a claim that sentences about its verdicts mention.

    `condition` is there if the claim has one: `truth`, or `number`.
    """
    found = {key: claim.options[key] for key in OPTION_NAMES if isinstance(claim.options.get(key), int | str)}
    if "different" in claim.options:
        found["different"] = "number"
    if isinstance(claim.options.get("other"), Other):
        found["other"] = claim.options["other"].name
    if claim.condition is not None:
        found["condition"] = "truth" if isinstance(claim.condition.type, Truth) else "number"
    return found


VALUES = ("value", "at_least", "at_most", "held")
"""The numbers of a verdict that are part of its answer; others measure the work."""


def setting_text(players: int, parameters: Mapping[str, int | str], readings: Mapping[str, str]) -> str:
    """A setting in words: the differences from the defaults, then the players."""
    changed = [f"{name}={value}" for name, value in [*sorted(parameters.items()), *sorted(readings.items())]]
    return ", ".join([*changed, f"players={players}"])


def parameters_of(game: Game) -> dict[str, int | str]:
    """The parameters that differ from their defaults: numbers as numbers, others in notation."""
    changed = [p for p in game.parameters.values() if p.value != p.default]
    return {p.id: p.value if isinstance(p.value, int) else write(p.type, p.value) for p in changed}


def readings_of(game: Game) -> dict[str, str]:
    """The readings that differ from the defaults."""
    return {r.id: r.chosen for r in game.rulings.values() if r.chosen != r.readings[0].id}


def says_less(verdict: Verdict, before: Verdict) -> bool:
    """True if a verdict is weaker than an earlier one.

    Its outcome is weaker, or both are bounded or estimated and some of its bounds are looser or rest on fewer
    deals, while none is tighter or rests on more.
    """
    now, then = STRENGTH[verdict.outcome], STRENGTH[before.outcome]
    if now != then or verdict.outcome not in (BOUNDED, ESTIMATED):
        return now < then
    pairs = list(zip(_bounds(verdict.numbers), _bounds(before.numbers), strict=True))
    return all(x <= y for x, y in pairs) and any(x < y for x, y in pairs)


def _bounds(numbers: Mapping[str, int]) -> tuple[float, ...]:
    """The lower bound, the negated upper bound, the explored depth, and the deals asked and decided: greater
    numbers are stronger."""
    least, most = numbers.get("at_least", -math.inf), numbers.get("at_most", math.inf)
    decided = numbers.get("held", 0) + numbers.get("failed", 0)
    return least, -most, numbers.get("plies", -1), numbers.get("deals", -1), decided
