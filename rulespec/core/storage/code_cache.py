"""Generated code and machine code in the cache: one file for each, named by a digest of all it is made from.

A file counts only if this installation wrote it for that digest: see `authentication`.

The folder stays within bounds: files not used for long go, in a full folder more. Whatever is removed is
made again by the process that asks for it, so several processes may tidy at once.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from .atomic_files import regular_files
from .cache import cache_folder, read_cached, write_cached

PREFIX = "rulespec_code_"
OURS = re.compile(rf"{PREFIX}[0-9a-f]{{32}}")
"""The name of a file with code."""
DAY = 86_400.0
OLDEST = 30 * DAY
"""Code that was not used for so many seconds goes."""
MOST_BYTES = 512 << 20
"""If all code takes more, the least recently used goes, too,"""
IN_USE = DAY / 24
"""but none that was used within so many seconds: somebody may be about to load it."""
BEGUN = time.time()
MARGIN = 1.0
"""A module of ours that was changed later than so many seconds before `BEGUN` may run as it was before."""


def digest_of(*parts: str) -> str:
    """A digest in hexadecimal of texts that code is made from, and of the program that makes it."""
    total = hashlib.sha256(_program().encode())
    for part in parts:
        total.update(f" {len(part)} ".encode())
        total.update(part.encode())
    return total.hexdigest()


@cache
def _program() -> str:
    return modules_digest(Path(__file__).resolve().parent.parent.parent)


def modules_digest(top: Path) -> str:
    """A digest of Python and of all modules of a package.

    If a module was changed while this process began, or since, the process may have read it before: then the
    digest is nobody else's, lest code of the old modules be kept for the new ones.
    """
    total = hashlib.sha256(sys.version.encode())
    for path in sorted(top.rglob("*.py")):
        total.update(f"{path.relative_to(top)} ".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
        if path.stat().st_mtime > BEGUN - MARGIN:
            total.update(os.urandom(32))
    return total.hexdigest()


def read_code(digest: str) -> bytes | None:
    """The code that is kept under a digest; None if there is none that this installation wrote."""
    folder = cache_folder()
    content = None if folder is None else read_cached(_name(digest), digest)
    if content is not None and folder is not None:
        with suppress(OSError):
            os.utime(folder / _name(digest))  # `tidy` removes files by their last use
    return content


def write_code(digest: str, content: bytes) -> None:
    """Keep code under a digest; without effect if that fails."""
    folder = cache_folder()
    if folder is not None:
        _tidied(folder)
        write_cached(_name(digest), digest, content)


@cache
def _tidied(folder: Path) -> None:
    """Tidy a folder once in a process: to look at its files costs 10 ms for a thousand of them."""
    tidy(folder)


def _name(digest: str) -> str:
    return f"{PREFIX}{digest[:32]}"


def tidy(folder: Path) -> None:
    """Remove code that is old or, the folder being too full, was not used for longest."""
    held: dict[Path, os.stat_result] = {}
    for path in regular_files(folder, OURS):
        with suppress(OSError):  # another process removed it
            held[path] = path.stat()
    now = time.time()
    left = sum(stat.st_size for stat in held.values())
    for path, stat in sorted(held.items(), key=lambda item: item[1].st_mtime):
        age = now - stat.st_mtime
        if age < IN_USE or (age < OLDEST and left <= MOST_BYTES):
            return
        path.unlink(missing_ok=True)
        left -= stat.st_size
