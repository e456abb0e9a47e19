"""From arguments to a command, and what becomes of every error."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from ..core.frames import with_room
from .commands import COMMANDS
from .output import prepare, say, without_controls
from .parsing import parse
from .status import CLOSED, ENDED, HELD, INTERRUPTED, WRONG, Usage

EXTRAS = {
    "z3": "prove",
    "pysat": "prove",
    "bitwuzla": "check",
    "cvc5": "check",
    "distributed": "dask",
    "mkdocs": "book",
    "markdown": "book",
    "pygments": "book",
}
"""The packages that come with an extra of ours, and which."""
COLLECTED_AFTER = 500_000, 20, 100
"""Thresholds of the garbage collector, which need not look often: most of what is read in stays."""


def run(argv: Sequence[str]) -> int:
    """Run a command line in this process; the exit status."""
    gc.set_threshold(*COLLECTED_AFTER)
    _open_closed_streams()
    prepare(sys.stdout, sys.stderr)
    with without_controls():
        return with_room(_until_the_end, argv)


def _until_the_end(argv: Sequence[str]) -> int:
    """Run the command line; the exit status, also where it is interrupted or its output is gone."""
    try:
        with _hearing_of_the_end():
            status = _run(argv)
            sys.stdout.flush()
            return status
    except BrokenPipeError:
        _abandon_output()
        return CLOSED
    except OSError as error:
        print(_system_error(error), file=sys.stderr)
        _abandon_output()
        return WRONG
    except Ended:
        print("\nended", file=sys.stderr)
        return ENDED
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED


def _open_closed_streams() -> None:
    """Open an empty stream for each standard stream that was closed at the start of the process.

    Else the next file that is opened, a store or a database, would become that stream.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        with suppress(OSError):
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


class Ended(KeyboardInterrupt):
    """Somebody asked the process to end, which is taken as an interrupt."""


@contextmanager
def _hearing_of_the_end() -> Iterator[None]:
    """Take a request to end (SIGTERM) as an interrupt; a copy of this process ends at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    first = os.getpid()

    def end(*_: object) -> None:
        if os.getpid() != first:
            os._exit(ENDED)
        raise Ended

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parse(argv)
    except SystemExit as stop:
        return int(stop.code or HELD)
    try:
        module = import_module(f".{COMMANDS[arguments.command].module}", __package__)
        return int(getattr(module, arguments.command)(arguments))
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # standard output cannot be written to, so nothing can be printed there
        told = _told(error)
        if told is None:
            raise
        text, data = told
        print(text, file=sys.stderr)
        if getattr(arguments, "json", False):
            say({"error": {"message": text, "diagnostics": data}})
        return WRONG


def _abandon_output() -> None:
    """Give standard output away, so that nothing is written to the closed pipe on the way out."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def _system_error(error: OSError) -> str:
    """The message of an OSError with the file it is about; an error without a name is of standard output."""
    name = error.filename
    if name is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF):
        name = "standard output"
    return f"rulespec: {f'{name}: ' if name is not None else ''}{error.strerror or error}"


def _told(error: Exception) -> tuple[str, list[dict[str, Any]]] | None:
    """The message about an error that the user can mend; None for a defect of ours."""
    from solver.engines import NoEngine

    from ..core.diagnostics import RulesetError
    from ..core.meter import Exhausted
    from ..core.verdicts import StoreError
    from ..executors import NoCluster, OtherProgram, OtherRules, PartFailed
    from ..play.chance import ChanceError
    from ..simulation.kept import DatabaseError

    if isinstance(error, RulesetError):
        return "\n".join(d.render() for d in error.diagnostics), [d.to_data() for d in error.diagnostics]
    named = Usage | StoreError | ChanceError | DatabaseError | NoEngine
    if isinstance(error, named | NoCluster | OtherProgram | OtherRules | PartFailed):
        return f"rulespec: {error}", []
    if isinstance(error, Exhausted):
        return f"rulespec: {error}: let types and binders run over less", []
    if isinstance(error, OSError):
        return _system_error(error), []
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        extra = EXTRAS[error.name]
        return f"rulespec: {error.name} is not installed: pip install 'rulespec[{extra}]'", []
    return None
