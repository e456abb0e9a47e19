"""Writing files: whole or not at all, through no link, and removing only what bears a name given here.

A file is written under a new name in the folder of its target, forced to the disk and renamed. A reader
sees the old content or the new, and a process that is killed or finds the disk full leaves the old one.
The new file is made exclusively under a name that nobody can foresee, so that a link laid into a folder
by its author leads nowhere.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # as on Windows; what a killed process left stays there
    fcntl = None  # type: ignore[assignment]

UNFINISHED = re.compile(r"\.rulespec-[0-9a-f]{32}\.part")
"""The name of a file that is being written. Where nobody holds its lock, a killed process left it."""

_NEVER_FOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class LinkError(OSError):
    """What is to be written is a link, or is no file or folder; nothing was written."""

    def __init__(self, path: Path, wanted: str) -> None:
        super().__init__(errno.ELOOP, f"a link or no {wanted}, through which nothing is written", str(path))


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file in one step; an old one keeps its permissions.

    Raises:
        LinkError: the target is a symbolic link or no regular file.
        OSError: it cannot be written; names the target, which is as it was.
    """
    with _naming(path):
        mode = _permissions(path)
        remove_unfinished(path.parent)
        aside, number = _new_file(path.parent)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(number)
                if mode is not None:
                    aside.chmod(mode)
                if fcntl is not None:  # before it is closed, for with its lock it is taken for left over
                    aside.replace(path)
            if fcntl is None:
                aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise
        _keep_name(path.parent)


def make_folder(path: Path) -> Path:
    """The folder, made with those above it where it is missing.

    Raises:
        LinkError: it is a symbolic link or no folder.
        OSError: it cannot be made; names it.
    """
    with suppress(FileExistsError):
        path.mkdir(parents=True)
    check_folder(path)
    return path


def check_folder(path: Path) -> None:
    """Raise LinkError where a folder, if it is there, is a symbolic link or no folder."""
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise LinkError(path, "folder")


def check_target(path: Path) -> None:
    """Raise LinkError where a file to be written, if it is there, is a symbolic link or no regular file."""
    _permissions(path)


def regular_files(folder: Path, name: re.Pattern[str]) -> list[Path]:
    """The files of a folder whose whole name matches, in order, without links; none where it is missing."""
    try:
        with os.scandir(folder) as entries:
            listed = [e.name for e in entries if name.fullmatch(e.name) and e.is_file(follow_symlinks=False)]
    except FileNotFoundError:
        return []
    return [folder / name for name in sorted(listed)]


def remove_unfinished(folder: Path) -> None:
    """Remove the files that killed processes left half written in a folder."""
    if fcntl is None:
        return
    for path in regular_files(folder, UNFINISHED):
        with suppress(OSError):  # gone meanwhile, still being written, or not ours to remove
            number = os.open(path, os.O_RDWR | _NEVER_FOLLOWED)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(number)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Let one process at a time change what is in a folder; others that ask for the same wait.

    The folder itself is locked, so that no file is left behind and nothing need be writable. Where the system
    has no such locks, as on some network drives, nobody waits.
    """
    number = None
    if fcntl is not None:
        with suppress(OSError):
            number = os.open(
                folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
            )
            fcntl.flock(number, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if number is not None:
            os.close(number)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let every error of the system name the file that was asked for, not the one beside it."""
    try:
        yield
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _permissions(path: Path) -> int | None:
    """The permissions of a file to be replaced, None where there is none; see `check_target`."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise LinkError(path, "file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return stat.S_IMODE(found.st_mode) & 0o777


def _new_file(folder: Path) -> tuple[Path, int]:
    """A new file in a folder, open and locked."""
    while True:
        path = folder / f".rulespec-{secrets.token_hex(16)}.part"
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NEVER_FOLLOWED, 0o666)
        if _locked(number) and path.exists():
            return path, number
        os.close(number)  # another process took it for left over, before it was locked


def _locked(number: int) -> bool:
    """Whether nobody else holds an open file now; yes, too, where the system has no locks."""
    if fcntl is not None:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True


def _keep_name(folder: Path) -> None:
    """Force the new name to the disk, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(number)
        finally:
            os.close(number)
