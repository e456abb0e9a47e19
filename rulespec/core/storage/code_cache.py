"""Generated code and machine code in the cache: one file for each, named by a digest of all its inputs.

A file counts only if this installation wrote it for that digest: see `authentication`.

The folder stays within bounds: files not used for long are removed, more of them from a full folder. A
removed file is made again on demand, so several processes may tidy at once.
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
"""Code not used for this many seconds is removed."""
MOST_BYTES = 512 << 20
"""If all code takes more, the least recently used is removed, too,"""
IN_USE = DAY / 24
"""except files used within this many seconds, which another process may be about to load."""
BEGUN = time.time()
MARGIN = 1.0
"""If a module was changed later than this many seconds before `BEGUN`, its old version may be running."""


def digest_of(*parts: str) -> str:
    """A hexadecimal digest of the texts that code is made from, and of the program that makes it."""
    total = hashlib.sha256(_program().encode())
    for part in parts:
        total.update(f" {len(part)} ".encode())
        total.update(part.encode())
    return total.hexdigest()


@cache
def _program() -> str:
    return modules_digest(Path(__file__).resolve().parent.parent.parent)


def modules_digest(top: Path) -> str:
    """The digest of Python and of all modules of a package.

    If a module has changed since shortly before this process began, the process may have read its old text:
    then the digest is unique, so that code from old modules is not stored for the new ones.
    """
    total = hashlib.sha256(sys.version.encode())
    for path in sorted(top.rglob("*.py")):
        total.update(f"{path.relative_to(top)} ".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
        if path.stat().st_mtime > BEGUN - MARGIN:
            total.update(os.urandom(32))
    return total.hexdigest()


def read_code(digest: str) -> bytes | None:
    """The code stored under a digest; None unless this installation wrote it."""
    folder = cache_folder()
    content = None if folder is None else read_cached(_name(digest), digest)
    if content is not None and folder is not None:
        with suppress(OSError):
            os.utime(folder / _name(digest))  # `tidy` removes files by their last use
    return content


def write_code(digest: str, content: bytes) -> None:
    """Store code under a digest; does nothing if that fails."""
    folder = cache_folder()
    if folder is not None:
        _tidy_once(folder)
        write_cached(_name(digest), digest, content)


@cache
def _tidy_once(folder: Path) -> None:
    """Tidy a folder once in a process: listing a thousand files costs 10 ms."""
    tidy(folder)


def _name(digest: str) -> str:
    return f"{PREFIX}{digest[:32]}"


def tidy(folder: Path) -> None:
    """Remove old code and, if the folder is too full, code that was not used recently."""
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
