"""What was found out about the shipped rulesets as they are, so that it is not found out again.

That a ruleset passed its check, and that verdicts are about its rules as they are, is taken as it was only if
nothing that it could rest on has changed: no YAML file of any shipped ruleset, no file of the program, not
Python. Only what passed without a fault or a doubt is kept.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ..core.cache import keep_data, kept_data
from ..core.verdicts import STRENGTH, Verdict
from ..language import home

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = "passed.json"
"""The file of the cache folder."""


CURRENT = "current.json"
"""The same, for verdicts."""


def _key() -> str:
    """What stands for everything that a check can rest on."""
    found = hashlib.sha256(sys.version.encode())
    for file in sorted(home().rglob("*.yaml")):
        found.update(f"{file.relative_to(home())} ".encode())
        found.update(hashlib.sha256(file.read_bytes()).digest())
    for file in sorted(_program()):
        status = file.stat()
        found.update(f"{file.relative_to(PACKAGE)} {status.st_size} {status.st_mtime_ns} ".encode())
    return found.hexdigest()


class _Kept:
    """What is kept while its key stays as it is; the key is made once for a command."""

    @cached_property
    def _key(self) -> str:
        return _key()


class Passed(_Kept):
    """The shipped rulesets that passed, with how many examples they have; kept in the user's cache folder."""

    @cached_property
    def examples(self) -> Mapping[str, int]:
        """How many examples each ruleset has that passed as it is."""
        found = kept_data(KEPT, self._key)
        whole = isinstance(found, dict) and all(type(number) is int for number in found.values())
        return found if whole else {}

    def keep(self, examples: Mapping[str, int]) -> None:
        """Keep what passed now beside what had passed; where nothing can be kept, nothing is."""
        keep_data(KEPT, self._key, {**self.examples, **examples})


class Current(_Kept):
    """The verdicts on shipped rulesets that are about the rules as they are; kept among the caches."""

    @cached_property
    def _digests(self) -> frozenset[str]:
        found = kept_data(CURRENT, self._key)
        return frozenset(filter(lambda one: isinstance(one, str), found if isinstance(found, list) else ()))

    def settled(self, verdicts: Iterable[Verdict]) -> set[tuple[str, ...]]:
        """The subjects of those of some stored verdicts that are settled and current."""
        return {v.subject for v in verdicts if STRENGTH[v.outcome] == 2 and _digest(v) in self._digests}

    def keep(self, verdicts: Iterable[Verdict]) -> None:
        """Keep that these verdicts are current; where nothing can be kept, nothing is."""
        digests = {_digest(v) for v in verdicts}
        if not digests <= self._digests:
            keep_data(CURRENT, self._key, sorted(self._digests | digests))


def _digest(verdict: Verdict) -> str:
    return hashlib.sha256(repr(verdict.subject).encode()).hexdigest()


def _program() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")
    yield from PACKAGE.rglob("*.lark")
