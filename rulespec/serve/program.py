"""Detects changes of the files that this process was loaded from."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

Stamp = tuple[int, int, int]
INSTALLED = ("site-packages", "dist-packages")
"""The names of folders that change when a package is installed or removed."""


class Program:
    """The files of the program: those of the given folders, and those of every module that is loaded."""

    def __init__(self, folders: Iterable[str]) -> None:
        """As they are now."""
        self._given = [*folders]
        modules = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
        installed = {folder for folder in sys.path if folder.endswith(INSTALLED)}
        self._there = self._listed()
        self._files = [*{file for file in modules | installed if file} | self._there[0]]
        self._folders = [*self._there[1]]
        self._before = _stamps(self._folders), _stamps(self._files)

    @property
    def changed(self) -> bool:
        """True if a file was changed, added or removed."""
        folders, files = self._before
        now = _stamps(self._folders)
        if now != folders:  # Python makes a `__pycache__` in them, too
            if self._listed() != self._there:
                return True
            self._before = now, files
        return _stamps(self._files) != files

    def _listed(self) -> tuple[set[str], set[str]]:
        """The files and the folders that there are."""
        files, folders = set[str](), [*self._given]
        for folder in folders:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not entry.is_dir():
                        files.add(entry.path)
                    elif entry.name != "__pycache__":
                        folders.append(entry.path)
        return files, {*folders}


def _stamps(paths: Iterable[str]) -> list[Stamp | None]:
    """Size, time and number of each file or folder, one of which changes with it; None if there is none."""
    found: list[Stamp | None] = []
    for path in paths:
        try:
            status = os.stat(path)
            found.append((status.st_size, status.st_mtime_ns, status.st_ino))
        except OSError:
            found.append(None)
    return found
