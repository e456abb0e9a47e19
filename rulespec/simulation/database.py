"""Where the games of a run are kept as they come: one SQLite file for each run, one writer, whole batches.

A batch is one transaction, so what was killed half-way leaves whole batches behind, and the next run plays
only what is missing. Tables: `run` (what was asked, as names and values), `batches` (which games were played)
and `results` (what became of them: alike games of a batch share a row, `games` says how many they are and
`example` is the number of the first).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .kept import Kept
from .playing import PLAIN, Batch, Outcomes

CHUNK = 10_000


class Stretch(NamedTuple):
    """So many games from a number on."""

    first: int
    games: int


class Database(Kept):
    """The games of one run."""

    format = "rulespec simulation 1"
    what = "games"

    def __init__(
        self, path: Path, asked: Mapping[str, object], players: Sequence[object], actions: Sequence[str]
    ) -> None:
        """Open the database of the run that was asked for, made if there is none.

        `players` are those that have scores. DatabaseError if it holds anything else.
        """
        self._scores = [f"score {player}" for player in players]
        self._actions = [f"played {action}" for action in actions]
        numbers = "".join(f", {_quoted(name)} INTEGER" for name in [*self._scores, *self._actions])
        tables = (
            "batches (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, games INTEGER NOT NULL, "
            "seconds REAL NOT NULL, UNIQUE (first, games))",
            "results (batch INTEGER NOT NULL REFERENCES batches, games INTEGER NOT NULL, "
            "example INTEGER NOT NULL, plies INTEGER NOT NULL, ended TEXT NOT NULL, winners TEXT NOT NULL"
            f"{numbers})",
        )
        super().__init__(path, asked, tables)

    # ---- what is there

    def held(self, games: int) -> tuple[list[int], list[Stretch]]:
        """The batches that hold the first so many games, none of them twice, and what is missing."""
        found = self.connection.execute(
            "SELECT id, first, games FROM batches WHERE first + games <= ? ORDER BY first, games DESC",
            (games,),
        )
        batches, missing, at = [], [], 0
        for batch, first, count in found:
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
        """What became of the games of some batches, many at a time."""
        columns = ", ".join(map(_quoted, ["batch", *PLAIN, *self._scores, *self._actions]))
        wanted = set(batches)
        rows = self.connection.execute(f"SELECT {columns} FROM results")
        while chunk := [*islice(rows, CHUNK)]:
            kept = (row[1:] for row in chunk if row[0] in wanted)
            yield Outcomes.of_rows(kept, len(self._scores), len(self._actions))

    # ---- what comes

    def put(self, batch: Batch) -> None:
        """Keep a batch, all of it or nothing."""
        marks = ", ".join("?" * (len(PLAIN) + len(self._scores) + len(self._actions)))
        db = self.connection
        db.execute("BEGIN IMMEDIATE")
        made = db.execute(
            "INSERT OR IGNORE INTO batches (first, games, seconds) VALUES (?, ?, ?)",
            (batch.first, batch.games, batch.seconds),
        )
        if made.rowcount:  # else another process that runs the same has just put it there
            rows = batch.outcomes.rows()
            db.executemany(f"INSERT INTO results VALUES ({made.lastrowid}, {marks})", rows)
        db.execute("COMMIT")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
