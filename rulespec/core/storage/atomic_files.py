"""Atomic writing of files without following links, and removal of leftover temporary files.

A file is written under a temporary name in the folder of its target, synced to the disk and renamed. Readers
see the old content or the new one, and a process that is killed or finds the disk full leaves the old one.
The temporary name is random and opened exclusively, so that a link planted in the folder has no effect.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # as on Windows, where leftovers of killed processes stay
    fcntl = None  # type: ignore[assignment]

UNFINISHED = re.compile(r"\.rulespec-[0-9a-f]{32}\.part")
"""The name of a temporary file. If no process holds its lock, a killed process left it."""

_NEVER_FOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class LinkError(OSError):
    """The target of a write is a symbolic link or not a regular file or folder; nothing was written."""

    def __init__(self, path: Path, wanted: str) -> None:
        super().__init__(errno.ELOOP, f"a link or no {wanted}, through which nothing is written", str(path))


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file atomically; a replaced file keeps its permissions.

    A `private` file can be read and written by the user only, and replaces a link too.

    Raises:
        LinkError: the target is a symbolic link or no regular file.
        OSError: it cannot be written; names the target, which is unchanged.
    """
    with _naming(path):
        mode = None if private else _permissions(path)
        remove_unfinished(path.parent)
        new, number = _new_file(path.parent, 0o600 if private else 0o666)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(number)
                if mode is not None:
                    new.chmod(mode)
                if fcntl is not None:  # while it is locked: without its lock it would count as a leftover
                    new.replace(path)
            if fcntl is None:
                new.replace(path)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise
        _sync_folder(path.parent)


def make_folder(path: Path) -> Path:
    """Create a folder and its parents if they are missing; returns it.

    Raises:
        LinkError: it is a symbolic link or no folder.
        OSError: it cannot be created; names it.
    """
    with suppress(FileExistsError):
        path.mkdir(parents=True)
    check_folder(path)
    return path


def check_folder(path: Path) -> None:
    """Raise LinkError if the path exists and is a symbolic link or no folder."""
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise LinkError(path, "folder")


def check_target(path: Path) -> None:
    """Raise OSError if the path exists and cannot be replaced: LinkError if it is no regular file."""
    _permissions(path)


def regular_files(folder: Path, name: re.Pattern[str]) -> list[Path]:
    """The regular files in a folder whose whole name matches, sorted; empty without the folder."""
    try:
        with os.scandir(folder) as entries:
            listed = [e.name for e in entries if name.fullmatch(e.name) and e.is_file(follow_symlinks=False)]
    except FileNotFoundError:
        return []
    return [folder / name for name in sorted(listed)]


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary files that killed processes left in a folder."""
    for path in regular_files(folder, UNFINISHED):
        remove_leftover(path, path.unlink)


def remove_leftover(lock: Path, remove: Callable[[], None]) -> None:
    """Call `remove` if no process holds the lock of a file; does nothing on systems without locks."""
    if fcntl is None:
        return
    with suppress(OSError):  # already removed, still in use, or of another user
        number = os.open(lock, os.O_RDWR | _NEVER_FOLLOWED)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove()
        finally:
            os.close(number)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on a folder within the block; other processes that want it wait.

    The folder itself is locked, so no lock file is left behind and none need be writable. Without effect on
    systems that have no such locks, as some network drives.
    """
    number = None
    if fcntl is not None:
        with suppress(OSError):
            flags = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
            number = os.open(folder, flags)
            fcntl.flock(number, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if number is not None:
            os.close(number)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let every OSError name the target, not the temporary file."""
    try:
        yield
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _permissions(path: Path) -> int | None:
    """The permissions of a file to be replaced, None if it is missing; raises as `check_target` does."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise LinkError(path, "file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return stat.S_IMODE(status.st_mode) & 0o777


def _new_file(folder: Path, mode: int) -> tuple[Path, int]:
    """Create a temporary file in a folder; its path and its open, locked descriptor."""
    while True:
        path = folder / f".rulespec-{os.urandom(16).hex()}.part"
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NEVER_FOLLOWED, mode)
        if lock_file(number) and path.exists():
            return path, number
        os.close(number)  # another process removed it as a leftover before it was locked


def lock_file(number: int) -> bool:
    """Try to lock an open file; False if another process holds the lock, True if there are no locks."""
    if fcntl is not None:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True


def _sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to the disk, if the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(number)
        finally:
            os.close(number)
