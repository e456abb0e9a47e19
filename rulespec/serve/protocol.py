"""Lines of JSON on a Unix domain socket, one of them with open files beside it.

A connection carries one request. Version 1:

    client {"rulespec": 1, "request": "status"}              server {"status": {...}}, closed
    client {"rulespec": 1, "request": "stop"}                the same, and the server stops listening
    client {"rulespec": 1, "request": "run", ...}            server {"accepted": true} or {"declined": why}
    client {"go": true} + files                              the command begins
                                                             (or {"declined": why}, without a new process)
    client {"signal": number}, any number of times           server {"exit": status} or {"killed": signal}

The files are standard input, output and error, and the working folder. A command begins only after `go`, so
a client that has waited long enough leaves and runs the command itself; a server that does not answer then
holds none of its files, whose readers would wait for their end. A client that leaves later takes its command
with it.
"""

from __future__ import annotations

import json
import socket
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
FILES = 4
"""Standard input, output, error, and the working folder."""
MOST_BYTES = 1 << 20
"""The longest line."""
HANDSHAKE = 1.0
"""Seconds that a client waits until its command is accepted."""


class ProtocolError(Exception):
    """The other side sent something that is no line of this protocol, too much of it, or nothing in time."""


def line_of(data: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def message_of(line: bytes) -> dict[str, Any]:
    """The message in a line; raises ProtocolError."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ProtocolError("a line is no JSON") from None
    if not isinstance(message, dict):
        raise ProtocolError("a line is no JSON object")
    return message


def send(to: socket.socket, data: dict[str, Any], files: tuple[int, ...] = ()) -> None:
    """Send a message, with open files beside its first byte; raises OSError."""
    line = line_of(data)
    sent = 0
    if files:
        sent = to.sendmsg([line], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", files))])
    if sent < len(line):  # sending nothing fails if the other side has answered and gone
        to.sendall(line[sent:])


def receive(source: socket.socket) -> dict[str, Any]:
    """The next message, which is the last before an answer is due; raises ProtocolError, or OSError."""
    line = bytearray()
    while not line.endswith(b"\n"):
        part = source.recv(1 << 16)
        line += part
        if not part or len(line) > MOST_BYTES:
            raise ProtocolError("the other side has left" if not part else "a line is too long")
    return message_of(bytes(line))
