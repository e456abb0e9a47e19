"""Files of results that several processes open at once."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rulespec.simulation import result_file


class Notes(result_file.ResultFile):
    format = "notes"
    what = "notes"

    def is_sound(self) -> bool:
        return True


class RefusedTwice(sqlite3.Connection):
    """A connection whose file another process is changing to a log that is written ahead."""

    refusals = 2

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if "journal_mode" in statement and self.refusals:
            self.refusals -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(statement, *values)


def test_a_new_file_that_two_processes_make_at_once_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two simulations with one new database ended with `database is locked`, once in sixty times."""
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *given, **options: connect(*given, factory=RefusedTwice, **options)
    )
    monkeypatch.setattr(result_file, "PAUSE", 0.0)
    with Notes(tmp_path / "notes.sqlite", {"asked": 1}, ["note (text TEXT)"]) as notes:
        assert list(notes.ask("PRAGMA journal_mode", (), result_file.TEXT)) == [("wal",)]
        assert notes.connection.refusals == 0  # type: ignore[attr-defined]
