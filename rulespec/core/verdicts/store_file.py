"""A store of verdicts in a file that several processes may write concurrently."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..storage.atomic_files import locked_folder
from .store import Store
from .verdict import Verdict


class StoreFile:
    """The store in a file, read at creation and again before each change if the file has changed.

    A change reads, modifies and writes the file under a lock, so that concurrent writers lose nothing.
    Raises StoreError if the store is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = Store.read(path)
        self._written: tuple[int, int, int] | None = None
        """Inode, time of change and size of the file as this process wrote it last."""

    @contextmanager
    def lock(self) -> Iterator[Store]:
        """The current store, with the file locked within the block; `write` saves changes."""
        with locked_folder(self.path.parent):
            if self._written is None or self._written != self._status():
                newer = Store.read(self.path)
                newer.records = {**self.store.records, **newer.records}
                self.store = newer
            yield self.store

    def write(self) -> None:
        """Write the store, within `lock`. Raises OSError if it cannot be written."""
        self.store.write(self.path)
        self._written = self._status()

    def put(self, verdict: Verdict) -> Verdict:
        """Store a verdict unless there is a stronger one (`Store.put_stronger`); returns the stored one."""
        with self.lock() as store:
            kept = store.put_stronger(verdict)
            self.write()
        return kept

    def _status(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size
