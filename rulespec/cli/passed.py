"""A cache of checks of the shipped rulesets: which passed `check`, and which stored verdicts are not stale.

An entry is valid while no YAML file of any shipped ruleset, no file of the program and no version of Python
has changed. Only rulesets that passed without errors and warnings are entered.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ..core.cache import read_cached_data, write_cached_data
from ..core.verdicts import STRENGTH, Verdict
from ..language import home

PACKAGE = Path(__file__).resolve().parent.parent
PASSED, CURRENT = "passed.json", "current.json"
"""The files of the cache folder, for rulesets and for verdicts."""


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


class _Cached:
    """A cached file with its key, which is computed once per command."""

    @cached_property
    def _key(self) -> str:
        return _key()


class Passed(_Cached):
    """The shipped rulesets that passed their check, with their numbers of examples."""

    @cached_property
    def examples(self) -> Mapping[str, int]:
        """The number of examples of each ruleset that passed."""
        data = read_cached_data(PASSED, self._key)
        valid = isinstance(data, dict) and all(type(number) is int for number in data.values())
        return data if valid else {}

    def keep(self, examples: Mapping[str, int]) -> None:
        """Add rulesets that passed; without effect if there is no cache folder."""
        write_cached_data(PASSED, self._key, {**self.examples, **examples})


class Current(_Cached):
    """The digests of stored verdicts on shipped rulesets that are not stale."""

    @cached_property
    def _digests(self) -> frozenset[str]:
        data = read_cached_data(CURRENT, self._key)
        digests = data if isinstance(data, list) else []
        return frozenset(digest for digest in digests if isinstance(digest, str))

    def settled(self, verdicts: Iterable[Verdict]) -> set[tuple[str, ...]]:
        """The subjects of the settled verdicts among `verdicts` that are cached as not stale."""
        return {v.subject for v in verdicts if STRENGTH[v.outcome] == 2 and _digest(v) in self._digests}

    def keep(self, verdicts: Iterable[Verdict]) -> None:
        """Add verdicts that are not stale; without effect if there is no cache folder."""
        digests = {_digest(v) for v in verdicts}
        if not digests <= self._digests:
            write_cached_data(CURRENT, self._key, sorted(self._digests | digests))


def _digest(verdict: Verdict) -> str:
    return hashlib.sha256(repr(verdict.subject).encode()).hexdigest()


def _program() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")
    yield from PACKAGE.rglob("*.lark")
