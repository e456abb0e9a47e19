"""Finding fenced examples in Markdown, with exact lines, by an independent reading of fences.

A renderer of Markdown may silently lose a fence (a misspelt name becomes plain code), so the fences to
execute are found here, and the renderer must find the same number.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...core.diagnostics import Report, Source, Span

NAME = "rulespec"
"""The name of a fence whose body is executed."""

MOST_FENCES = 500
"""Maximum number of executed fences on one page."""

_OPENING = re.compile(r"^(?P<indent>[ ]*)(?P<marks>`{3,}|~{3,})[ ]*(?P<info>[^`]*?)[ ]*$")
_QUOTED = re.compile(r"^[ ]*>")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: `first` and `last` are the lines of its marks, counted from 1."""

    source: Source
    info: str
    first: int
    last: int
    column: int

    @property
    def body(self) -> Source:
        """The file with every other line emptied, so that places in the body are places in the file."""
        lines = self.source.lines[self.first : self.last - 1]
        return Source(self.source.name, "\n" * self.first + "\n".join(lines) + "\n")

    @property
    def span(self) -> Span:
        """The opening line."""
        width = len(self.source.line(self.first))
        return Span(self.source, self.first, self.column, self.first, width + 1)


def scan_text(source: Source, report: Report) -> list[Fence]:
    """The fences of a Markdown file that have to be run, in order.

    A fence whose name is nearly ours, one of ours that carries options or is never closed, or that is in a
    quotation where it would not be rendered, is an error. A fence inside a longer fence is text.
    """
    found: list[Fence] = []
    for fence, closed in _blocks(source):
        word = fence.info.strip("{} ").lstrip(".").split(" ")[0]
        if not word or not _means_us(word):
            continue
        if word != NAME:
            message = f"no fence is called `{word}`"
            report.error("fence.name", message, fence.span, help=f"did you mean {NAME}?")
        elif fence.info != NAME:
            words = f"the fence `{NAME}` takes no options"
            report.error("fence.options", words, fence.span, help="options stand in its body")
        elif not closed:
            report.error("fence.open", "this fence is never closed", fence.span)
        elif len(found) == MOST_FENCES:
            report.error("fence.many", f"a page has at most {MOST_FENCES} examples", fence.span)
            break
        else:
            found.append(fence)
    _quoted(source, report)
    return found


def _means_us(word: str) -> bool:
    alike = difflib.SequenceMatcher(None, NAME, word.lower().replace("-", "").replace("_", "")).ratio()
    return alike >= 0.8


def _blocks(source: Source) -> Iterator[tuple[Fence, bool]]:
    """Every outermost fence, and whether it is closed."""
    lines = source.lines
    at = 0
    while at < len(lines):
        opening = _OPENING.match(lines[at].rstrip("\r"))
        if opening is None:
            at += 1
            continue
        marks = opening["marks"]
        closing = re.compile(rf"^[ ]*{re.escape(marks[0])}{{{len(marks)},}}[ \r]*$")
        end = next((i for i in range(at + 1, len(lines)) if closing.match(lines[i])), None)
        last = len(lines) if end is None else end
        yield Fence(source, opening["info"], at + 1, last + 1, len(opening["indent"]) + 1), end is not None
        at = last + 1


def _quoted(source: Source, report: Report) -> None:
    inside = {n for fence, _ in _blocks(source) for n in range(fence.first, fence.last + 1)}
    for number, line in enumerate(source.lines, 1):
        if number in inside or not _QUOTED.match(line):
            continue
        opening = _OPENING.match(line.replace(">", " ").rstrip("\r"))
        if opening and opening["info"] and _means_us(opening["info"].split()[0]):
            span = Span(source, number, 1, number, len(line) + 1)
            report.error("fence.quoted", "an example inside a quotation is not executed", span)


def markdown_files(paths: Iterable[Path]) -> list[Path]:
    """The Markdown files among these files and in these folders, in a stable order."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(path.rglob("*.md")) if path.is_dir() else [path]
        found.update(dict.fromkeys(inside))
    return list(found)
