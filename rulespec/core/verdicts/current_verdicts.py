"""A cache of stored verdicts known to be about the present rules and claims."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ..diagnostics import Source
from ..storage.cache import read_cached_data, write_cached_data
from ..storage.source_digest import source_digest

Subject = tuple[str, ...]
"""The subject of a verdict, with the digests of rules and claim: see `Verdict.subject`."""


class Current:
    """The subjects of verdicts on one ruleset that are not stale.

    They are cached until one of its texts, including those it extends or names, or the program changes.
    """

    def __init__(self, sources: Sequence[Source] = ()) -> None:
        """`sources` are the texts of the ruleset, complete once it has given a game; without them, nothing
        is cached."""
        names = [source.name for source in sources]
        self._file = f"current-{_digest(names)[:32]}.json" if sources else ""
        texts = [source.text for source in sources]
        self._key = _digest([source_digest("rulespec.language"), *names, *texts])
        data = read_cached_data(self._file, self._key) if sources else None
        listed = data if isinstance(data, list) else ()
        self._kept = {digest for digest in listed if isinstance(digest, str)}

    def __contains__(self, subject: Subject) -> bool:
        return _digest(subject) in self._kept

    def keep(self, subjects: Iterable[Subject]) -> None:
        """Add verdicts that are not stale; they are cached if there is a cache folder."""
        digests = {_digest(subject) for subject in subjects}
        if self._file and not digests <= self._kept:
            self._kept |= digests
            write_cached_data(self._file, self._key, sorted(self._kept))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256(repr([*parts]).encode()).hexdigest()
