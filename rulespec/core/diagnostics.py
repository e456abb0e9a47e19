"""Places in files and the messages that point at them.

A message is a value: a code, one sentence, the spans it is about, and perhaps a suggestion. It is rendered
for a terminal with carets, or as plain data for JSON and editors.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

CONTROLS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # all but the tab and the newline
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls, which reorder letters
    "\ud800-\udfff"  # surrogates
)
"""Invisible characters that act on a terminal or on other characters, as ranges of a regular expression."""

CONTROL = re.compile(f"[{CONTROLS}]")
"""Matches one of them."""


def printable(text: str) -> str:
    """A text with U+FFFD in place of each control character."""
    return CONTROL.sub("\ufffd", text)


@dataclass(frozen=True)
class Source:
    """A file that was read: its display name and its text."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without the newlines."""
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """The text of a line, counted from 1; empty past the end."""
        return self.lines[number - 1].rstrip("\r") if 0 < number <= len(self.lines) else ""


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
    """One fault (or doubt), reported once and in place.

    `code` is stable and machine-readable (`name.unknown`), `severity` is `error` or `warning`, `labels` start
    with the place it is about, `help` says what to do.
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

    def sort_key(self) -> tuple[bool, str, int, int, str]:
        """The key that sorts by file, line and column; the count of further faults comes last."""
        span, last = self.span, self.code == MORE
        place = (span.source.name, span.line, span.column) if span else ("", 0, 0)
        return (last, *place, self.code)

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
        lines = [f"{head}{self.severity}[{self.code}]: {abbreviate(self.message)}"]
        for label in self.labels:
            if span and label.span.source.name != span.source.name:
                lines.append(f"  {label.span}:")
            lines += _excerpt(label)
        if self.help:
            lines.append(f"  help: {self.help}")
        return printable("\n".join(lines))


def _excerpt(label: Label) -> list[str]:
    """The line of a label, and carets with the note below it."""
    span = label.span
    text = span.source.line(span.line)
    width = span.end_column - span.column if span.end_line == span.line else len(text) - span.column + 1
    gutter = len(str(span.line))
    text, start = _clip_line(text, span.column - 1)
    caret = " " * start + "^" * max(1, min(width, len(text) - start))
    note = f" {label.note}" if label.note else ""
    return [f"  {span.line} | {text}", f"  {' ' * gutter} | {caret}{note}"]


LONGEST_MESSAGE = 2_000
"""Maximum length of a message; a message may quote a text of any length."""


def abbreviate(text: str, most: int = LONGEST_MESSAGE) -> str:
    """The text, or its beginning and end if it has more than `most` characters."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


MOST_SHOWN = 160
"""A longer line is shown in part."""


def _clip_line(text: str, start: int) -> tuple[str, int]:
    """The part of a line to show around the column `start` (from 0), and the new column."""
    if len(text) <= MOST_SHOWN:
        return text, start
    first = max(0, min(start - 20, len(text) - MOST_SHOWN))
    last = first + MOST_SHOWN
    before, after = "… " if first else "", " …" if last < len(text) else ""
    return before + text[first:last] + after, len(before) + start - first


class RulesetError(Exception):
    """Raised for an unusable ruleset, record or example; holds all diagnostics of the run."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted(diagnostics, key=Diagnostic.sort_key))
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesetError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)  # it may come from another process


RESERVED = "name.reserved"
"""The code of the message that a reserved word is used as a name."""
MORE = "faults.more"
"""The code of the message that counts the faults not shown."""

MOST_FAULTS = 100
"""Maximum number of faults in one run."""


@dataclass(slots=True)
class Report:
    """Collects faults, so that one run reports all of a file's.

    The first `MOST_FAULTS` are kept and the others only counted, so that many faults cost little.
    """

    noted: dict[Diagnostic, None] = field(default_factory=dict)
    count: int = 0
    """The number of faults, including those not kept."""
    compared: int = 0
    """The number of names with which misspelt words were compared."""
    beyond: Diagnostic | None = None
    """The first fault not kept."""
    reserved: set[str] = field(default_factory=set)
    """The reserved words reported as names; further faults in their lines are consequences."""
    callers: dict[str, Label] = field(default_factory=dict)
    """By the name of a file, the place that led to its text; added to faults in it."""

    def error(
        self, code: str, message: str, *labels: Label | Span | None, help: str = "", clause: str = ""
    ) -> None:
        """Add an error; the first span is the place it is about."""
        placed = tuple(x if isinstance(x, Label) else Label(x) for x in labels if x is not None)
        self.add(Diagnostic(code, message, placed, help, clause=clause))

    def add(self, fault: Diagnostic) -> None:
        """Add a fault unless it is there already or follows from a reserved word used as a name."""
        if fault.span is not None and (caller := self.callers.get(fault.span.source.name)):
            fault = replace(fault, labels=(*fault.labels, caller))
        if fault in self.noted or (fault.code != RESERVED and self._follows(fault)):
            return
        self.count += 1
        if len(self.noted) < MOST_FAULTS:
            self.noted[fault] = None
        elif self.beyond is None:
            self.beyond = fault

    def reserve(self, word: str, span: Span) -> None:
        """Report a reserved word used as a name; each word is reported once."""
        if word not in self.reserved:
            self.reserved.add(word)
            message = f"`{word}` is a word of the language and cannot be a name"
            help = "the reference of the language lists these words under `Reserved words`"
            self.error(RESERVED, message, span, help=help)

    def _follows(self, fault: Diagnostic) -> bool:
        """True if a fault lies in a line that uses a reserved word already reported as a name."""
        if not self.reserved or fault.span is None:
            return False
        line = fault.span.source.line(fault.span.line)
        return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line) for word in self.reserved)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The faults kept; if more were reported, the last element counts the others."""
        if self.beyond is None:
            return [*self.noted]
        more, labels = self.count - len(self.noted), self.beyond.labels[:1]
        message = f"{more:,} more faults are not shown" if more > 1 else "one more fault is not shown"
        return [*self.noted, Diagnostic(MORE, message, tuple(Label(label.span) for label in labels))]

    def nearest(self, word: str, candidates: Iterable[str]) -> str:
        """Advice as given by `nearest`; empty once a limit on the names compared is reached."""
        if self.beyond is not None:
            return ""
        listed = [*islice(candidates, MOST_COMPARED_IN_ALL - self.compared)]
        self.compared += len(listed)
        return nearest(word, listed)

    def choices(self, word: str, candidates: Collection[str]) -> str:
        """Advice like `nearest`, or else a few available names; empty if there are none."""
        near = self.nearest(word, candidates)
        listed = [name[:LONGEST_COMPARED] for name in islice(candidates, MOST_LISTED)]
        more = f" and {len(candidates) - len(listed)} more" if len(candidates) > len(listed) else ""
        return near or (
            f"there {'is' if len(candidates) == 1 else 'are'} " + ", ".join(listed) + more if listed else ""
        )

    def raise_errors(self) -> None:
        """Raise RulesetError if any error was added."""
        if self.count:
            raise RulesetError(self.diagnostics)


MOST_COMPARED = 5_000
"""Maximum number of names compared with one misspelt word."""
MOST_COMPARED_IN_ALL = 50_000
"""Maximum number of names compared with the misspelt words of one run."""
MOST_LISTED = 8
"""Maximum number of names listed in advice if none is near."""
LONGEST_COMPARED = 100
"""Maximum length of a word or name that is compared."""


def close_to(word: str, candidates: Iterable[str], most: int, cutoff: float = 0.6) -> list[str]:
    """The candidates nearest to a misspelt word, at most `most`, nearest first.

    `cutoff` is the least similarity, from 0 to 1. Only the first `MOST_COMPARED` candidates are compared;
    words and names over `LONGEST_COMPARED` characters are not.
    """
    if len(word) > LONGEST_COMPARED:
        return []
    names = {name for name in islice(candidates, MOST_COMPARED) if len(name) <= LONGEST_COMPARED}
    return difflib.get_close_matches(word, sorted(names), n=most, cutoff=cutoff)


SHORTEST_BEGINNING = 3
"""Minimum length of a word that stands for a name that begins with it."""


def nearest(word: str, candidates: Iterable[str]) -> str:
    """Advice that proposes the candidate nearest to a misspelt word; empty if none is near.

    A word of three letters and more is also near the names that begin with it.
    """
    names = [*islice(candidates, MOST_COMPARED)]
    found = close_to(word, names, 1)
    if not found and len(word) >= SHORTEST_BEGINNING:
        found = sorted((name for name in names if name.startswith(word)), key=len)
    return f"did you mean {found[0]}?" if found else ""
