"""The cache of files that can be computed again, in a folder that only the user can write to.

Tables of the parser and machine code are read from it and used without further checks, so the folder and its
parents must belong to the user or root. Each file begins with a SHA-256 digest of the rest; a damaged file
counts as missing.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import stat
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from .diagnostics import printable
from .files import write_bytes
from .reading import read_bytes, resolved

DIGEST = 32
MOST_BYTES = 64 << 20
"""The largest file that is read."""


def cache_folder() -> Path | None:
    """The cache folder, created if it is missing: `RULESPEC_CACHE`, else `rulespec` in the user's cache.

    None if others could write to it or it cannot be created; a warning on standard error says so once.
    """
    own = os.environ.get("RULESPEC_CACHE")
    shared = os.environ.get("XDG_CACHE_HOME", "")
    try:
        caches = Path(shared) if Path(shared).is_absolute() else Path.home() / ".cache"
        folder = (Path(own) if own else caches / "rulespec").absolute()
    except RuntimeError:  # the user has no home folder
        return None
    return folder if _usable(folder) else None


@lru_cache(maxsize=8)
def _usable(folder: Path) -> bool:
    with suppress(FileExistsError):
        try:
            folder.mkdir(mode=0o700, parents=True)
        except FileExistsError:
            pass
        except OSError as error:
            _warn(f"nothing is kept between runs: {folder} cannot be made ({error.strerror})")
            return False
    reason = unsafe(folder)
    if reason:
        _warn(f"nothing is kept between runs: {reason}")
    return not reason


def _warn(text: str) -> None:
    """Print a warning, in the first process only."""
    if multiprocessing.parent_process() is None:
        print(printable(f"rulespec: {text}"), file=sys.stderr)


def unsafe(folder: Path) -> str:
    """The reason why other users could write to a folder or replace it; empty if they cannot."""
    if not hasattr(os, "geteuid"):  # as on Windows, where other users cannot write to a user's folders
        return ""
    real = resolved(folder)
    try:
        status = real.stat()
    except OSError as error:
        return f"{real} is no folder ({error.strerror})"
    if not stat.S_ISDIR(status.st_mode):
        return f"{real} is no folder"
    if status.st_uid != os.geteuid():
        return f"{real} belongs to somebody else"
    if status.st_mode & 0o022:
        return f"others may write to {real} (chmod go-w would mend it)"
    for above in real.parents:
        status = above.stat()
        theirs = status.st_uid not in (0, os.geteuid())
        group = status.st_mode & 0o020 and status.st_gid not in (0, os.getegid())
        shared = (status.st_mode & 0o002 or group) and not status.st_mode & stat.S_ISVTX
        if theirs or shared:
            return f"others may write to {above}, above {real}"
    return ""


def read_cached(path: Path) -> bytes | None:
    """The content of a cached file; None if it is missing or damaged."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError:
        return None
    body = content[DIGEST:]
    return body if hashlib.sha256(body).digest() == content[:DIGEST] else None


def write_cached(path: Path, content: bytes) -> None:
    """Write a cached file; without effect if that fails."""
    with suppress(OSError):
        write_bytes(path, hashlib.sha256(content).digest() + content)


def read_cached_data(name: str, key: str) -> Any:
    """The JSON data cached in file `name` of the cache folder under this key; None if there is none."""
    folder = cache_folder()
    content = None if folder is None else read_cached(folder / name)
    try:
        entry = json.loads(content or b"null")
    except (ValueError, RecursionError):
        return None
    return entry.get("data") if isinstance(entry, dict) and entry.get("key") == key else None


def write_cached_data(name: str, key: str, data: Any) -> None:
    """Cache JSON data in file `name`; the key is a digest of everything that the data was computed from."""
    folder = cache_folder()
    if folder is not None:
        write_cached(folder / name, json.dumps({"key": key, "data": data}, separators=(",", ":")).encode())
