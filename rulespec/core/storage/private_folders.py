"""The folders for what the program keeps about a user between runs, and the safety of such folders."""

from __future__ import annotations

import os
import stat
import sys
from functools import cache
from pathlib import Path

from ..diagnostics import printable
from .safe_reading import resolve_path


def state_folder() -> Path | None:
    """The folder `RULESPEC_STATE`, else `rulespec` in the user's state folder; it may be missing.

    None if the user has no home folder, or the path is relative.
    """
    return user_folder("RULESPEC_STATE", "XDG_STATE_HOME", ".local", "state")


def user_folder(own: str, shared: str, *default: str) -> Path | None:
    """The folder named by the variable `own`, else `rulespec` in that of `shared` or a default at home.

    None if the user has no home folder, or for a relative path in `own`, with a warning: that would depend on
    the folder in which a command runs, which may come from somebody else.
    """
    if path := os.environ.get(own):
        if Path(path).is_absolute():
            return Path(path)
        warn(f"nothing is kept between runs: {own} must be an absolute path, not {path}")
        return None
    if Path(above := os.environ.get(shared, "")).is_absolute():
        return Path(above) / "rulespec"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home.joinpath(*default, "rulespec") if home.is_absolute() else None


@cache
def warn(text: str) -> None:
    """Print a warning on standard error, once and in the first process only."""
    children = sys.modules.get("multiprocessing.process")  # a child has loaded it; to load it takes long
    if children is None or children.parent_process() is None:
        print(printable(f"rulespec: {text}"), file=sys.stderr)


def unsafe(folder: Path) -> str:
    """The reason why other users could write to a folder or replace it; empty if they cannot."""
    if not hasattr(os, "geteuid"):  # as on Windows, where other users cannot write to a user's folders
        return ""
    real = resolve_path(folder)
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
