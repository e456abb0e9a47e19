"""Detects changes of the files that this process was loaded from."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

Stamp = tuple[int, int, int]
INSTALLED = ("site-packages", "dist-packages")
"""The names of folders that change when a package is installed or removed."""


class Program:
    """The files of the program: those of the given folders, and those of every module that is loaded."""

    def __init__(self, folders: Iterable[str]) -> None:
        """As they are now."""
        self._folders = [*folders]
        modules = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
        installed = {folder for folder in sys.path if folder.endswith(INSTALLED)}
        self._others = {file for file in modules if file} | installed
        self._before = self._now()

    @property
    def changed(self) -> bool:
        """True if a file was changed, added or removed."""
        return self._now() != self._before

    def _now(self) -> dict[str, Stamp]:
        found: dict[str, Stamp] = {}
        for path in self._others:
            with suppress(OSError):
                found[path] = _stamp(os.stat(path))  # noqa: PTH116
        for folder in self._folders:
            found.update(_below(folder))
        return found


def _below(folder: str) -> Iterator[tuple[str, Stamp]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _below(entry.path)
            else:
                yield entry.path, _stamp(entry.stat())


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_size, status.st_mtime_ns, status.st_ino
