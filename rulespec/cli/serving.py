"""serve: a process that stays, and what it keeps."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from ..core.cache import cache_folder, look_again, unsafe
from ..language import parser
from ..language.loader import shipped
from ..play.passed import passed
from ..serve.client import asked
from ..serve.identity import PROGRAM, address, can_serve
from ..serve.protocol import ProtocolError
from ..serve.server import CannotServe, Server
from .output import filled, say
from .running import run
from .status import HELD, UNDECIDED, Usage

LOADED = (
    "rulespec.book.diagram",
    "rulespec.book.fences",
    "rulespec.cli.covering",
    "rulespec.cli.differing",
    "rulespec.cli.playing",
    "rulespec.cli.simulating",
    "rulespec.cli.texts",
    "rulespec.cli.tracing",
    "rulespec.kernels.batches",
    "rulespec.play.examples",
    "rulespec.play.replayed_chance",
    "rulespec.sources.fitting",
)
"""The modules that served commands use, with all that they import."""
MACHINE = ("wasmtime", "rulespec.machine.encode", "rulespec.machine.runtime")
"""Those of the machine, which may be missing."""
MOST_TEXTS = 500_000
"""The most characters of texts whose trees are kept; past them all are dropped, and kept anew."""


class Kept:
    """The trees of formal texts that some ruleset had, and the examples that passed."""

    def __init__(self) -> None:
        self._characters = 0

    def usable(self) -> bool:
        """False if the cache folder cannot be used, of which a command of its own would warn."""
        folder = cache_folder()
        return folder is not None and not unsafe(folder)

    def begin(self) -> None:
        """Begin to note what is new, and forget what was read from files."""
        look_again()
        shipped.cache_clear()
        parser.trees.computed = []
        passed.active = True

    def news(self) -> dict[str, Any]:
        """The texts that were parsed, and the examples that passed."""
        texts, left = [], MOST_TEXTS
        for text, start in parser.trees.computed or ():
            left -= len(text)
            if left < 0:
                break
            texts.append((text, start))
        return {"texts": texts, "passed": passed.new}

    def learn(self, news: dict[str, Any]) -> None:
        """Parse the texts here too, which a child has shown to do no harm, and keep the examples."""
        for text, start in news["texts"]:
            if self._characters + len(text) > MOST_TEXTS:
                parser.trees.clear()
                self._characters = 0
            self._characters += len(text)
            with suppress(Exception):  # a text with a fault, which is told where it stands
                parser.trees(text, start)
        passed.learn(news["passed"])

    def to_data(self) -> dict[str, int]:
        """The numbers of texts and examples."""
        return {"texts": len(parser.trees), "examples": len(passed)}


def serve(arguments: argparse.Namespace) -> int:
    """Stay and run commands, or ask or end the process that does."""
    if not can_serve():
        raise Usage(
            "this system has no Unix domain sockets, or no processes that fork: commands run by themselves"
        )
    path = address()
    if path is None:
        raise Usage("the user has no home folder: set RULESPEC_STATE to a folder")
    try:
        if arguments.stop:
            return _stop(path, arguments.json)
        return _status(path, arguments.json) if arguments.status else _serve(path, arguments)
    except CannotServe as error:
        raise Usage(str(error)) from None
    except ProtocolError as error:
        raise Usage(f"the server at {path} does not answer: {error}") from None


def _serve(path: Path, arguments: argparse.Namespace) -> int:
    for name in LOADED:
        import_module(name)
    with suppress(ImportError):
        for name in MACHINE:
            import_module(name)
    parser.formal_parser("expr_text")
    memory = Kept()
    if not memory.usable():
        raise CannotServe("a server needs the cache folder (RULESPEC_CACHE), which cannot be used")
    folders = [PROGRAM, str(Path(PROGRAM).parent / "solver")]
    server = Server(run, memory, folders, arguments.idle)
    if not server.listen(path):
        return _status(path, arguments.json)
    _tell(path, server.status(), arguments.json)
    sys.stdout.flush()
    reason = server.serve()
    print(f"ended: {reason}", file=sys.stderr)
    return HELD


def _status(path: Path, as_json: bool) -> int:
    answer = asked("status")
    _tell(path, None if answer is None else answer.get("status"), as_json)
    return UNDECIDED if answer is None else HELD


def _stop(path: Path, as_json: bool) -> int:
    answer = asked("stop")
    _tell(path, None if answer is None else answer.get("status"), as_json, ended=True)
    return UNDECIDED if answer is None else HELD


def _tell(path: Path, status: dict[str, Any] | None, as_json: bool, ended: bool = False) -> None:
    """Say how a server does; None where none runs."""
    if as_json:
        say({"address": str(path), "server": status})
        return
    if status is None:
        print("no server runs")
        return
    running, kept = status["running"], status["kept"]
    if ended:
        rest = f"; {running} of its commands still run" if running else ""
        print(f"process {status['process']} listens no more{rest}")
        return
    print(f"process {status['process']} listens at {path}")
    if status["served"]:
        words = f"{status['served']:,} commands in {status['seconds']:,} s, {running} running; it keeps"
        print(filled(f"{words} {kept['texts']:,} formal texts and {kept['examples']:,} examples that passed"))
