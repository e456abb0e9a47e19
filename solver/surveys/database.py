"""The answers of a survey as they come: one SQLite file for each question, one writer, one answer at a time.

Tables: `run` (what was asked), `deals` (one row for each: the outcomes of chance, the verdict, what it was
allowed) and `records` (the plays that evidence refers to, under their digests).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Store, StoreError, Verdict, verdict_from
from rulespec.simulation.kept import (
    NUMBER,
    NUMBER_OR_NONE,
    REAL,
    TEXT,
    DamagedError,
    DatabaseError,
    Kept,
    row_digest,
)

from .questions import Deal, DealAnswer, Question

SUBJECT = ("ruleset", "digest", "claim", "claim digest")
"""The subject of a survey, apart from deals, budget and executor."""


KINDS = (TEXT, (str, type(None)), TEXT, TEXT, NUMBER_OR_NONE, REAL, REAL, NUMBER, TEXT, TEXT)
"""The kinds of the columns of `deals`."""


class StoredAnswer(NamedTuple):
    """The stored answer to a deal without its evidence."""

    deal: str
    outcome: str
    value: int | None
    """Of a best, if it was found."""
    seconds: float
    timeout: float
    memory: int


class Answers(Kept):
    """The answers to one question."""

    format = "rulespec survey 2"
    what = "answers"

    @classmethod
    def open(cls, path: Path, game: Game, claim: Claim, question: Question) -> Answers:
        """The answers to a question, none if they are begun here. DatabaseError if the file holds others."""
        return cls(path, cls.subject(game, claim), noted_of(question))

    @staticmethod
    def subject(game: Game, claim: Claim) -> dict[str, object]:
        """The subject of a survey on a claim: the values of `SUBJECT`."""
        return dict(zip(SUBJECT, (game.id, game.digest, claim.id, of_claim(claim)), strict=True))

    def __init__(
        self, path: Path, asked: Mapping[str, object], noted: Mapping[str, object] | None = None
    ) -> None:
        """The answers to what was asked; see `open`."""
        tables = (
            "deals (deal TEXT PRIMARY KEY, seed TEXT, chance TEXT NOT NULL, outcome TEXT NOT NULL, "
            "value INTEGER, seconds REAL NOT NULL, timeout REAL NOT NULL, memory INTEGER NOT NULL, "
            "verdict TEXT NOT NULL, digest TEXT NOT NULL)",
            "records (digest TEXT PRIMARY KEY, record TEXT NOT NULL)",
        )
        super().__init__(path, asked, tables, noted)

    def is_sound(self) -> bool:
        """Always true: each answer has a digest of its own, and damaged ones are asked again."""
        return True

    def put(self, found: DealAnswer, question: Question) -> None:
        """Keep an answer in place of an older one, all of it or nothing."""
        verdict = found.verdict
        row = (
            found.deal.key, found.deal.seed, _line(found.chance), verdict.outcome,
            verdict.numbers.get("value"), float(verdict.seconds), float(question.timeout), question.memory,
            _line(verdict.to_data()),
        )  # fmt: skip
        records = ((digest, _line(record)) for digest, record in found.records.items())
        with self.transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO deals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, row_digest(*row))
            )
            db.executemany("INSERT OR IGNORE INTO records VALUES (?, ?)", records)

    def rows(self, deals: Iterable[str]) -> Iterator[StoredAnswer]:
        """The stored answers to some deals, in their order, as far as there are any."""
        for deal in deals:
            with suppress(DamagedError):
                key, _, _, outcome, value, seconds, timeout, memory, _ = self._row(deal)
                yield StoredAnswer(key, outcome, value, seconds, timeout, memory)

    def _row(self, deal: str) -> tuple[Any, ...]:
        """The row of a deal without its digest. Raises DamagedError if there is none with a valid digest."""
        for *row, held in self.ask("SELECT * FROM deals WHERE deal = ?", (deal,), *KINDS):
            if len(row) + 1 == len(KINDS) and row_digest(*row) == held:
                return tuple(row)
        raise self.damaged()

    def deals(self) -> list[str]:
        """The answered deals, in the order of their answers."""
        return [deal for (deal,) in self.ask("SELECT deal FROM deals ORDER BY rowid", (), TEXT)]

    def answered(self, deal: str) -> DealAnswer:
        """The whole answer to a deal that there is. DatabaseError if it is damaged."""
        try:
            _, seed, chance, outcome, value, *_, verdict = self._row(deal)
            outcomes = tuple(str(outcome) for outcome in json.loads(chance))
            result = verdict_from(json.loads(verdict))
            if (result.outcome, result.numbers.get("value")) != (outcome, value):
                raise ValueError(f"its row says {outcome}, its verdict {result.outcome}")
            return DealAnswer(Deal(seed, outcomes), outcomes, result, self._records(result))
        except (ValueError, TypeError, RecursionError, StoreError) as error:
            raise DatabaseError(f"the answer to {deal} is damaged: {error}") from None

    def _records(self, verdict: Verdict) -> dict[str, object]:
        result = {}
        for digest in Store([verdict]).used():
            rows = [*self.ask("SELECT record FROM records WHERE digest = ?", (digest,), TEXT)]
            if not rows:
                raise ValueError(f"the play {digest[:12]} is missing")
            record = json.loads(rows[0][0])
            if Store().keep(record) != digest:
                raise ValueError(f"the play {digest[:12]} is not the one that was kept")
            result[digest] = record
        return result


def noted_of(question: Question) -> dict[str, object]:
    """The data to load the game of a survey again."""
    return {
        "load": {
            "ruleset": question.ruleset,
            "players": question.players,
            "parameters": dict(question.parameters),
            "readings": dict(question.readings),
        }
    }


def _line(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
