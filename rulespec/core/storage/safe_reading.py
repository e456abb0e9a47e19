"""Reading untrusted files: regular ones only, up to a limit of bytes."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def resolve_path(path: Path) -> Path:
    """The absolute path with its links followed; if links form a circle, the path of one of them.

    `Path.resolve` raises RuntimeError for a circle.
    """
    return Path(os.path.realpath(path))


def read_bytes(path: Path, most: int, *, follow: bool = True) -> bytes:
    """The content of a regular file, or of the target of a link if `follow`.

    Raises:
        OSError: it cannot be read, is a folder, a device or a pipe, or has more than `most` bytes; or it is a
            link that is not followed (ELOOP).
    """
    return _read_limited(path, most, _open(path, 0 if follow else getattr(os, "O_NOFOLLOW", 0)))


def read_private(path: Path, most: int) -> bytes:
    """Read a regular file that only the user can read or write, and that has no hard link.

    Raises:
        OSError: as `read_bytes`; or it is a link, belongs to somebody else, is open to others, or has a
            second name.
    """
    number = _open(path, getattr(os, "O_NOFOLLOW", 0))
    status = os.fstat(number)
    theirs = hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o077)
    if theirs or status.st_nlink != 1:
        os.close(number)
        raise PermissionError(errno.EACCES, "others may have written it", str(path))
    return _read_limited(path, most, number)


def _open(path: Path, flags: int) -> int:
    """The descriptor of a regular file. Raises OSError."""
    # Without O_NONBLOCK, opening a pipe without a writer would wait for one.
    number = os.open(path, os.O_RDONLY | flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return number


def _read_limited(path: Path, most: int, number: int) -> bytes:
    with os.fdopen(number, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
    return content


def read_text(path: Path, most: int, errors: str = "strict") -> str:
    """The text of a file in UTF-8, with newlines as line ends and no byte order mark.

    Raises like `read_bytes`, and UnicodeDecodeError.
    """
    text = read_bytes(path, most).decode("utf-8", errors).removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")
