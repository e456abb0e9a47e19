"""Which shipped rulesets passed their check as they are, so that they are not checked again.

A ruleset is taken as passed only if nothing it could rest on has changed: no YAML file of any shipped
ruleset, no file of the program, not Python. Only what passed without a fault or a doubt is kept.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ..core.cache import keep_data, kept_data
from ..language import home

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = "passed.json"
"""The file of the cache folder."""


class Passed:
    """The shipped rulesets that passed, with how many examples they have; kept in the user's cache folder."""

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
        found = kept_data(KEPT, self.key)
        whole = isinstance(found, dict) and all(type(number) is int for number in found.values())
        return found if whole else {}

    def keep(self, examples: Mapping[str, int]) -> None:
        """Keep what passed now beside what had passed; where nothing can be kept, nothing is."""
        keep_data(KEPT, self.key, {**self.examples, **examples})


def _program() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")
    yield from PACKAGE.rglob("*.lark")
