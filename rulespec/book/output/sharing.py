"""Drawings that share equal parts: a run of marks is written once, and used by its id afterwards.

The boards of a page differ in a few pieces, and their grounds are most of its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

DRAWING = re.compile(r'(<svg [^>]*class="rs-diagram"[^>]*>)(.*?)(</svg>)', re.DOTALL)
_MARK = re.compile(r"<(g)\b[^>]*>|<(?:\w+)\b[^>]*/>|<(\w+)\b[^>]*>[^<]*</\2>")
_GROUP = re.compile(r"<(/?)g\b[^>]*?(/?)>")

CLASS = "rs-run"
"""The class of a run of marks that other drawings use."""
LEAST_GAIN = 200
"""Minimum number of characters saved by sharing a run."""


def share_runs(text: str, prefix: str) -> str:
    """Share recurring runs of marks within a page, or within a list of drawings, one after another.

    Ids begin with `prefix`. A drawing whose marks are nested differently is left alone.
    """
    drawings = [split(body) for _, body, _ in DRAWING.findall(text)]
    runs = _Runs([marks for marks in drawings if marks is not None], prefix)
    listed = iter(drawings)

    def drawn(match: re.Match[str]) -> str:
        marks = next(listed)
        return match[0] if marks is None else match[1] + runs.share(marks) + match[3]

    return DRAWING.sub(drawn, text)


def split(body: str) -> list[str] | None:
    """The marks of a drawing, each with its contents; None if the drawing contains anything else."""
    marks, at = [], 0
    while at < len(body):
        found = _MARK.match(body, at)
        if found is None:
            return None
        end = _end_of_group(body, found.end()) if found[1] and not found[0].endswith("/>") else found.end()
        marks.append(body[at:end])
        at = end
    return marks


def _end_of_group(body: str, at: int) -> int:
    depth = 1
    for tag in _GROUP.finditer(body, at):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(body)


class _Runs:
    """The runs of marks that always occur together in some drawings, recurring ones with an id."""

    def __init__(self, drawings: Sequence[Sequence[str]], prefix: str) -> None:
        self._prefix = prefix
        self._after: dict[str, set[str]] = {}
        self._before: dict[str, set[str]] = {}
        for marks in drawings:
            for first, second in pairwise(["", *marks, ""]):
                self._after.setdefault(first, set()).add(second)
                self._before.setdefault(second, set()).add(first)
        self._counts: dict[tuple[str, ...], int] = {}
        for marks in drawings:
            for run in self._cut(marks):
                self._counts[run] = self._counts.get(run, 0) + 1
        self._ids: dict[tuple[str, ...], str] = {}

    def _cut(self, marks: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """The marks in runs: two are in one run if neither ever occurs without the other beside it."""
        run: list[str] = []
        for mark in marks:
            if run and not (self._after[run[-1]] == {mark} and self._before[mark] == {run[-1]}):
                yield tuple(run)
                run = []
            run.append(mark)
        if run:
            yield tuple(run)

    def share(self, marks: Iterable[str]) -> str:
        """A drawing of these marks: a recurring run is written in full where it is first, then by its id."""
        return "".join(map(self._run, self._cut(marks)))

    def _run(self, run: tuple[str, ...]) -> str:
        text, count = "".join(run), self._counts[run]
        if (count - 1) * (len(text) - 30) < LEAST_GAIN:
            return text
        if run in self._ids:
            return f'<use href="#{self._ids[run]}"/>'
        self._ids[run] = f"{self._prefix}{len(self._ids) + 1}"
        return f'<g id="{self._ids[run]}" class="{CLASS}">{text}</g>'
