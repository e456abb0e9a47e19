"""An SQLite file for one piece of work: its subject, and results as they come."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self

from ..core.storage.atomic_files import check_target
from ..core.storage.authentication import authenticate
from ..core.storage.cache import cache_folder
from ..core.storage.safe_reading import resolve_path

MEMORY = Path(":memory:")
"""The path of a database in memory, which exists as long as the process."""
CHUNK = 10_000
"""Number of rows read at a time."""
RUN = "run (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
"""The table of the subject, as it is created."""
LONGEST = 100_000
"""Maximum length of a value in the table `run`."""
WAIT = 30.0
"""Seconds for which one writer waits for another."""
PAUSE = 0.01
"""Seconds before a refused change is tried again."""


Kind = tuple[type, ...]
"""The Python types that a value in a column may have."""
TEXT: Kind = (str,)
NUMBER: Kind = (int,)
NUMBER_OR_NONE: Kind = (int, type(None))
REAL: Kind = (float,)


class DatabaseError(ValueError):
    """Raised for a file with other contents than expected; the message says what they are."""


class DamagedError(DatabaseError):
    """Raised if the file is no database, or its contents were damaged."""


class ResultFile:
    """An SQLite file of results, with a table `run` of their subject: names, and values in JSON.

    Close it, or use `with`.
    """

    format = ""
    """The kind and version of the file; the version changes with the tables or their meaning."""
    what = ""
    """The contents, in a word or two."""

    def __init__(
        self,
        path: Path,
        asked: Mapping[str, object],
        tables: Sequence[str],
        noted: Mapping[str, object] | None = None,
    ) -> None:
        """Open or create the file; a damaged one in the cache folder is replaced. Raises DatabaseError.

        Values in `noted` are written on creation and not compared later.
        """
        self.path, self._subject = path, json.dumps([self.format, asked], ensure_ascii=False, sort_keys=True)
        if path != MEMORY:
            path.parent.mkdir(parents=True, exist_ok=True)
            check_target(path)
        wanted = _as_json({"format": self.format, **asked}), _as_json(noted or {}), tables
        try:
            self._open(*wanted)
        except DamagedError:
            folder = cache_folder()
            if folder is None or not path.is_relative_to(folder):
                raise
            for part in ("", "-wal", "-shm", "-journal"):
                Path(f"{path}{part}").unlink(missing_ok=True)
            self._open(*wanted)

    def _open(self, wanted: Mapping[str, str], noted: Mapping[str, str], tables: Sequence[str]) -> None:
        """Open the file or create it, and check that it is sound; closes it after an error."""
        with self._naming():
            self.connection = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)
        try:
            with self._naming():
                self._begin(wanted, noted, tables)
            if not self.is_sound():
                raise self.damage_error()
        except BaseException:
            self.close()
            raise

    def is_sound(self) -> bool:
        """True if the contents of the file are undamaged; called when it is opened."""
        raise NotImplementedError

    def damage_error(self) -> DamagedError:
        """The error to raise if `is_sound` is false."""
        return DamagedError(f"{self.path}: damaged, it holds other {self.what} than were written there")

    def seal(self, *values: object) -> str:
        """A keyed digest of values for this file's subject; see `core.storage.authentication`.

        Rows that help to decide something have it, so that they count only if they were written here.
        """
        return authenticate(self._subject, repr(values).encode("utf-8", "surrogatepass")).hex()

    def run(self, statement: str, values: Sequence[object] = ()) -> None:
        """Run a statement. Raises DatabaseError with the name of the file."""
        with self._naming():
            self.connection.execute(statement, values)

    def ask(self, question: str, values: Sequence[object], *kinds: Kind) -> Iterator[tuple[Any, ...]]:
        """The rows of a query. Raises DatabaseError, also for a value of the wrong type.

        `kinds` are the types of the columns; the last one applies to all further columns.
        """
        with self._naming():
            cursor = self.connection.execute(question, values)
            while listed := cursor.fetchmany(CHUNK):
                for row in listed:
                    for value, kind in zip_longest(row, kinds, fillvalue=kinds[-1]):
                        if type(value) not in kind:
                            raise self.damage_error()
                yield from listed

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction, rolled back if the block raises. Raises DatabaseError."""
        with self._naming():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn errors of SQLite in the block into DatabaseError with the path."""
        try:
            yield
        except sqlite3.Error as error:
            raise _named(self.path, self.what, error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; committed changes stay."""
        self.connection.close()

    def _begin(self, wanted: Mapping[str, str], noted: Mapping[str, str], tables: Sequence[str]) -> None:
        """Create the tables of a new file, or check that an old one has the wanted question."""
        db = self.connection
        _write_ahead(db)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for table in (RUN, *tables):
                db.execute(f"CREATE TABLE {table}")
            db.executemany("INSERT INTO run VALUES (?, ?)", {**noted, **wanted}.items())
        _check_schema(db, (RUN, *tables))
        held = _stored_question(db)
        db.execute("COMMIT")
        (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise sqlite3.DatabaseError(sound)
        if held.get("format") != self.format:
            raise DatabaseError(f"{self.path}: no database of {self.what} of this version")
        for name, value in wanted.items():
            found = json.dumps(held.get(name), ensure_ascii=False, sort_keys=True)
            if found != value:
                words = f"{self.path}: holds {self.what} of something else"
                raise DatabaseError(f"{words}: its {name} is {found}, not {value}")

    @classmethod
    def read_asked(cls, path: Path) -> dict[str, object]:
        """The question that a file answers. Raises DatabaseError for a file of another kind."""
        try:
            address = f"{resolve_path(path).as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True, timeout=WAIT)) as connection:
                said = _stored_question(connection)
        except sqlite3.Error as error:
            raise _named(path, cls.what, error) from None
        if said.get("format") != cls.format:
            raise DatabaseError(f"{path}: no database of {cls.what} of this version")
        return said


def default_path(kind: str, form: str, asked: Mapping[str, object]) -> Path:
    """The file in a folder of the user's cache, named after the ruleset and a digest of the subject.

    `MEMORY` if there is no cache folder.
    """
    key = hashlib.sha256(json.dumps([form, asked], ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    folder = cache_folder()
    return MEMORY if folder is None else folder / kind / f"{asked['ruleset']}-{key[:16]}.sqlite"


def row_digest(*values: object) -> str:
    """A short digest of numbers, texts and None, to be stored beside them: it detects damage, not forgery."""
    return hashlib.sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _named(path: Path, what: str, error: sqlite3.Error) -> DatabaseError:
    """The DatabaseError for an error of SQLite; a DamagedError if the file is no sound database."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        return DamagedError(f"{path}: no database of {what} ({error})")
    return DatabaseError(f"{path}: {error}")


def _as_json(asked: Mapping[str, object]) -> dict[str, str]:
    return {name: json.dumps(value, ensure_ascii=False, sort_keys=True) for name, value in asked.items()}


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch a database to a write-ahead log, so that a killed process loses nothing committed.

    SQLite does not wait if two processes do this to a new file at once: one is refused immediately.
    """
    until = monotonic() + WAIT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(PAUSE)


def _check_schema(db: sqlite3.Connection, tables: Sequence[str], others: bool = False) -> None:
    """Raise sqlite3.DatabaseError if a database holds anything but these tables, exactly as created here.

    A view may compute rows without end, and triggers run at each change. With `others` there may be other
    tables, which are not read.
    """
    held = set(db.execute("SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    wanted = {("table", f"CREATE TABLE {table}") for table in tables}
    if not (wanted <= held if others else wanted == held):
        raise sqlite3.DatabaseError("its tables are others than are made here")


def _stored_question(connection: sqlite3.Connection) -> dict[str, object]:
    """The question that a database answers; empty if it is not one of ours."""
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone()
    if known:
        _check_schema(connection, (RUN,), others=True)
    rows = connection.execute("SELECT name, value FROM run").fetchall() if known else []
    if not all(isinstance(value, str) and len(value) <= LONGEST for _, value in rows):
        raise sqlite3.DatabaseError("its table `run` holds no texts")
    try:
        return {str(name): json.loads(value) for name, value in rows}
    except (ValueError, RecursionError):
        raise sqlite3.DatabaseError("its table `run` is damaged") from None
