"""The server: admits requests, forks a child for each, tells its end, and learns what the child found out."""

from __future__ import annotations

import array
import gc
import json
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ..core.cache import unsafe
from ..core.files import lock_file
from . import child
from .client import PASSED_ON, SERVED, peer_user
from .identity import identity
from .program import Program
from .protocol import FILES, MOST_BYTES, VERSION, ProtocolError, line_of, message_of

MOST_RUNNING = 16
"""Commands at once; whoever asks for more runs them in a process of its own."""
MOST_WAITING = 64
"""Connections at once."""
PATIENCE = 5.0
"""Seconds that a client has to send its request, and `go` after it."""
MOST_NEWS = 4 << 20
"""Bytes that a child may send as news; what is longer is dropped."""
LONGEST_ADDRESS = 100
"""Bytes of the name of a socket that every system takes."""
SIGNALS = frozenset({*map(int, PASSED_ON), int(signal.SIGCONT)} if hasattr(signal, "SIGCONT") else ())


class Memory(Protocol):
    """Data that the server keeps in memory for its commands, beside modules and tables."""

    def usable(self) -> bool:
        """True if a command that runs in a child may rely on it."""

    def begin(self) -> None:
        """Note, in a child, what is there before the command runs."""

    def news(self) -> Any:
        """Findings of this child's command that a later one can use, as data for JSON."""

    def aside(self) -> bool:
        """True if this child's command has begun work that nobody waits for."""

    def rest(self) -> None:
        """Wait for that work."""

    def learn(self, news: Any) -> None:
        """Add the news of a child, in the server."""

    def to_data(self) -> dict[str, int]:
        """How much is kept, in numbers."""


class CannotServe(Exception):
    """The server cannot start; the text says why."""


@dataclass(eq=False)
class _Client:
    """A connection, and the child that runs its command."""

    socket: socket.socket
    began: float = field(default_factory=time.monotonic)
    line: bytearray = field(default_factory=bytearray)
    files: list[int] = field(default_factory=list)
    command: child.Command | None = None
    process: int = 0
    pipe: int = -1
    news: bytearray = field(default_factory=bytearray)

    def close(self) -> None:
        """Close everything that is open for this client."""
        self.socket.close()
        for number in [*self.files, *([self.pipe] if self.pipe >= 0 else [])]:
            with suppress(OSError):
                os.close(number)
        self.files, self.pipe = [], -1


class Server:
    """Listens at a socket and runs commands with `work`, each in a child."""

    def __init__(
        self, work: Callable[[Sequence[str]], int], memory: Memory, folders: Sequence[str], idle: float
    ) -> None:
        """`folders` hold the program; the server ends when it has had nothing to do for `idle` seconds."""
        self._work, self._memory, self._idle = work, memory, idle
        self._program, self._identity = Program(folders), json.loads(json.dumps(identity()))
        self._clients: list[_Client] = []
        self._aside: dict[int, Sequence[str]] = {}
        """The processes whose commands have ended, with the words of those that do some work aside."""
        self._selector = selectors.DefaultSelector()
        self._listener: socket.socket | None = None
        self._path: Path | None = None
        self._lock, self._why = -1, ""
        self._served, self._last, self._began = 0, time.monotonic(), time.monotonic()

    # ---- listening

    def listen(self, path: Path) -> bool:
        """Listen at a socket; False if another server does. Raises CannotServe, OSError."""
        if len(os.fsencode(path)) > LONGEST_ADDRESS:
            raise CannotServe(
                f"{path} is too long a name for a socket: set RULESPEC_STATE to a shorter folder"
            )
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        if reason := unsafe(path.parent):
            raise CannotServe(reason)
        lock = os.open(
            path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        if not lock_file(lock):
            os.close(lock)
            return False
        path.unlink(
            missing_ok=True
        )  # whoever holds the lock is the server: this one was left by a killed one
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(mask)
        listener.listen(MOST_WAITING)
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ, self._accept)
        self._lock, self._listener, self._path = lock, listener, path
        return True

    def serve(self) -> str:
        """Serve until there is a reason to end, and everything that runs is done; the reason."""
        wake, woken = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(woken, False)
        self._selector.register(wake, selectors.EVENT_READ, lambda: os.read(wake, 1 << 12))
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        asked: list[int] = []

        def note(number: int, _: object) -> None:
            if number != signal.SIGCHLD:
                asked.append(number)

        numbers = (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, note) for number in numbers}
        gc.disable()  # with what is loaded here, a collection costs each child the memory that it touches
        self._settle()
        try:
            while self._listener is not None or self._running:
                for key, _ in self._selector.select(self._wait()):
                    key.data()
                self._reap()
                self._leave()
                if len(asked) > 1 or any(number != signal.SIGINT for number in asked):
                    self._end_commands()
                if asked:
                    self.close("asked to end")
                elif self._is_idle():
                    self.close(f"nothing to do for {self._idle:.0f} s")
        finally:
            self.close("a defect")
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(-1)
        return self._why

    def close(self, why: str) -> None:
        """Listen no more; commands that run go on."""
        if self._listener is not None:
            self._why = why
            self._selector.unregister(self._listener)
            self._listener.close()
            self._listener = None
            assert self._path is not None
            self._path.unlink(missing_ok=True)
            os.close(self._lock)
        self._abandon(lambda _: True)

    @property
    def _running(self) -> int:
        """The number of commands that run."""
        return sum(bool(client.process) for client in self._clients)

    def _is_idle(self) -> bool:
        return not (self._running or self._aside) and time.monotonic() - self._last > self._idle

    def _wait(self) -> float:
        return min(PATIENCE, max(0.05, self._idle + self._last - time.monotonic()))

    def _settle(self) -> None:
        """Keep what is there now out of every later collection, here and in children."""
        gc.collect()
        gc.freeze()

    # ---- clients

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            to, _ = self._listener.accept()
        except OSError:
            return
        if len(self._clients) >= MOST_WAITING or peer_user(to) not in (None, os.geteuid()):
            to.close()
            return
        to.setblocking(False)
        client = _Client(to)
        self._clients.append(client)
        self._selector.register(to, selectors.EVENT_READ, lambda: self._hear(client))

    def _hear(self, client: _Client) -> None:
        """Take what a client sends, and do what its complete lines say."""
        try:
            part, files = _received(client.socket)
            client.files += files
            client.line += part
            if not part or len(client.line) > MOST_BYTES or len(client.files) > FILES:
                raise ProtocolError("the client has left, or sends too much")
            while b"\n" in client.line:
                line, _, rest = client.line.partition(b"\n")
                client.line = rest
                self._answer(client, message_of(bytes(line)))
        except BlockingIOError:
            pass
        except (ProtocolError, OSError):
            self._drop(client)

    def _answer(self, client: _Client, message: dict[str, Any]) -> None:
        if client.process:
            number = message.get("signal")
            if number in SIGNALS:
                os.kill(client.process, signal.SIGSTOP if number == signal.SIGTSTP else number)
        elif client.command is not None:
            if message.get("go") is not True or len(client.files) != FILES:
                raise ProtocolError("this is no go")
            self._start(client, client.command)
        elif message.get("rulespec") != VERSION:
            raise ProtocolError("another version of the protocol")
        elif message.get("request") in ("status", "stop"):
            if message["request"] == "stop":
                self.close("asked to end")
            _say(client, {"status": self.status()})
            raise ProtocolError("this was all")
        else:
            self._admit(client, message)

    def _admit(self, client: _Client, message: dict[str, Any]) -> None:
        why = self._refusal(message)
        if not why:
            client.command = child.command_of(message)
            client.began = time.monotonic()
        _say(client, {"declined": why} if why else {"accepted": True})
        if why:
            raise ProtocolError(why)

    def _refusal(self, message: dict[str, Any]) -> str:
        """Why a command is to run in the client's own process; empty if the server may run it."""
        argv = message.get("argv")
        if message.get("request") != "run" or not isinstance(argv, list) or not argv or argv[0] not in SERVED:
            return "no such request"
        if message.get("identity") != self._identity:
            return "the processes differ in what is settled at their start"
        if self._running >= MOST_RUNNING:
            return "busy"
        if self._program.changed:
            self.close("the program has changed")
            return self._why
        return "" if self._memory.usable() else "the cache cannot be used"

    def status(self) -> dict[str, Any]:
        """How the server does, as data."""
        return {
            "process": os.getpid(),
            "seconds": int(time.monotonic() - self._began),
            "served": self._served,
            "running": self._running,
            "aside": sum(map(bool, self._aside.values())),
            "kept": self._memory.to_data(),
        }

    # ---- children

    def _start(self, client: _Client, command: child.Command) -> None:
        self._abandon(lambda words: words == command.argv)
        source, to = os.pipe()
        parent = os.getpid()
        try:
            process = os.fork()
        except OSError as error:
            os.close(source)
            os.close(to)
            _say(client, {"declined": str(error)})
            raise
        if process == 0:
            self._become_child(client, source)
            child.run(command, client.files, self._work, self._last_line, self._memory.rest, to, parent)
        os.close(to)
        for number in client.files:
            os.close(number)
        os.set_blocking(source, False)
        client.files, client.pipe, client.process = [], source, process
        self._served += 1
        self._last = time.monotonic()
        self._selector.register(source, selectors.EVENT_READ, lambda: self._collect(client))

    def _become_child(self, client: _Client, source: int) -> None:
        """Leave everything to the server that is the server's."""
        signal.set_wakeup_fd(-1)
        for usual in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
            signal.signal(usual, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        kept = {*client.files}
        for key in [*self._selector.get_map().values()]:
            if key.fd not in kept:
                with suppress(OSError):
                    os.close(key.fd)
        self._selector.close()
        os.close(source)
        os.close(self._lock)
        for other in self._clients:
            for number in other.files:
                if number not in kept:
                    os.close(number)
        self._memory.begin()

    def _last_line(self, status: int, done: bool) -> bytes:
        """The line that a child sends at the end of its command, with news only if that came to its end."""
        end = {"exit": status, "aside": self._memory.aside(), "news": self._memory.news() if done else None}
        line = line_of(end)
        return line if len(line) <= MOST_NEWS else line_of(end | {"news": None})

    def _collect(self, client: _Client) -> None:
        """Take what a child tells, until it has told the end of its command."""
        try:
            part = os.read(client.pipe, 1 << 16)
        except BlockingIOError:
            return
        client.news += part
        if part.endswith(b"\n"):
            self._end(client, message_of(bytes(client.news)))
        elif not part or len(client.news) > MOST_NEWS:
            self._selector.unregister(client.pipe)
            os.close(client.pipe)
            client.pipe = -1

    def _end(self, client: _Client, end: dict[str, Any]) -> None:
        """Tell a client that its command has ended, and learn from that; its process may go on aside."""
        if client.process:
            if end["aside"]:
                self._abandon(bool)
            self._aside[client.process] = client.command.argv if end["aside"] and client.command else ()
            client.process = 0
        _say(client, {"exit": end["exit"]})
        self._drop(client)
        self._last = time.monotonic()
        if end["news"] is not None:
            self._memory.learn(end["news"])
            self._settle()

    def _reap(self) -> None:
        """Take leave of processes that have ended, and tell the clients of those that could not."""
        for process in [*self._aside]:
            if os.waitpid(process, os.WNOHANG)[0]:
                del self._aside[process]
        for client in [one for one in self._clients if one.process]:
            process, status = os.waitpid(client.process, os.WNOHANG)
            if not process:
                continue
            client.process = 0
            while client.pipe >= 0 and _readable(client.pipe):
                self._collect(client)
            if client in self._clients:
                code = os.waitstatus_to_exitcode(status)
                _say(client, {"killed": -code} if code < 0 else {"exit": code})
                self._drop(client)
                self._last = time.monotonic()

    def _abandon(self, which: Callable[[Sequence[str]], bool]) -> None:
        """Kill processes whose commands have ended, with all that they do aside, by the words of those."""
        for process in [process for process, words in self._aside.items() if which(words)]:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            del self._aside[process]

    def _leave(self) -> None:
        """Drop clients that have not sent their request in time."""
        late = time.monotonic() - PATIENCE
        for client in [one for one in self._clients if not one.process and one.began < late]:
            self._drop(client)

    def _drop(self, client: _Client) -> None:
        """Forget a client, and kill its command if it still runs."""
        if client.process:
            with suppress(ProcessLookupError):
                os.kill(client.process, signal.SIGKILL)
                os.killpg(client.process, signal.SIGKILL)
            os.waitpid(client.process, 0)
            client.process = 0
            self._last = time.monotonic()
        if client in self._clients:
            self._clients.remove(client)
            self._selector.unregister(client.socket)
            if client.pipe >= 0:
                self._selector.unregister(client.pipe)
            client.close()

    def _end_commands(self) -> None:
        for client in self._clients:
            if client.process:
                os.kill(client.process, signal.SIGTERM)


def _received(source: socket.socket) -> tuple[bytes, list[int]]:
    """The bytes and open files that wait at a socket; raises BlockingIOError where there are none."""
    room = socket.CMSG_SPACE(4 * 2 * FILES)
    part, others, _, _ = source.recvmsg(1 << 16, room, getattr(socket, "MSG_CMSG_CLOEXEC", 0))
    files = array.array("i")
    for level, kind, data in others:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            files.frombytes(data[: len(data) - len(data) % files.itemsize])
    return part, [*files]


def _say(client: _Client, message: dict[str, Any]) -> None:
    with suppress(OSError):
        client.socket.send(line_of(message))


def _readable(pipe: int) -> bool:
    with selectors.DefaultSelector() as one:
        one.register(pipe, selectors.EVENT_READ)
        return bool(one.select(0))
