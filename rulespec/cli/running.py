"""From arguments to a command: its process, its limits, its signals and its errors."""

from __future__ import annotations

import argparse
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.cpython import with_room
from .commands import COMMANDS, Bound, Command
from .output import prepare, print_json, without_controls
from .parsing import ArgumentsError, parse
from .status import CLOSED, ENDED, HELD, INTERRUPTED, UNDECIDED, WRONG, Usage

if TYPE_CHECKING:
    from ..budgets import Budget
    from ..budgets.supervisor import Ending

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
"""The packages of each extra of ours."""
SIGNALLED = 128
"""Exit statuses above it belong to commands ended by a signal, whose number is added."""
COLLECTED_AFTER = 500_000, 20, 100
"""Thresholds of the garbage collector, which can run rarely: most objects are long-lived."""


def run(argv: Sequence[str], *, supervised: bool = False) -> int:
    """Run a command line here or, supervised, in a child that this process ends; returns the exit status."""
    gc.set_threshold(*COLLECTED_AFTER)
    _open_closed_streams()
    prepare(sys.stdout, sys.stderr)
    with without_controls():
        status = with_room(_until_the_end, argv, supervised)
    if supervised:
        from ..budgets import supervisor

        supervisor.leave(status)
    return status


def _until_the_end(argv: Sequence[str], supervised: bool) -> int:
    """Run the command line; returns the exit status, also after an interrupt or a closed output."""
    try:
        status = _run(argv, supervised)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _abandon_output()
        return CLOSED
    except OSError as error:
        print(_system_error(error), file=sys.stderr)
        _abandon_output()
        return WRONG
    except StopRequest as stopped:
        return _stop(stopped.word, stopped.status)
    except KeyboardInterrupt:
        return _stop("interrupted", INTERRUPTED)


def _stop(word: str, status: int) -> int:
    from ..budgets import supervisor

    print(f"\n{word}", file=sys.stderr, flush=True)
    supervisor.note_told()
    return status


def _open_closed_streams() -> None:
    """Open an empty stream for each standard stream that was closed at the start of the process.

    Otherwise the next opened file, such as a store or a database, would become that stream.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        with suppress(OSError):
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


class StopRequest(KeyboardInterrupt):
    """Raised when a signal asks the command to stop; treated as an interrupt."""

    def __init__(self, word: str, status: int) -> None:
        super().__init__(word)
        self.word, self.status = word, status


@contextmanager
def _stopped_by(signals: Mapping[int, tuple[str, int]], *, for_good: bool) -> Iterator[None]:
    """Raise StopRequest at the first of these signals, each with its word and exit status; ignore the others.

    With `for_good` they stay ignored after the block, when the work is done: a process group and a parent may
    both send the same signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = list[int]()

    def stop(number: int, frame: object) -> None:
        numbers.append(number)
        if len(numbers) == 1:
            raise StopRequest(*signals[number])

    before = {number: signal.signal(number, stop) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if for_good else handler)


def _run(argv: Sequence[str], supervised: bool) -> int:
    """Run a command, print its errors, and return the exit status."""
    try:
        arguments = parse(argv)
    except SystemExit as stop:
        return int(stop.code or HELD)
    except ArgumentsError as error:
        _print_error(str(error), [], "--json" in argv)
        return WRONG
    command = COMMANDS[arguments.command]
    signals = {int(signal.SIGTERM): ("ended", ENDED)}
    if supervised and command.supervised:
        from ..budgets import supervisor

        if supervisor.can_supervise():
            limits = _limits(command, arguments)
            ending = supervisor.supervise(limits)
            if ending is not None:
                return _status_of_ending(ending, command, limits)
            sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
            signals[supervisor.STOP] = f"stopped at {limits.time_limit}", UNDECIDED
    with _stopped_by(signals, for_good=supervised):
        return _execute(command, arguments)


def _limits(command: Command, arguments: argparse.Namespace) -> Budget:
    """The limits of a whole command."""
    from ..budgets import UNBOUNDED, Budget

    whole = command.timeout is Bound.COMMAND
    seconds = getattr(arguments, "timeout", None) if whole else None
    return Budget(seconds or UNBOUNDED.seconds, getattr(arguments, "memory", UNBOUNDED.memory))


def _status_of_ending(ending: Ending, command: Command, limits: Budget) -> int:
    """The exit status of a command that ran in a child; prints the reason if the child could not."""
    from ..budgets import watchdog
    from ..budgets.supervisor import Cause

    def stop(word: str, status: int) -> int:
        return status if ending.is_told else _stop(word, status)

    match ending.killed:
        case Cause.INTERRUPT:
            return stop("interrupted", INTERRUPTED)
        case Cause.TERMINATION:
            return stop("ended", ENDED)
        case Cause.TIME:
            return stop(f"stopped at {limits.time_limit}", UNDECIDED)
        case Cause.MEMORY:
            return stop(f"stopped at {limits.memory_limit}", UNDECIDED)
        case None:
            if ending.status >= 0:
                return ending.status
    if command.step and -ending.status == signal.SIGXCPU:
        print(f"rulespec: {command.step} takes more than {watchdog.LIMIT:.0f} s of work", file=sys.stderr)
        return WRONG
    print(f"rulespec: the command was ended by {signal.Signals(-ending.status).name}", file=sys.stderr)
    return SIGNALLED - ending.status


def _execute(command: Command, arguments: argparse.Namespace) -> int:
    """Run a command and return its exit status; errors that the user can correct are printed."""
    try:
        module = import_module(f".{command.module}", __package__)
        return int(getattr(module, arguments.command)(arguments))
    except MemoryError:
        return _stop("stopped at the limit of memory", UNDECIDED)
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # standard output cannot be written to, so nothing can be printed there
        told = _message_about(error)
        if told is None:
            raise
        _print_error(*told, getattr(arguments, "json", False))
        return WRONG


def _print_error(text: str, diagnostics: list[dict[str, Any]], as_json: bool) -> None:
    """Print a message on standard error, and with `as_json` also as a document."""
    print(text, file=sys.stderr)
    if as_json:
        print_json({"error": {"message": text, "diagnostics": diagnostics}})


def _abandon_output() -> None:
    """Redirect standard output, so that nothing more is written to the closed pipe."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def _system_error(error: OSError) -> str:
    """The message of an OSError with its file; an error without a name concerns standard output."""
    name = error.filename
    if name is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF):
        name = "standard output"
    return f"rulespec: {f'{name}: ' if name is not None else ''}{error.strerror or error}"


def _message_about(error: Exception) -> tuple[str, list[dict[str, Any]]] | None:
    """The message about an error that the user can correct; None for a defect of this program."""
    from rulespec.solver.engines import NoEngine

    from ..core.diagnostics import RulesetError
    from ..core.meter import StepLimitExceeded
    from ..core.verdicts import StoreError
    from ..executors import NoCluster, OtherProgram, OtherRules, PartFailed
    from ..play.chance import ChanceError
    from ..simulation.result_file import DatabaseError

    if isinstance(error, RulesetError):
        return "\n".join(d.render() for d in error.diagnostics), [d.to_data() for d in error.diagnostics]
    named = Usage | StoreError | ChanceError | DatabaseError | NoEngine
    if isinstance(error, named | NoCluster | OtherProgram | OtherRules | PartFailed):
        return f"rulespec: {error}", []
    if isinstance(error, StepLimitExceeded):
        return f"rulespec: {error}: let types and binders run over less", []
    if isinstance(error, OSError):
        return _system_error(error), []
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        extra = EXTRAS[error.name]
        return f"rulespec: {error.name} is not installed: pip install 'rulespec[{extra}]'", []
    return None
