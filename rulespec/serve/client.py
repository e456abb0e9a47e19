"""The side of the command line: hands a command to the server, and stands for it until it ends."""

from __future__ import annotations

import os
import signal
import socket
import stat
import struct
import sys

from .identity import address, can_serve, identity
from .protocol import HANDSHAKE, VERSION, ProtocolError, receive, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import Any

SERVED = frozenset(
    {"check", "coverage", "diff", "list", "perft", "play", "replay", "schema", "show", "simulate", "why"}
)
"""The commands that a server runs. Those that decide claims take longer than a start; `book` runs plugins."""
PASSED_ON = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGTSTP") if hasattr(signal, name))
"""The signals that the command gets as if it ran in this process."""
LOST = 143
"""The exit status of a command whose server was killed, as if it had been killed itself."""
PEER = "3i"
"""The form of the credentials of the other side: process, user, group."""


def turned_off() -> bool:
    """True if the environment says that no server is to be used."""
    return os.environ.get("RULESPEC_SERVE", "").lower() in ("no", "0", "off", "false")


def served(argv: Sequence[str]) -> int | None:
    """Run a command in the server; its exit status, or None if this process must run it itself."""
    if turned_off() or not argv or argv[0] not in SERVED or not can_serve():
        return None
    if argv[0] == "play" and sys.stdin is not None and sys.stdin.isatty():
        return None  # a person types, and the terminal belongs to this process
    try:
        with connection(HANDSHAKE) as to:
            files = _files()
            if files is None:
                return None
            try:
                send(to, _request(argv))
                return _stood_for(to, files) if "accepted" in receive(to) else None
            finally:
                os.close(files[-1])
    except (OSError, ProtocolError):
        return None


def asked(request: str) -> dict[str, Any] | None:
    """The answer of the server to `status` or `stop`; None if none runs. Raises ProtocolError."""
    try:
        with connection(10 * HANDSHAKE) as to:
            send(to, {"rulespec": VERSION, "request": request})
            return receive(to)
    except OSError:
        return None


def connection(seconds: float) -> socket.socket:
    """A connection to the server of this user, which gives up after so many seconds; raises OSError."""
    path = address()
    if path is None or not _is_private(path):
        raise FileNotFoundError
    to = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        to.settimeout(seconds)
        to.connect(path)
        if peer_user(to) not in (None, os.geteuid()):
            raise PermissionError
    except BaseException:
        to.close()
        raise
    return to


def peer_user(to: socket.socket) -> int | None:
    """The user of the process on the other side; None if the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    return int(
        struct.unpack(PEER, to.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(PEER)))[1]
    )


def _is_private(path: str) -> bool:
    """True for a socket of this user in a folder that nobody else may enter."""
    own, folder = os.lstat(path), os.lstat(os.path.dirname(path))
    mine = own.st_uid == folder.st_uid == os.geteuid()
    return mine and stat.S_ISSOCK(own.st_mode) and stat.S_ISDIR(folder.st_mode) and not folder.st_mode & 0o077


def _files() -> tuple[int, ...] | None:
    """The files that go with a command; None if a standard stream is closed or replaced."""
    for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
        try:
            os.fstat(number)
            if stream.fileno() != number:
                return None
        except (AttributeError, OSError, ValueError):
            return None
    return 0, 1, 2, os.open(".", os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))


def _request(argv: Sequence[str]) -> dict[str, Any]:
    mask = os.umask(0o077)
    os.umask(mask)
    return {
        "rulespec": VERSION,
        "request": "run",
        "argv": [*argv],
        "environment": dict(os.environ),
        "streams": [_form(stream) for stream in (sys.stdin, sys.stdout, sys.stderr)],
        "mask": mask,
        "ignored": [number for number in PASSED_ON if signal.getsignal(number) == signal.SIG_IGN],
        "identity": identity(),
    }


def _form(stream: Any) -> dict[str, Any]:
    return {
        name: getattr(stream, name, None)
        for name in ("encoding", "errors", "line_buffering", "write_through")
    }


def _stood_for(to: socket.socket, files: tuple[int, ...]) -> int | None:
    """Begin the command and pass signals on until it ends; its exit status, None if it did not begin."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        try:
            send(to, {"signal": number})
            if number == getattr(signal, "SIGTSTP", None):
                os.kill(os.getpid(), signal.SIGSTOP)
                send(to, {"signal": int(signal.SIGCONT)})
        except OSError:
            pass  # the end is being told

    to.settimeout(None)
    before = {number: signal.getsignal(number) for number in PASSED_ON}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, pass_on)
    try:
        send(to, {"go": True}, files)
        end = receive(to)
    except (OSError, ProtocolError):
        sys.stderr.write(
            "rulespec: the server was ended before this was done; nothing is wrong with the command\n"
        )
        return LOST
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if "declined" in end:
        return None
    if isinstance(killer := end.get("killed"), int):
        signal.signal(killer, signal.SIG_DFL)
        os.kill(os.getpid(), killer)
    return int(end.get("exit", LOST))
