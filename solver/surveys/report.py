"""Reports of surveys: counts of outcomes, the share of all deals that they imply, and the values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec.core.data_forms import attributes, publish
from rulespec.core.game import Claim, Game
from rulespec.core.intervals import Measure, Share, measure, share
from rulespec.core.verdicts import PROVED, REFUTED, parameters_of, readings_of
from rulespec.solver.claims.answers import StoredAnswer


@dataclass(frozen=True)
class DealAnswer:
    """The answer for one deal; `value` is that of a best, if it was found."""

    deal: str
    """Its seed, or a digest of its outcomes."""
    outcome: str
    value: int | None
    seconds: float


@dataclass(frozen=True)
class Survey:
    """The answers to one question about many deals."""

    PUBLISHED = attributes(
        "ruleset title digest players parameters readings claim kind prose database deals outcomes holds "
        "values seconds undecided=undecided_deals answers notes"
    )

    ruleset: str
    title: str
    digest: str
    players: int
    parameters: Mapping[str, int | str]
    readings: Mapping[str, str]
    claim: str
    kind: str
    prose: str
    database: Path
    """The database of the answers and their evidence."""
    rows: tuple[StoredAnswer, ...]
    """One for each deal, in the order in which they were asked."""
    left: int = 0
    """The number of deals that were left out because the time was over."""

    @property
    def outcomes(self) -> dict[str, int]:
        """The number of deals by outcome, of the outcomes that occurred."""
        return dict(sorted(Counter(row.outcome for row in self.rows).items()))

    @property
    def undecided_deals(self) -> tuple[str, ...]:
        """The deals that are neither proved nor refuted."""
        return tuple(row.deal for row in self.rows if row.outcome not in (PROVED, REFUTED))

    @property
    def holds(self) -> Share:
        """The share of all deals in which the claim holds (for a best: is reached and known).

        The 95% interval allows for every undecided deal to go either way.
        """
        counts, of = Counter(row.outcome for row in self.rows), len(self.rows)
        low, high = share(counts[PROVED], of), share(of - counts[REFUTED], of)
        return Share(counts[PROVED], of, low.low, high.high)

    @property
    def values(self) -> Measure | None:
        """The values of a best that were found; None for other claims."""
        return measure(Counter(row.value for row in self.rows if row.value is not None))

    @property
    def notes(self) -> tuple[str, ...]:
        """Caveats about the numbers."""
        notes, undecided = [], len(self.undecided_deals)
        if self.left:
            asked = len(self.rows) + self.left
            notes.append(
                f"The time was over after {len(self.rows):,} of {asked:,} deals; the same command goes on."
            )
        if undecided:
            words = (
                f"{undecided:,} of {len(self.rows):,} deals are undecided; the interval of the share allows "
                "for them."
            )
            if self.values is not None:
                words += " Mean and quantiles are those of the decided deals; the others may well differ."
            notes.append(words)
        return tuple(notes)

    @property
    def deals(self) -> int:
        return len(self.rows)

    @property
    def seconds(self) -> float:
        """The total of all answers."""
        return round(sum(row.seconds for row in self.rows), 2)

    @property
    def answers(self) -> tuple[DealAnswer, ...]:
        return tuple(DealAnswer(r.deal, r.outcome, r.value, round(r.seconds, 3)) for r in self.rows)

    def to_data(self) -> dict[str, Any]:
        """Plain data, as `rulespec survey --json` prints it."""
        data: dict[str, Any] = publish(self)
        return data

    def __repr__(self) -> str:
        words = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.items())
        return f"<Survey of {self.ruleset}, {self.claim}: {words}>"


def report(game: Game, claim: Claim, database: Path, rows: Sequence[StoredAnswer], deals: int) -> Survey:
    """A report on some rows of a survey of so many deals."""
    return Survey(
        game.id, game.title, game.digest, game.players, parameters_of(game), readings_of(game),
        claim.id, claim.kind, claim.prose, database, tuple(rows), deals - len(rows),
    )  # fmt: skip
