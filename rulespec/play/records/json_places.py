"""JSON text read with the place of each key and each list item of its outermost object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ...core.diagnostics import Diagnostic, Label, RulesetError, Source, Span


@dataclass(frozen=True)
class Entry:
    """A value of the object, with the spans of its key, of itself and of its items if it is a list."""

    value: Any
    key: Span
    span: Span
    items: tuple[Span, ...] = ()


def scan(source: Source) -> dict[str, Entry]:
    """The entries of a JSON object by key; raises RulesetError if the text is none.

    Stricter than JSON: duplicate keys and infinite or undefined numbers are refused.
    """
    return dict(_Scanner(source).entries())


class _Scanner:
    def __init__(self, source: Source) -> None:
        self.source, self.text, self.at = source, source.text, 0
        self.decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=self._constant)
        self.starts = [0, *(i + 1 for i, letter in enumerate(self.text) if letter == "\n")]

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Yield the keys of the outermost object, each with its entry. Raises RulesetError."""
        seen: dict[str, Span] = {}
        self._expect("{")
        while self._peek() != "}":
            if seen:
                self._expect(",")
            key, span = self._key()
            if key in seen:
                first = Label(seen[key], "first here")
                self._fail("json.duplicate", f"the key `{key}` appears twice", span, first)
            seen[key] = span
            self._expect(":")
            self._peek()
            yield key, self._entry(span)
        self._expect("}")
        if self._peek():
            self._fail("json.syntax", "there is more text after the end", self._span(self.at, self.at + 1))

    def _key(self) -> tuple[str, Span]:
        """Read a key of an object; returns its text and its place."""
        if self._peek() != '"':
            self._expect('"')
        start = self.at
        return str(self._value()), self._span(start, self.at)

    def _entry(self, key: Span) -> Entry:
        """The value of a key, with the place of each item if it is an array."""
        start = self.at
        if self._peek() != "[":
            return Entry(self._value(), key, self._span(start, self.at))
        values: list[Any] = []
        spans: list[Span] = []
        self._expect("[")
        while self._peek() != "]":
            if values:
                self._expect(",")
                self._peek()
            begin = self.at
            values.append(self._value())
            spans.append(self._span(begin, self.at))
        self._expect("]")
        return Entry(values, key, self._span(start, self.at), tuple(spans))

    def _value(self) -> Any:
        """Read a JSON value from the present position. Raises RulesetError."""
        start = self.at
        try:
            value, self.at = self.decoder.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self._fail("json.syntax", error.msg.lower(), self._span(error.pos, error.pos + 1))
        except (ValueError, RecursionError) as error:
            said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            self._fail("json.value", said, self._span(start, start + 1))
        return value

    def _peek(self) -> str:
        """Skip blanks; returns the next letter, empty at the end."""
        while self.at < len(self.text) and self.text[self.at] in " \t\r\n":
            self.at += 1
        return self.text[self.at : self.at + 1]

    def _expect(self, letter: str) -> None:
        """Skip a letter. Raises RulesetError if another one follows."""
        found = self._peek()
        if found != letter:
            what = f"not `{found}`" if found else "but the text ends"
            here = self._span(self.at, self.at + 1)
            self._fail("json.syntax", f"`{letter}` is expected here, {what}", here)
        self.at += 1

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, *self._place(start), *self._place(end))

    def _place(self, at: int) -> tuple[int, int]:
        """The line and column of a position, both from 1."""
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= at else (low, middle)
        return low + 1, at - self.starts[low] + 1

    def _fail(self, code: str, message: str, *labels: Span | Label) -> NoReturn:
        placed = tuple(x if isinstance(x, Label) else Label(x) for x in labels)
        raise RulesetError([Diagnostic(code, message, placed)]) from None

    @staticmethod
    def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object from its pairs. Raises ValueError for a key that appears twice."""
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a key appears twice in an object")
        return found

    @staticmethod
    def _constant(word: str) -> NoReturn:
        raise ValueError(f"{word} is no number")
