"""Reading untrusted files: regular ones only, up to a limit of bytes."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def resolved(path: Path) -> Path:
    """The absolute path with its links followed; where links form a circle, the path of one of them.

    `Path.resolve` raises RuntimeError for a circle.
    """
    return Path(os.path.realpath(path))


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a regular file, which a link may lead to.

    Raises:
        OSError: it cannot be read, is a folder, a device or a pipe, or has more than `most` bytes.
    """
    # Without O_NONBLOCK, opening a pipe without a writer would wait for one.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    with os.fdopen(number, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
    return content


def read_text(path: Path, most: int, errors: str = "strict") -> str:
    """The text of a file in UTF-8, line ends as newlines; raises as `read_bytes`, and UnicodeDecodeError."""
    text = read_bytes(path, most).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")
