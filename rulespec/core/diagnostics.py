"""Places in files and the messages that point at them.

A message is a value: a code, one sentence, the spans it speaks of, and perhaps a suggestion.
It is rendered for a terminal with carets, or as plain data for JSON and editors.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its display name and its text."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1; empty past the end."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source. Lines and columns count from 1; the end column is exclusive."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of another."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Label:
    """A span with a note of its own."""

    span: Span
    note: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong (or doubtful), said once and in place.

    `code` is stable and machine-readable (`name.unknown`), `severity` is `error` or `warning`,
    `labels` start with the place it is about, `help` says what to do.
    """

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    severity: str = "error"
    clause: str = ""

    @property
    def span(self) -> Span | None:
        """The place the message is about, if it has one."""
        return self.labels[0].span if self.labels else None

    def sort_key(self) -> tuple[str, int, int, str]:
        """Order of reading: by file, line, column."""
        span = self.span
        return (span.source.name, span.line, span.column, self.code) if span else ("", 0, 0, self.code)

    def to_data(self) -> dict[str, Any]:
        """Plain data for `--json` and editors."""
        data: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        if self.clause:
            data["clause"] = self.clause
        if self.help:
            data["help"] = self.help
        data["spans"] = [
            {
                "file": label.span.source.name,
                "line": label.span.line,
                "column": label.span.column,
                "end_line": label.span.end_line,
                "end_column": label.span.end_column,
                "note": label.note,
            }
            for label in self.labels
        ]
        return data

    def render(self) -> str:
        """The message with its source lines and carets, as plain text."""
        span = self.span
        head = f"{span}: " if span else ""
        lines = [f"{head}{self.severity}[{self.code}]: {self.message}"]
        for label in self.labels:
            if span and label.span.source.name != span.source.name:
                lines.append(f"  {label.span}:")
            lines += _excerpt(label)
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


def _excerpt(label: Label) -> list[str]:
    span = label.span
    text = span.source.line(span.line)
    width = span.end_column - span.column if span.end_line == span.line else len(text) - span.column + 1
    gutter = len(str(span.line))
    text, start = _clipped(text, span.column - 1)
    caret = " " * start + "^" * max(1, min(width, len(text) - start))
    note = f" {label.note}" if label.note else ""
    return [f"  {span.line} | {text}", f"  {' ' * gutter} | {caret}{note}"]


MOST_SHOWN = 160
"""A line longer than this is shown in part."""


def _clipped(text: str, start: int) -> tuple[str, int]:
    """A line as far as it is shown around the column `start` (from 0), and where that column is then."""
    if len(text) <= MOST_SHOWN:
        return text, start
    first = max(0, min(start - 20, len(text) - MOST_SHOWN))
    last = first + MOST_SHOWN
    before, after = "… " if first else "", " …" if last < len(text) else ""
    return before + text[first:last] + after, len(before) + start - first


class RulesetError(Exception):
    """A ruleset, record or example that cannot be used. Carries every diagnostic of the run."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted(diagnostics, key=Diagnostic.sort_key))
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesetError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)  # it may come from another process


@dataclass(slots=True)
class Report:
    """Collects faults, so that all those of a file come in one run."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def error(
        self, code: str, message: str, *labels: Label | Span | None, help: str = "", clause: str = ""
    ) -> None:
        """Note a fault; the first span is the place it is about."""
        placed = tuple(x if isinstance(x, Label) else Label(x) for x in labels if x is not None)
        self.add(Diagnostic(code, message, placed, help, clause=clause))

    def add(self, found: Diagnostic) -> None:
        """Note what was found elsewhere; nothing is noted twice."""
        if found not in self.diagnostics:
            self.diagnostics.append(found)

    def raise_errors(self) -> None:
        """Raise RulesetError if any fault was noted."""
        if self.diagnostics:
            raise RulesetError(self.diagnostics)


def nearest(word: str, candidates: Iterable[str]) -> str:
    """Advice that proposes the candidate nearest to a misspelt word; empty if none is near."""
    found = difflib.get_close_matches(word, sorted(set(candidates)), n=1, cutoff=0.6)
    return f"did you mean {found[0]}?" if found else ""
