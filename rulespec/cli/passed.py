"""A cache of checks of the shipped rulesets: which passed `check`.

An entry is valid while no YAML file of any shipped ruleset, no file of the program and no version of Python
has changed. Only rulesets that passed without errors and warnings are entered.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ..core.storage.cache import read_cached_data, write_cached_data
from ..language import home

PACKAGE = Path(__file__).resolve().parent.parent
PASSED = "passed.json"
"""The file of the cache folder."""


def _key() -> str:
    """A digest of everything that a check depends on."""
    digest = hashlib.sha256(sys.version.encode())
    for file in sorted(home().rglob("*.yaml")):
        digest.update(f"{file.relative_to(home())} ".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    for file in sorted(_program()):
        status = file.stat()
        digest.update(f"{file.relative_to(PACKAGE)} {status.st_size} {status.st_mtime_ns} ".encode())
    return digest.hexdigest()


class Passed:
    """The shipped rulesets that passed their check, with their numbers of examples."""

    @cached_property
    def _key(self) -> str:
        return _key()

    @cached_property
    def examples(self) -> Mapping[str, int]:
        """The number of examples of each ruleset that passed."""
        data = read_cached_data(PASSED, self._key)
        valid = isinstance(data, dict) and all(type(number) is int for number in data.values())
        return data if valid else {}

    def keep(self, examples: Mapping[str, int]) -> None:
        """Add rulesets that passed; without effect if there is no cache folder."""
        write_cached_data(PASSED, self._key, {**self.examples, **examples})


def _program() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")
    yield from PACKAGE.rglob("grammar.*")
