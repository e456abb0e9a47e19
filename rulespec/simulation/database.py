"""The stored games of a run: one SQLite file for each run, one writer, complete batches.

A batch is one transaction, so a killed run leaves complete batches, and the next run plays only the missing
games. Tables: `run` (the subject, as names and values), `batches` (the games that were played) and `results`
(their results: equal games of a batch share a row, `games` is their number and `example` the number of the
first).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .playing import PLAIN, Batch, Outcomes
from .result_file import CHUNK, NUMBER, NUMBER_OR_NONE, TEXT, ResultFile, row_digest

KINDS = (*[NUMBER] * 4, TEXT, TEXT, NUMBER_OR_NONE)
"""The types of the columns of `results`."""


class Stretch(NamedTuple):
    """Consecutive games from a number on."""

    first: int
    games: int


class Database(ResultFile):
    """The games of one run."""

    format = "rulespec simulation 3"
    what = "games"

    def __init__(
        self, path: Path, asked: Mapping[str, object], players: Sequence[object], actions: Sequence[str]
    ) -> None:
        """Open or create the database of a run.

        `players` are those that have scores. Raises DatabaseError if the file holds anything else.
        """
        self._scores = [f"score {player}" for player in players]
        self._actions = [f"played {action}" for action in actions]
        numbers = "".join(f", {_quote(name)} INTEGER" for name in [*self._scores, *self._actions])
        tables = (
            "batches (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, games INTEGER NOT NULL, "
            "seconds REAL NOT NULL, digest TEXT NOT NULL, UNIQUE (first, games))",
            "results (batch INTEGER NOT NULL REFERENCES batches, games INTEGER NOT NULL, "
            "example INTEGER NOT NULL, plies INTEGER NOT NULL, ended TEXT NOT NULL, winners TEXT NOT NULL"
            f"{numbers})",
        )
        super().__init__(path, asked, tables)

    # ---- what is there

    def is_sound(self) -> bool:
        """True if the results of every batch have the digest stored with them."""
        columns = ", ".join(map(_quote, ["batch", *PLAIN, *self._scores, *self._actions]))
        rows = self.ask(f"SELECT {columns} FROM results ORDER BY rowid", (), *KINDS)
        digests: dict[int, str] = {}
        for batch, *row in rows:
            digests[batch] = row_digest(digests.get(batch, ""), *row)
        batches = self.ask("SELECT id, first, games, digest FROM batches", (), *[NUMBER] * 3, TEXT)
        return all(held == row_digest(*of, digests.get(batch, "")) for batch, *of, held in batches)

    def covering_batches(self, games: int) -> tuple[list[int], list[Stretch]]:
        """The batches that cover the first `games` games without overlap, and the missing stretches."""
        question = "SELECT id, first, games FROM batches WHERE first + games <= ? ORDER BY first, games DESC"
        batches, missing, at = [], [], 0
        for batch, first, count in self.ask(question, (games,), NUMBER):
            if first < at:
                continue
            if first > at:
                missing.append(Stretch(at, first - at))
            batches.append(batch)
            at = first + count
        if at < games:
            missing.append(Stretch(at, games - at))
        return batches, missing

    def outcomes(self, batches: Sequence[int]) -> Iterator[Outcomes]:
        """The results of the games of some batches, in large portions."""
        columns = ", ".join(map(_quote, ["batch", *PLAIN, *self._scores, *self._actions]))
        wanted = set(batches)
        rows = self.ask(f"SELECT {columns} FROM results", (), *KINDS)
        while chunk := [*islice(rows, CHUNK)]:
            kept = (row[1:] for row in chunk if row[0] in wanted)
            yield Outcomes.of_rows(kept, len(self._scores), len(self._actions))

    # ---- what comes

    def put(self, batch: Batch) -> None:
        """Store a batch in one transaction."""
        marks = ", ".join("?" * (len(PLAIN) + len(self._scores) + len(self._actions)))
        with self.transaction() as db:
            rows, whole = [*batch.outcomes.rows()], ""
            for row in rows:
                whole = row_digest(whole, *row)
            made = db.execute(
                "INSERT OR IGNORE INTO batches (first, games, seconds, digest) VALUES (?, ?, ?, ?)",
                (batch.first, batch.games, batch.seconds, row_digest(batch.first, batch.games, whole)),
            )
            if made.rowcount:  # otherwise another process has stored the same batch
                db.executemany(f"INSERT INTO results VALUES ({made.lastrowid}, {marks})", rows)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
