"""A store of verdicts in a file that several processes may write at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .files import locked_folder
from .verdicts import Store, Verdict


class StoreFile:
    """The store in a file, read when it is made and brought up to date with each change.

    A change reads what others have written meanwhile, adds to it and writes it in one step while no other
    process can do the same; so two that write at once lose nothing. StoreError for a damaged store.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = Store.read(path)
        self._written: tuple[int, int, int] | None = None
        """What tells the file as this process has written it from any other."""

    @contextmanager
    def locked(self) -> Iterator[Store]:
        """The store as it is now, which no other process changes meanwhile; see `write`."""
        with locked_folder(self.path.parent):
            if self._written is None or self._written != self._status():
                newer = Store.read(self.path)
                newer.records = {**self.store.records, **newer.records}
                self.store = newer
            yield self.store

    def write(self) -> None:
        """Write the store while it is locked. OSError where it cannot be written."""
        self.store.write(self.path)
        self._written = self._status()

    def put(self, verdict: Verdict) -> Verdict:
        """Keep a verdict unless one that was stored meanwhile says more; which one is kept."""
        with self.locked() as store:
            kept = store.put_stronger(verdict)
            self.write()
        return kept

    def _status(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
