"""An SQLite file for one piece of work: what was asked stands in it, and results as they come."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ..core.cache import cache_folder

WAIT = 30.0
"""So many seconds one writer waits for another."""


class DatabaseError(ValueError):
    """A file that holds something else than what was asked for; says what."""


class Kept:
    """The file, with a table `run` of what was asked: names, and values in JSON. Close it, or use `with`."""

    format = ""
    """What the file is and its version: changes when the tables change, or what they mean."""
    what = ""
    """What it holds, in a word or two."""

    def __init__(
        self,
        path: Path,
        asked: Mapping[str, object],
        tables: Sequence[str],
        noted: Mapping[str, object] | None = None,
    ) -> None:
        """Open it, made with these tables if there is none. DatabaseError if it holds anything else.

        What is `noted` when it is made is not compared later.
        """
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
        try:
            self._begin(_written({"format": self.format, **asked}), _written(noted or {}), tables)
        except sqlite3.DatabaseError as error:
            self.close()
            raise DatabaseError(f"{path}: no database of {self.what} ({error})") from None
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
        self.connection.close()

    def _begin(self, wanted: Mapping[str, str], noted: Mapping[str, str], tables: Sequence[str]) -> None:
        db = self.connection
        # With a log that is written ahead a killed process loses nothing that was committed.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for table in ("run (name TEXT PRIMARY KEY, value TEXT NOT NULL)", *tables):
                db.execute(f"CREATE TABLE {table}")
            db.executemany("INSERT INTO run VALUES (?, ?)", {**noted, **wanted}.items())
        held = _asked(db)
        db.execute("COMMIT")
        if held.get("format") != self.format:
            raise DatabaseError(f"{self.path}: no database of {self.what} of this version")
        for name, value in wanted.items():
            found = json.dumps(held.get(name), ensure_ascii=False, sort_keys=True)
            if found != value:
                raise DatabaseError(
                    f"{self.path}: holds {self.what} of something else: its {name} is {found}, not {value}"
                )

    @classmethod
    def read_asked(cls, path: Path) -> dict[str, object]:
        """What a file says was asked. DatabaseError if it is not of this kind."""
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=WAIT)
        try:
            said = _asked(connection)
        except (sqlite3.DatabaseError, ValueError) as error:
            raise DatabaseError(f"{path}: no database of {cls.what} ({error})") from None
        finally:
            connection.close()
        if said.get("format") != cls.format:
            raise DatabaseError(f"{path}: no database of {cls.what} of this version")
        return said


def default_path(kind: str, form: str, asked: Mapping[str, object]) -> Path:
    """The file in a folder of the user's cache, named after the ruleset and a digest of what was asked."""
    key = hashlib.sha256(json.dumps([form, asked], ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    return cache_folder() / kind / f"{asked['ruleset']}-{key[:16]}.sqlite"


def _written(asked: Mapping[str, object]) -> dict[str, str]:
    return {name: json.dumps(value, ensure_ascii=False, sort_keys=True) for name, value in asked.items()}


def _asked(connection: sqlite3.Connection) -> dict[str, object]:
    """What a database says was asked; nothing if it is not one of ours."""
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone()
    rows = connection.execute("SELECT name, value FROM run") if known else ()
    return {str(name): json.loads(value) for name, value in rows}
