"""Which shipped rulesets passed their check as they are, so that they are not checked again.

A ruleset is taken as passed only if nothing it could rest on has changed: no YAML file of any shipped
ruleset, no file of the program, not Python. Only what passed without a fault or a doubt is kept.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from ..core.cache import cache_folder
from ..core.files import make_folder, write_text
from ..language import home

PACKAGE = Path(__file__).resolve().parent.parent
MOST_BYTES = 100_000


class Passed:
    """The shipped rulesets that passed, with how many examples they have; kept in the user's cache folder."""

    def __init__(self) -> None:
        self._file = cache_folder() / "passed.json"

    @cached_property
    def key(self) -> str:
        """What stands for everything that a check can rest on."""
        found = hashlib.sha256(sys.version.encode())
        for file in sorted(home().rglob("*.yaml")):
            found.update(f"{file.relative_to(home())} ".encode())
            found.update(hashlib.sha256(file.read_bytes()).digest())
        for file in sorted(_program()):
            status = file.stat()
            found.update(f"{file.relative_to(PACKAGE)} {status.st_size} {status.st_mtime_ns} ".encode())
        return found.hexdigest()

    @cached_property
    def examples(self) -> Mapping[str, int]:
        """How many examples each ruleset has that passed as it is."""
        with suppress(OSError, ValueError, AttributeError):
            if self._file.stat().st_size <= MOST_BYTES:
                kept = json.loads(self._file.read_text("utf-8"))
                found = kept.get("passed") if kept.get("key") == self.key else None
                if isinstance(found, dict) and all(type(number) is int for number in found.values()):
                    return found
        return {}

    def keep(self, examples: Mapping[str, int]) -> None:
        """Keep what passed now beside what had passed; where nothing can be kept, nothing is."""
        with suppress(OSError):
            make_folder(self._file.parent)
            write_text(self._file, json.dumps({"key": self.key, "passed": {**self.examples, **examples}}))


def _program() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")
    yield from PACKAGE.rglob("*.lark")
