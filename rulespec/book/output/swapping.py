"""Atomic replacement of a folder: the new one is filled beside the old one and then renamed into its place.

Only an empty folder or one that holds the mark file is ever replaced, so a configuration that names a folder
with other contents destroys nothing.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from ...core.storage.atomic_files import lock_file, locked_folder, make_folder, remove_leftover

MARK = ".rulespec-site"
"""The name of the empty file that marks a folder as made here."""
TEMPORARY = re.compile(r"\.rulespec-site-[0-9a-f]{32}")
"""The name of a folder that is being built or removed."""


class NotOurs(Exception):
    """Raised if the folder was not made here, so that it is not replaced."""


def check_replaceable(target: Path) -> None:
    """Raise NotOurs unless a folder is missing, empty, or marked."""
    try:
        found = target.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode):
        raise NotOurs(f"`{target}` is a link or no folder, and is not replaced")
    if any(target.iterdir()) and not _is_marked(target):
        raise NotOurs(
            f"`{target}` holds files that `rulespec book` did not write: empty it, or name another folder"
        )


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a new folder to fill; when the block ends, it replaces `target`. Raises NotOurs.

    If the block raises, `target` is unchanged and the new folder is removed.
    """
    check_replaceable(target)
    make_folder(target.parent)
    new = _temporary_name(target.parent)
    with locked_folder(target.parent):
        remove_unfinished(target.parent)
        try:
            new.mkdir()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from None
        mark = os.open(new / MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        lock_file(mark)
    try:
        yield new
        (new / MARK).touch()
        with locked_folder(target.parent):
            _replace(target, new)
    except BaseException:
        _remove(new)
        raise
    finally:
        os.close(mark)


def _replace(target: Path, new: Path) -> None:
    """Rename `new` to `target`; the old folder there is removed. Raises NotOurs."""
    check_replaceable(target)
    if not target.exists():
        new.rename(target)
        return
    old = _temporary_name(target.parent)
    target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    _remove(old)


def _remove(folder: Path) -> None:
    """Remove a marked folder, its mark last, so that if this process is killed another can finish."""
    with suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != MARK:
                path.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary folders that killed processes left behind, within the lock of their folder.

    One without a mark is removed if it is empty: its process was killed before it could mark it.
    """
    for path in folder.iterdir():
        if not (TEMPORARY.fullmatch(path.name) and stat.S_ISDIR(path.lstat().st_mode)):
            continue
        if not _is_marked(path):
            with suppress(OSError):
                path.rmdir()
        else:
            remove_leftover(path / MARK, partial(_remove, path))


def _is_marked(folder: Path) -> bool:
    with suppress(FileNotFoundError):
        return stat.S_ISREG((folder / MARK).lstat().st_mode)
    return False


def _temporary_name(folder: Path) -> Path:
    return folder / f".rulespec-site-{secrets.token_hex(16)}"
