"""The identity of a process: what it must share with the server for its commands to mean the same there.

The environment that a process can have for itself (arguments, folder, streams, other variables) is handed
over with a command. What is settled when Python starts cannot be, nor can rights and limits; where one of
them differs, the command runs in its own process.
"""

from __future__ import annotations

import os
import sys
from binascii import crc32
from contextlib import suppress

from .. import __version__
from ..core.folders import state_folder

try:
    import resource
except ImportError:  # as on Windows, where there is no server either
    resource = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of this package."""
SETTLED = ("PYTHON", "LC_", "LD_", "DYLD_", "MALLOC_", "GLIBC_")
"""Variables with these beginnings are read when a process starts."""
NAMED = frozenset(
    {
        "LANG",
        "LANGUAGE",
        "TZ",
        "HOME",
        "TMPDIR",
        "RULESPEC_CACHE",
        "RULESPEC_STATE",
        "XDG_CACHE_HOME",
        "XDG_STATE_HOME",
    }
)
"""So are these, or they say where caches lie."""


def can_serve() -> bool:
    """True if this system has what a server needs: Unix domain sockets, and processes that fork."""
    import socket

    return hasattr(socket, "AF_UNIX") and hasattr(socket, "SCM_RIGHTS") and hasattr(os, "fork")


def address() -> str | None:
    """The socket of the server of this program, in a folder of its own; None if there is no folder for it."""
    folder = state_folder()
    number = crc32(repr((PROGRAM, sys.version, sys.prefix, __version__)).encode("utf-8", "surrogateescape"))
    return None if folder is None else os.path.join(folder, "serve", f"{number:08x}.sock")


def identity() -> dict[str, Any]:
    """The settings that client and server must share, as plain data."""
    found: dict[str, Any] = {
        "program": [PROGRAM, __version__, sys.version, sys.prefix],
        "python": [
            [*sys.flags],
            sorted(map(str, sys._xoptions.items())),
            [*sys.warnoptions],
            sys.path[1:],
            sys.getfilesystemencoding(),
        ],
        "environment": {
            name: value for name, value in os.environ.items() if name.startswith(SETTLED) or name in NAMED
        },
        "user": [os.getuid(), os.geteuid(), os.getgid(), os.getegid(), sorted(os.getgroups())],
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "limits": [resource.getrlimit(number) for number in _limits()],
        "root": _place("/"),
    }
    if hasattr(os, "sched_getaffinity"):
        found["processors"] = sorted(os.sched_getaffinity(0))
    for name in ("mnt", "pid", "user", "net"):
        with suppress(OSError):
            found[name] = os.readlink(f"/proc/self/ns/{name}")
    return found


def _limits() -> list[int]:
    return sorted(number for name, number in vars(resource).items() if name.startswith("RLIMIT_"))


def _place(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_dev, status.st_ino]
