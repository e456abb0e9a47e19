"""Answers to one question about many deals, as they come: an SQLite file with one writer.

Tables: `run` (the question), `deals` (one row for each: the outcomes of chance, the verdict, its limits) and
`records` (the plays that evidence refers to, under their digests).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rulespec.budgets import UNBOUNDED, Budget
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import PROVED, REFUTED, Store, StoreError, Verdict, verdict_from
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.executors import Executor, Rules
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.simulation.result_file import (
    NUMBER,
    NUMBER_OR_NONE,
    REAL,
    TEXT,
    DamagedError,
    DatabaseError,
    ResultFile,
    default_path,
)

from .spreading import QuestionPart, QuestionTask, reply_of
from .worker import deal as dealt

SUBJECT = ("ruleset", "digest", "claim", "claim digest")
"""The subject of a survey, apart from deals, budget and executor."""


KINDS = (TEXT, (str, type(None)), TEXT, TEXT, NUMBER_OR_NONE, REAL, REAL, NUMBER, TEXT, TEXT)
"""The types of the columns of `deals`."""


class Deal(NamedTuple):
    """A deal: the outcomes of chance that a seed gives in the setup, or given outcomes without a seed."""

    seed: str | None
    chance: tuple[str, ...] | None = None

    @classmethod
    def of_play(cls, game: Game, chance: Sequence[str]) -> Deal:
        """The deal of a play, which may have further outcomes of chance. Raises ChanceError."""
        return cls(None, Machine(game).start(Chance(None, tuple(chance))).outcomes)

    @property
    def key(self) -> str:
        """The key of the deal in the database: its seed, or a digest of its outcomes."""
        if self.seed is not None:
            return self.seed
        text = json.dumps(self.chance, ensure_ascii=False)
        return "deal " + hashlib.sha256(text.encode()).hexdigest()[:16]

    def outcomes(self, game: Game) -> tuple[str, ...]:
        """The deal's outcomes of chance in a game. Raises ChanceError if it is impossible."""
        return self.chance if self.chance is not None else dealt(game, str(self.seed))


@dataclass(frozen=True)
class DealAnswer:
    """A deal with its verdict, its outcomes of chance, and the plays that the evidence refers to, by
    digest."""

    deal: Deal
    chance: tuple[str, ...]
    verdict: Verdict
    records: Mapping[str, Any]


class StoredAnswer(NamedTuple):
    """The stored answer for a deal without its evidence."""

    deal: str
    outcome: str
    value: int | None
    """The value of a best, if it was found."""
    seconds: float
    timeout: float
    memory: int


class Answers(ResultFile):
    """The answers to one question."""

    format = "rulespec survey 3"
    what = "answers"

    @classmethod
    def open(cls, game: Game, claim: Claim, rules: Rules, path: Path | None = None) -> Answers:
        """Open the answers to a question, or begin them; by default in the user's cache folder.

        Raises DatabaseError if the file holds other answers.
        """
        subject = cls.subject(game, claim)
        noted = {"load": {name: value for name, value in vars(rules).items() if name != "digest"}}
        return cls(path or default_path("surveys", cls.format, subject), subject, noted)

    @staticmethod
    def subject(game: Game, claim: Claim) -> dict[str, object]:
        """The subject of a survey on a claim: the values of `SUBJECT`."""
        return dict(zip(SUBJECT, (game.id, game.digest, claim.id, of_claim(claim)), strict=True))

    def __init__(
        self, path: Path, asked: Mapping[str, object], noted: Mapping[str, object] | None = None
    ) -> None:
        """Open or begin the answers to a question; see `open`."""
        tables = (
            "deals (deal TEXT PRIMARY KEY, seed TEXT, chance TEXT NOT NULL, outcome TEXT NOT NULL, "
            "value INTEGER, seconds REAL NOT NULL, timeout REAL NOT NULL, memory INTEGER NOT NULL, "
            "verdict TEXT NOT NULL, seal TEXT NOT NULL)",
            "records (digest TEXT PRIMARY KEY, record TEXT NOT NULL)",
        )
        super().__init__(path, asked, tables, noted)

    def is_sound(self) -> bool:
        """Always true: each answer has its own seal, and unsealed ones are decided again."""
        return True

    def put(self, found: DealAnswer, limits: Budget) -> None:
        """Store an answer in place of an older one, in one transaction."""
        verdict = found.verdict
        row = (
            found.deal.key, found.deal.seed, _line(found.chance), verdict.outcome,
            verdict.numbers.get("value"), float(verdict.seconds), float(limits.seconds), limits.memory,
            _line(verdict.to_data()),
        )  # fmt: skip
        records = ((digest, _line(record)) for digest, record in found.records.items())
        with self.transaction() as db:
            sealed = (*row, self.seal(*row))
            db.execute("INSERT OR REPLACE INTO deals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", sealed)
            db.executemany("INSERT OR IGNORE INTO records VALUES (?, ?)", records)

    def rows(self, deals: Iterable[str]) -> Iterator[StoredAnswer]:
        """The answers to some deals stored by this installation, in their order."""
        for deal in deals:
            with suppress(DamagedError):
                *row, seal = self._row(deal)
                if self.seal(*row) == seal:
                    key, _, _, outcome, value, seconds, timeout, memory, _ = row
                    yield StoredAnswer(key, outcome, value, seconds, timeout, memory)

    def suffices(self, deal: Deal, limits: Budget) -> bool:
        """True if a deal is decided, or was left open within limits as wide as these."""
        row = next(self.rows([deal.key]), None)
        if row is None:
            return False
        enough = row.timeout >= limits.seconds and row.memory >= limits.memory
        return enough or row.outcome in (PROVED, REFUTED)

    def _row(self, deal: str) -> tuple[Any, ...]:
        """The stored row for a deal, whoever wrote it. Raises DamagedError if there is none."""
        for row in self.ask("SELECT * FROM deals WHERE deal = ?", (deal,), *KINDS):
            if len(row) == len(KINDS):
                return row
        raise self.damage_error()

    def deals(self) -> list[str]:
        """The answered deals, in the order of their answers."""
        return [deal for (deal,) in self.ask("SELECT deal FROM deals ORDER BY rowid", (), TEXT)]

    def whole_answer(self, deal: str) -> DealAnswer:
        """The whole answer for a deal, whoever wrote it. Raises DatabaseError if it is damaged."""
        try:
            _, seed, chance, outcome, value, *_, verdict, _ = self._row(deal)
            outcomes = tuple(str(outcome) for outcome in json.loads(chance))
            result = verdict_from(json.loads(verdict))
            if (result.outcome, result.numbers.get("value")) != (outcome, value):
                raise ValueError(f"its row says {outcome}, its verdict {result.outcome}")
            return DealAnswer(Deal(seed, outcomes), outcomes, result, self._records(result))
        except (ValueError, TypeError, RecursionError, StoreError) as error:
            raise DatabaseError(f"the answer to {deal} is damaged: {error}") from None

    def _records(self, verdict: Verdict) -> dict[str, object]:
        """The records of the plays that a verdict names. Raises ValueError if one is missing or damaged."""
        result = {}
        for digest in Store([verdict]).referenced_plays():
            rows = [*self.ask("SELECT record FROM records WHERE digest = ?", (digest,), TEXT)]
            if not rows:
                raise ValueError(f"the play {digest[:12]} is missing")
            record = json.loads(rows[0][0])
            if Store().keep(record) != digest:
                raise ValueError(f"the play {digest[:12]} is not the one that was kept")
            result[digest] = record
        return result


def ask(
    kept: Answers,
    executor: Executor,
    game: Game,
    rules: Rules,
    claim: str,
    deals: Iterable[Deal],
    limits: Budget,
    *,
    lemmas: Sequence[Lemma] = (),
    engine: str | None = None,
    whole: Budget = UNBOUNDED,
    least: float = 0.0,
) -> Generator[DealAnswer]:
    """Decide the deals that have no sufficient answer yet, and store each answer as it arrives.

    `lemmas` are other claims that hold; `whole` is a budget for all deals together. A deal that stays open
    gets no answer if `whole` is spent, or left it fewer than `least` seconds. Raises ChanceError for an
    impossible deal, and the errors of the executor.
    """
    task = QuestionTask(limits.memory, limits.seconds, whole)
    given: dict[str, tuple[Deal, tuple[str, ...]]] = {}

    def parts() -> Iterator[QuestionPart]:
        for deal in deals:
            if not kept.suffices(deal, limits):
                given[deal.key] = deal, deal.outcomes(game)
                yield QuestionPart(deal.key, rules, claim, lemmas, chance=given[deal.key][1], engine=engine)

    for part, result in executor.results(task, parts()):
        reply = reply_of(part, result)
        found = DealAnswer(*given.pop(part.name), reply.verdict, reply.records)
        left = whole.seconds_left
        had_time = left > 0 and reply.verdict.seconds + left >= least
        if had_time or reply.verdict.outcome in (PROVED, REFUTED):
            kept.put(found, limits)
            yield found


def _line(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
