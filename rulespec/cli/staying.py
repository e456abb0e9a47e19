"""The process that stays: the modules that it loads, and what it keeps of the commands that it ran."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from ..core.cache import cache_folder, look_again, unsafe
from ..core.cached_code import digest_of
from ..language import parser
from ..language.loader import shipped
from ..play.passed import passed
from ..serve.identity import PROGRAM
from ..serve.server import CannotServe, Server
from .readying import readying
from .running import run

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
        readying.process = os.getpid()

    def news(self) -> dict[str, Any]:
        """The texts that were parsed, and the examples that passed."""
        texts, left = [], MOST_TEXTS
        for text, start in parser.trees.computed or ():
            left -= len(text)
            if left < 0:
                break
            texts.append((text, start))
        return {"texts": texts, "passed": passed.new}

    def aside(self) -> bool:
        """True if a machine is made ready."""
        return readying.begun

    def rest(self) -> None:
        """Wait until it is."""
        readying.wait()

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


def server(idle: float) -> Server:
    """A server with everything loaded, which ends after `idle` idle seconds; raises CannotServe."""
    for name in LOADED:
        import_module(name)
    with suppress(ImportError):
        for name in MACHINE:
            import_module(name)
    parser.formal_parser("expr_text")
    digest_of()  # from now on the digest of the modules that make code is known
    memory = Kept()
    if not memory.usable():
        raise CannotServe("a server needs the cache folder (RULESPEC_CACHE), which cannot be used")
    return Server(run, memory, [PROGRAM, str(Path(PROGRAM).parent / "solver")], idle)
