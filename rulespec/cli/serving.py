"""serve: a process that stays, is asked how it does, or ended."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..serve.client import asked
from ..serve.identity import address, can_serve
from ..serve.protocol import ProtocolError
from .output import filled, say
from .status import HELD, UNDECIDED, Usage


def serve(arguments: argparse.Namespace) -> int:
    """Stay and run commands, or ask or end the process that does."""
    if not can_serve():
        raise Usage("this system lacks Unix domain sockets or forked processes: commands run by themselves")
    place = address()
    if place is None:
        raise Usage("the user has no home folder: set RULESPEC_STATE to a folder")
    path = Path(place)
    if not (arguments.status or arguments.stop):
        return _stay(path, arguments)
    try:
        answer = asked("stop" if arguments.stop else "status")
    except ProtocolError as error:
        raise Usage(f"the server at {path} does not answer: {error}") from None
    status = None if answer is None else answer.get("status")
    if arguments.stop and status is not None and not arguments.json:
        running = status["running"]
        rest = f"; commands that still run: {running}" if running else ""
        print(f"process {status['process']} has stopped listening{rest}")
    else:
        _tell(path, status, arguments.json)
    return UNDECIDED if status is None else HELD


def _stay(path: Path, arguments: argparse.Namespace) -> int:
    from ..serve.server import CannotServe
    from .staying import server

    try:
        staying = server(arguments.idle)
        first = staying.listen(path)
    except CannotServe as error:
        raise Usage(str(error)) from None
    status = staying.status() if first else (asked("status") or {}).get("status")
    _tell(path, status, arguments.json)
    if first:
        sys.stdout.flush()
        print(f"ended: {staying.serve()}", file=sys.stderr)
    return HELD if status else UNDECIDED


def _tell(path: Path, status: dict[str, Any] | None, as_json: bool) -> None:
    """Say how a server does; None where none runs."""
    if as_json:
        say({"address": str(path), "server": status})
    elif status is None:
        print("no server runs")
    else:
        print(f"process {status['process']} listens at {path}")
        kept, running = status["kept"], status["running"]
        if status["served"]:
            words = f"{status['served']:,} commands in {status['seconds']:,} s, {running} running"
            words += ", a machine being made ready" if status["aside"] else ""
            keeps = f"{kept['texts']:,} formal texts and {kept['examples']:,} examples that passed"
            print(filled(f"{words}; it keeps {keeps}"))
