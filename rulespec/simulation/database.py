"""Where the games of a run are kept as they come: one SQLite file for each run, one writer, whole batches.

A batch is one transaction, so what was killed half-way leaves whole batches behind, and the next run plays
only what is missing. Tables: `run` (what was asked, as names and values), `batches` (which games were played)
and `results` (what became of them: alike games of a batch share a row, `games` says how many they are and
`example` is the number of the first).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from .playing import PLAIN, Batch, Outcomes

FORMAT = "rulespec simulation 1"
"""Changes whenever the same seed would give other games, or the tables change."""
WAIT = 30.0
"""So many seconds one writer waits for another."""
CHUNK = 10_000


class DatabaseError(ValueError):
    """A file that is no database of games, or of another run; says which."""


class Stretch(NamedTuple):
    """So many games from a number on."""

    first: int
    games: int


class Database:
    """The games of one run. Close it, or use it in `with`."""

    def __init__(
        self, path: Path, asked: Mapping[str, object], players: Sequence[object], actions: Sequence[str]
    ) -> None:
        """Open the database of the run that was asked for, made if there is none.

        `players` are those that have scores. DatabaseError if it holds anything else.
        """
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._scores = [f"score {player}" for player in players]
        self._actions = [f"played {action}" for action in actions]
        asked = {"format": FORMAT, **asked}
        wanted = {
            name: json.dumps(value, ensure_ascii=False, sort_keys=True) for name, value in asked.items()
        }
        self._connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
        try:
            self._begin(wanted)
        except sqlite3.DatabaseError as error:
            self.close()
            raise DatabaseError(f"{path}: no database of games ({error})") from None
        except DatabaseError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._connection.close()

    def _begin(self, wanted: Mapping[str, str]) -> None:
        db = self._connection
        # With a log that is written ahead a killed process loses nothing that was committed.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self._make(wanted)
        held = dict(db.execute("SELECT name, value FROM run")) if self._has("run") else {}
        db.execute("COMMIT")
        if json.loads(held.get("format", "null")) != FORMAT:
            raise DatabaseError(f"{self._path}: no database of games of this version")
        for name, value in wanted.items():
            if held.get(name) != value:
                raise DatabaseError(
                    f"{self._path}: holds the games of another run: its {name} is {held.get(name)}, "
                    f"not {value}"
                )

    def _has(self, table: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,))
        return found.fetchone() is not None

    def _make(self, wanted: Mapping[str, str]) -> None:
        numbers = "".join(f", {_quoted(name)} INTEGER" for name in [*self._scores, *self._actions])
        for statement in (
            "CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
            "CREATE TABLE batches (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, games INTEGER NOT NULL, "
            "seconds REAL NOT NULL, UNIQUE (first, games))",
            "CREATE TABLE results (batch INTEGER NOT NULL REFERENCES batches, games INTEGER NOT NULL, "
            "example INTEGER NOT NULL, plies INTEGER NOT NULL, ended TEXT NOT NULL, winners TEXT NOT NULL"
            f"{numbers})",
        ):
            self._connection.execute(statement)
        self._connection.executemany("INSERT INTO run VALUES (?, ?)", wanted.items())

    # ---- what is there

    def held(self, games: int) -> tuple[list[int], list[Stretch]]:
        """The batches that hold the first so many games, none of them twice, and what is missing."""
        found = self._connection.execute(
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
        rows = self._connection.execute(f"SELECT {columns} FROM results")
        while chunk := [*islice(rows, CHUNK)]:
            kept = (row[1:] for row in chunk if row[0] in wanted)
            yield Outcomes.of_rows(kept, len(self._scores), len(self._actions))

    # ---- what comes

    def put(self, batch: Batch) -> None:
        """Keep a batch, all of it or nothing."""
        marks = ", ".join("?" * (len(PLAIN) + len(self._scores) + len(self._actions)))
        db = self._connection
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
