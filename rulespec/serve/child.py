"""The forked child: it becomes the process that the client would have been, and runs the command."""

from __future__ import annotations

import atexit
import ctypes
import gc
import io
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .protocol import ProtocolError

LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1
DEFECT = 1
"""The exit status of a Python process that ends with an exception."""
STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


@dataclass(frozen=True)
class Command:
    """A command as a client asks for it."""

    argv: Sequence[str]
    environment: dict[str, str]
    streams: Sequence[dict[str, Any]]
    mask: int
    ignored: Sequence[int]


def command_of(message: dict[str, Any]) -> Command:
    """The command in a request; raises ProtocolError where it has not the form of one."""
    argv, environment = message.get("argv"), message.get("environment")
    streams, mask, ignored = message.get("streams"), message.get("mask"), message.get("ignored")
    if (
        not (isinstance(argv, list) and argv and all(isinstance(word, str) for word in argv))
        or not (isinstance(environment, dict) and all(isinstance(text, str) for text in environment.values()))
        or not (isinstance(streams, list) and len(streams) == len(STREAMS))
        or not all(isinstance(s, dict) and isinstance(s.get("encoding"), str) for s in streams)
        or not (isinstance(mask, int) and 0 <= mask <= 0o777)
        or not (isinstance(ignored, list) and all(isinstance(number, int) for number in ignored))
    ):
        raise ProtocolError("this is no command")
    return Command(argv, environment, streams, mask, ignored)


def run(
    command: Command,
    files: Sequence[int],
    work: Callable[[Sequence[str]], int],
    last: Callable[[int, bool], bytes],
    rest: Callable[[], None],
    to: int,
    parent: int,
) -> None:
    """Become the client's process, do the work, tell its end through a pipe, and do the rest; never returns.

    `files` are the client's streams and folder, open in this process. `last` gives the line that tells the
    end, from the exit status and whether the work came to its end. The client's streams are closed before it.
    """
    status, done = DEFECT, False
    try:
        _end_with(parent)
        _become(command, files)
        try:
            status, done = work(command.argv), True
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else DEFECT
        except BaseException:
            sys.excepthook(*sys.exc_info())
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(len(STREAMS)):
            os.dup2(nothing, number)
        _write(to, last(status & 0xFF, done))
        rest()
        with suppress(BaseException):
            atexit._run_exitfuncs()
    finally:
        os._exit(status & 0xFF)


def _become(command: Command, files: Sequence[int]) -> None:
    """Take on the streams, folder, environment and signals of a client, as Python would at its start."""
    *streams, folder = files
    for number, file in enumerate(streams):
        os.dup2(file, number)
    os.fchdir(folder)
    for file in files:
        os.close(file)
    os.umask(command.mask)
    os.environ.clear()
    os.environ.update(command.environment)
    for number, ((name, mode), form) in enumerate(zip(STREAMS, command.streams, strict=True)):
        stream = _opened(number, mode, form)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for number in command.ignored:
        signal.signal(number, signal.SIG_IGN)
    random.seed()
    gc.enable()


def _opened(number: int, mode: str, form: dict[str, Any]) -> io.TextIOWrapper:
    buffer: Any = open(number, f"{mode}b", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(
        buffer,
        encoding=form["encoding"],
        errors=form.get("errors"),
        newline="\n",
        line_buffering=bool(form.get("line_buffering")),
        write_through=bool(form.get("write_through")),
    )


def _write(to: int, content: bytes) -> None:
    while content:
        content = content[os.write(to, content) :]


def _end_with(parent: int) -> None:
    """Make this process end when the server does, even if that is killed."""
    if LIBRARY is not None:
        LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError):  # where memory runs out, the server is not the process that is killed
            file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
            os.write(file, b"500")
            os.close(file)
        if os.getppid() != parent:
            os._exit(DEFECT)
    else:
        threading.Thread(target=_wait_for, args=(parent,), daemon=True).start()


def _wait_for(parent: int) -> None:
    ended = threading.Event()
    while os.getppid() == parent:
        ended.wait(0.5)
    os._exit(DEFECT)
