"""Collections of puzzles: deals with what is known of each, in a file that commands and pages read.

A collection is JSON text. Nothing in it is trusted: deals are dealt by the rules, plays replayed by them, and
verdicts count as stored ones until their evidence was checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from ...core.data_forms import DataForm, WrongForm
from ...core.diagnostics import Diagnostic, Label, RulesetError, Source, Span
from .files import Record

VERSION = 1
"""The version of the format, under the key `puzzles`."""
MOST = 10**18
"""Numbers in a collection are below this."""
COUNTS = ("solvable", "length", "work")
"""The measures that count something."""


def _can_be_measured(measures: Mapping[str, int]) -> bool:
    """True for numbers of at most 18 digits; only values may be negative."""
    return all(abs(x) < MOST and (x >= 0 or name not in COUNTS) for name, x in measures.items())


@dataclass(frozen=True)
class Puzzle:
    """A deal, and the answer to the claim about it.

    Attributes:
        seed: the seed that deals it.
        chance: the outcomes of chance at the start, in notation.
        outcome: the outcome of the verdict.
        measures: numbers by their names, such as `value`, `length` and `work`.
        verdict: the verdict with its evidence.
        records: the plays that the evidence refers to, by digest.
    """

    seed: str
    chance: tuple[str, ...]
    outcome: str
    measures: Annotated[Mapping[str, int], _can_be_measured]
    verdict: Mapping[str, Any] = field(default_factory=dict)
    records: Mapping[str, Any] = field(default_factory=dict)


def _is_version(version: int) -> bool:
    return version == VERSION


@dataclass(frozen=True)
class Puzzles:
    """Puzzles of one game, numbered from 1.

    `digest` is that of the rules; `claim` is asked of each deal, and `claim_digest` is its digest.
    """

    puzzles: Annotated[int, _is_version]
    ruleset: str
    digest: str
    players: int
    parameters: Mapping[str, int | str]
    readings: Mapping[str, str]
    claim: str
    claim_digest: str
    deals: tuple[Puzzle, ...]

    def to_json(self) -> str:
        """The collection as text, each puzzle on a line."""
        data = DataForm().encode(self)
        deals = ",\n  ".join(json.dumps(deal, ensure_ascii=False) for deal in data.pop("deals"))
        head = json.dumps(data, ensure_ascii=False)[:-1]
        return f'{head}, "deals": [\n  {deals}\n]}}\n' if deals else f'{head}, "deals": []}}\n'

    def record(self, number: int) -> Record:
        """The record of the start of a puzzle, numbered from 1. Raises LookupError if there is none."""
        if not 1 <= number <= len(self.deals):
            raise LookupError(f"it has {len(self.deals)} puzzles, counted from 1, and no {number}")
        chance = self.deals[number - 1].chance
        return Record(self.ruleset, self.digest, self.players, (), chance, self.parameters, self.readings)


def read_puzzles(text: str, name: str) -> Puzzles:
    """A collection from text. RulesetError with everything that is wrong with it."""
    try:
        found: Puzzles = DataForm().decode(Puzzles, json.loads(text))
        return found
    except (ValueError, RecursionError) as error:
        words = str(error) if isinstance(error, WrongForm) else "it is no JSON"
        start = Label(Span(Source(name, ""), 1, 1, 1, 1))
        message = f"no collection of puzzles: {words}"
        raise RulesetError([Diagnostic("record.value", message, (start,))]) from None
