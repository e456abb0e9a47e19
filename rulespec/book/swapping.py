"""Building a folder aside and putting it in the place of the old one in one step.

Only a folder that bears our mark, or an empty one, is ever replaced: whatever else somebody keeps in a place
that a configuration names stays as it is.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..core.files import locked_folder, make_folder

try:
    import fcntl
except ImportError:  # as on Windows; what a killed process left stays there
    fcntl = None  # type: ignore[assignment]

MARK = ".rulespec-site"
"""The name of an empty file that a folder made here holds."""
ASIDE = re.compile(r"\.rulespec-site-[0-9a-f]{32}")
"""The name of a folder that is being built or removed."""


class NotOurs(Exception):
    """A folder that was not made here, and is not replaced."""


def check_replaceable(target: Path) -> None:
    """Raise NotOurs unless a folder is missing, empty, or bears our mark."""
    try:
        found = target.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode):
        raise NotOurs(f"`{target}` is a link or no folder, and is not replaced")
    if any(target.iterdir()) and not _is_marked(target):
        raise NotOurs(
            f"`{target}` holds what `rulespec book` did not put there: empty it, or name another folder"
        )


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new folder to be filled, which then takes the place of a folder. Raises NotOurs.

    Where filling it fails, the old folder is as it was and the new one is removed.
    """
    check_replaceable(target)
    make_folder(target.parent)
    remove_unfinished(target.parent)
    aside = _name(target.parent)
    aside.mkdir()
    mark = os.open(aside / MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        if fcntl is not None:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield aside
        (aside / MARK).touch()
        with locked_folder(target.parent):
            _put(aside, target)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    finally:
        os.close(mark)


def _put(aside: Path, target: Path) -> None:
    """Put a folder in the place of another, which is removed."""
    check_replaceable(target)
    if not target.exists():
        aside.rename(target)
        return
    old = _name(target.parent)
    target.rename(old)
    try:
        aside.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def remove_unfinished(folder: Path) -> None:
    """Remove the folders that killed processes left while they built them."""
    if fcntl is None:
        return
    for path in folder.iterdir():
        if not (ASIDE.fullmatch(path.name) and stat.S_ISDIR(path.lstat().st_mode) and _is_marked(path)):
            continue
        with suppress(OSError):  # being built, or not ours to remove
            number = os.open(path / MARK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(number)


def _is_marked(folder: Path) -> bool:
    with suppress(FileNotFoundError):
        return stat.S_ISREG((folder / MARK).lstat().st_mode)
    return False


def _name(folder: Path) -> Path:
    return folder / f".rulespec-site-{secrets.token_hex(16)}"
