"""Printing of results and progress: JSON, tables and words as wide as the terminal, one line of progress.

Results go to standard output, progress to standard error and only on a terminal. Names of files, settings of
the environment and messages of the system may contain control characters: the standard streams accept only
those that `print_styled` writes.
"""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from ..core.diagnostics import CONTROL, printable
from .parsing import MOST_COLUMNS

LONG = 5.0
"""Seconds after which a note recommends the machine."""
ERASE = "\r\033[K"
"""Erases the line of the cursor."""
LEAST_COLUMNS = 40
"""Minimum width; narrower terminals break the lines themselves."""

COLOURS = {
    "proved": 32, "refuted": 31, "passed": 32, "FAILED": 31, "bounded": 33, "undecided": 33,
    "conditional": 33, "unchecked": 33,
}  # fmt: skip
"""The colours of outcomes and of the results of checks, as codes of the terminal."""

PLAIN = {
    "·": ".",
    "…": "...",
    "–": "-",
    "—": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "×": "x",
    "→": "->",
    "≤": "<=",
}
"""Substitutes for characters missing in a terminal's encoding; all others become `?`."""


def prepare(*streams: TextIO) -> None:
    """Make the standard streams accept every character, whatever their encoding."""
    codecs.register_error("rulespec", _plainer)
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="rulespec")


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(PLAIN.get(character, "?") for character in lost), error.end


class Printable:
    """A text stream that writes U+FFFD in place of each control character."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text without its control characters; returns the length of the given text."""
        self.stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each line."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def without_controls() -> Iterator[None]:
    """Make standard output and standard error refuse control characters within the block."""
    before = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    ours = {name: Printable(stream) for name, stream in before.items()}
    for name, stream in ours.items():
        setattr(sys, name, stream)
    try:
        yield
    finally:
        for name, stream in ours.items():
            if getattr(sys, name) is stream:
                setattr(sys, name, before[name])


def print_styled(text: str, end: str = "\n", file: TextIO | None = None) -> None:
    """Print a text with its control characters.

    The text must not include file names or anything from the environment.
    """
    stream: Any = sys.stdout if file is None else file
    print(text, end=end, file=stream.stream if isinstance(stream, Printable) else stream, flush=True)


def _is_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def print_json(data: Any) -> None:
    """Print a result as JSON, with escapes for control characters."""
    text = json.dumps(data, indent=2, ensure_ascii=not _is_unicode(sys.stdout))
    print(CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text))


def columns() -> int:
    """The width of results: that of the terminal, within bounds; wide without a terminal."""
    return max(LEAST_COLUMNS, min(shutil.get_terminal_size((MOST_COLUMNS, 24)).columns, MOST_COLUMNS))


def uses_colours(stream: TextIO) -> bool:
    """True if colours may be used: on a terminal, unless NO_COLOR is set to anything."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def in_colour(word: str) -> str:
    """An outcome in its colour, if the terminal has colours."""
    code = COLOURS.get(word)
    return f"\033[{code}m{word}\033[0m" if code and uses_colours(sys.stdout) else word


def escape(text: str) -> str:
    """A text on one line, with newlines, control and other unprintable characters written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def fill(text: str, first: str = "", rest: str | None = None) -> str:
    """A text broken into lines that fit; `first` begins the first line, `rest` the others."""
    after = first + "  " if rest is None else rest
    return textwrap.fill(text, columns(), initial_indent=first, subsequent_indent=after)


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as aligned columns; the last column is wrapped if it does not fit."""
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    before = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = max(columns() - before, LEAST_COLUMNS // 4)
    lines: list[str] = []
    for row in rows:
        head = "".join(cell.ljust(width + 2) for cell, width in zip(row[:-1], widths, strict=False))
        broken = textwrap.wrap(row[-1], room) or [""]
        lines += [(head + broken[0]).rstrip(), *(" " * before + line for line in broken[1:])]
    return "\n".join(lines)


def advise_compiler(seconds: float) -> None:
    """Recommend, on a terminal and after slow work, the package that would make it faster."""
    from ..code import can_run

    if seconds > LONG and sys.stderr.isatty() and not can_run():
        words = "the interpreter played the game; the machine plays it a thousand times as fast"
        print(fill(f"note: {words}: pip install wasmtime"), file=sys.stderr)


def slowly(reasons: Iterable[str]) -> None:
    """Say why the machine was not used for slow work."""
    for why in reasons:
        print(fill(f"note: this took long, for {why}"), file=sys.stderr)


class Progress:
    """One line on standard error with the present work and the estimated remaining time.

    The work is `total` of any unit, of which `done` is finished; without a total only words are shown, after
    the common `label`.
    """

    def __init__(self, label: str = "") -> None:
        self.label = f"{label} " if label else ""
        self.total = 0.0
        self.done = 0.0
        self._began = time.monotonic()
        self._shown = sys.stderr.isatty()

    def __call__(self, message: str) -> None:
        """Show a message in place of the previous one."""
        if self._shown:
            room = max(shutil.get_terminal_size().columns - 1, 20)
            head = f"{self.label}{self._share()}{message}"
            print_styled(f"{ERASE}{printable(head)[:room]}", end="", file=sys.stderr)

    def _share(self) -> str:
        if not self.total:
            return ""
        share = min(self.done / self.total, 1.0)
        spent = time.monotonic() - self._began
        left = f", {duration(spent * (1 - share) / share)} left" if share > 0 and spent > 1 else ""
        return f"[{share:.0%}{left}] "

    def clear(self) -> None:
        """Erase the line."""
        if self._shown:
            print_styled(ERASE, end="", file=sys.stderr)


def duration(seconds: float) -> str:
    """A duration in words, rounded."""
    whole = round(seconds)
    if whole < 90:
        return f"{max(whole, 1)} s"
    return f"{round(whole / 60)} min" if whole < 5400 else f"{whole / 3600:.1f} h"
