"""What can be made again is kept between runs, in a folder that nobody but the user can write to.

What lies there is believed: tables of the parser, machine code. So the folder, and those above it, must be
the user's own. Each file begins with a digest of the rest; one that is damaged is as if it were not there.
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

from .files import write_bytes
from .reading import read_bytes

DIGEST = 32
MOST_BYTES = 64 << 20
"""No larger file is read."""


def cache_folder() -> Path | None:
    """The folder, made where it is missing: that in `RULESPEC_CACHE`, else one among the user's own.

    None where there is no folder that only the user can write to, or none can be made, which is said once.
    """
    named = os.environ.get("RULESPEC_CACHE")
    others = os.environ.get("XDG_CACHE_HOME", "")
    try:
        beside = Path(others) if Path(others).is_absolute() else Path.home() / ".cache"
        folder = (Path(named) if named else beside / "rulespec").absolute()
    except RuntimeError:  # nobody knows where the user is at home
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
            return _said(f"nothing is kept between runs: {folder} cannot be made ({error.strerror})")
    doubt = unsafe(folder)
    return not doubt or _said(f"nothing is kept between runs: {doubt}")


def _said(text: str) -> bool:
    if multiprocessing.parent_process() is None:
        print(f"rulespec: {text}", file=sys.stderr)
    return False


def unsafe(folder: Path) -> str:
    """Why others might write to a folder, or put another in its place; empty where they cannot."""
    if not hasattr(os, "geteuid"):  # as on Windows, where a user's folders are the user's
        return ""
    real = folder.resolve()
    found = real.stat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{real} is no folder"
    if found.st_uid != os.geteuid():
        return f"{real} belongs to somebody else"
    if found.st_mode & 0o022:
        return f"others may write to {real} (chmod go-w would mend it)"
    for above in real.parents:
        found = above.stat()
        theirs = found.st_uid not in (0, os.geteuid())
        group = found.st_mode & 0o020 and found.st_gid not in (0, os.getegid())
        shared = (found.st_mode & 0o002 or group) and not found.st_mode & stat.S_ISVTX
        if theirs or shared:
            return f"others may write to {above}, above {real}"
    return ""


def kept(path: Path) -> bytes | None:
    """What was kept in a file of the folder; None where there is nothing, or it is damaged."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError:
        return None
    held = content[DIGEST:]
    return held if hashlib.sha256(held).digest() == content[:DIGEST] else None


def keep(path: Path, content: bytes) -> None:
    """Keep something in a file of the folder; where it cannot be, nothing is."""
    with suppress(OSError):
        write_bytes(path, hashlib.sha256(content).digest() + content)


def kept_data(name: str, key: str) -> Any:
    """Plain data that was kept under a name, if it was made from what the key stands for; else None."""
    folder = cache_folder()
    content = None if folder is None else kept(folder / name)
    try:
        found = json.loads(content or b"null")
    except (ValueError, RecursionError):
        return None
    return found.get("data") if isinstance(found, dict) and found.get("key") == key else None


def keep_data(name: str, key: str, data: Any) -> None:
    """Keep plain data under a name, with what stands for everything that it was made from."""
    folder = cache_folder()
    if folder is not None:
        keep(folder / name, json.dumps({"key": key, "data": data}, separators=(",", ":")).encode())
