"""The cache of files that can be computed again, in a folder that only the user can write to.

Tables of the parser and machine code are read from it and used without further checks. So the folder and its
parents must belong to the user or root, each file to the user alone, and each begins with a keyed digest of
its name, of what it was made from, and of the rest: see `authentication`. Any other file counts as missing.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from .atomic_files import write_bytes
from .authentication import SIZE, authenticate, has_key, verify
from .private_folders import unsafe, user_folder, warn
from .safe_reading import read_private

MOST_BYTES = 64 << 20
"""The largest file that is read."""


def cache_folder() -> Path | None:
    """The cache folder, created if it is missing: `RULESPEC_CACHE`, else `rulespec` in the user's cache.

    None if it is unusable: others could write to it, it cannot be created, its path is relative, or there is
    no key to authenticate files. A warning on standard error says so once.
    """
    folder = user_folder("RULESPEC_CACHE", "XDG_CACHE_HOME", ".cache")
    return folder if folder is not None and has_key() and _usable(folder) else None


@lru_cache(maxsize=8)
def _usable(folder: Path) -> bool:
    """True if the folder exists, or could be made, and is safe; else warn."""
    with suppress(FileExistsError):
        try:
            folder.mkdir(mode=0o700, parents=True)
        except FileExistsError:
            pass
        except OSError as error:
            warn(f"nothing is kept between runs: {folder} cannot be made ({error.strerror})")
            return False
    reason = unsafe(folder)
    if reason:
        warn(f"nothing is kept between runs: {reason}")
    return not reason


def read_cached(name: str, made_from: str) -> bytes | None:
    """The content of a file of the cache folder; None unless this installation wrote it.

    `made_from` is a digest of everything that the content depends on.
    """
    folder = cache_folder()
    if folder is None:
        return None
    try:
        content = read_private(folder / name, MOST_BYTES)
    except OSError:
        return None
    body = content[SIZE:]
    return body if verify(f"{name} {made_from}", body, content[:SIZE]) else None


def write_cached(name: str, made_from: str, content: bytes) -> None:
    """Write a file of the cache folder; does nothing if that fails."""
    folder = cache_folder()
    if folder is not None:
        with suppress(OSError):
            sealed = authenticate(f"{name} {made_from}", content) + content
            write_bytes(folder / name, sealed, private=True)


def read_cached_data(name: str, made_from: str) -> Any:
    """The JSON data in a file of the cache folder; None if there is none. See `read_cached`."""
    try:
        return json.loads(read_cached(name, made_from) or b"null")
    except (ValueError, RecursionError):
        return None


def write_cached_data(name: str, made_from: str, data: Any) -> None:
    """Write JSON data to a file of the cache folder; without effect if that fails."""
    write_cached(name, made_from, json.dumps(data, separators=(",", ":")).encode())
