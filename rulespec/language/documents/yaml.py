"""YAML read strictly, every value with its exact place.

Only the structure of YAML is used: mappings, sequences and scalars as text. The place of a scalar determines
its meaning, so YAML's guesses (`no`, `on`, `012`) never happen. Refused: duplicate keys, anchors, aliases,
tags, merge keys, several documents, tabs, and anything past the limits.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from ...core.diagnostics import CONTROLS, Report, Source, Span
from .yaml_advice import yaml_advice

MOST_BYTES = 1_000_000
MOST_DEPTH = 24
MOST_NODES = 50_000

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(eq=False, slots=True)
class Scalar:
    """A text. `value` is its YAML value; `formal` is the same as written, line for line.

    `lines` gives for each line of `formal` its line and the column of its first character in the file.
    `exact` is True if places inside can be trusted. `original` is the text that a variant replaced.
    """

    value: str
    span: Span
    style: str
    in_flow: bool
    formal: str
    lines: list[tuple[int, int]]
    exact: bool
    original: Node | None = None

    def place(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The place in the file of a part of `formal`; lines and columns count from 1."""
        if not self.exact or not 0 < line <= len(self.lines):
            return self.span
        end_line = min(max(end_line, line), len(self.lines))
        first, last = self.lines[line - 1], self.lines[end_line - 1]
        return Span(self.span.source, first[0], first[1] + column - 1, last[0], last[1] + end_column - 1)


@dataclass(eq=False, slots=True)
class Mapping:
    """Keys with their values, in order. `keys` holds the scalar of each key."""

    span: Span
    in_flow: bool
    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)
    original: Node | None = None


@dataclass(eq=False, slots=True)
class Sequence:
    """Values in order."""

    span: Span
    in_flow: bool
    items: list[Node] = field(default_factory=list)
    original: Node | None = None


Node: TypeAlias = "Scalar | Mapping | Sequence"


def mappings(node: Node | None) -> list[Mapping]:
    """The mappings of a sequence; none for anything else."""
    return [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []


def plain(node: Node) -> Any:
    """The data of a tree: dictionaries, lists and text."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.entries.items()}


_UNUSABLE = re.compile(f"(?!\r)[{CONTROLS}\u2028\u2029\ufffe\uffff]")
_ESCAPED = re.compile(f"[{CONTROLS}\u2028\u2029\ufffe\uffff]")
MOST_TOLD = 20
"""Maximum number of forbidden characters of a file that are reported one by one."""


def _unusable(text: str) -> Iterator[tuple[int, int, str]]:
    """The characters that break YAML or lines invisibly, with their places."""
    for found in itertools.islice(_UNUSABLE.finditer(text), MOST_TOLD):
        before = text[: found.start()]
        yield before.count("\n") + 1, found.start() - before.rfind("\n"), found.group()


def _character_name(sign: str) -> str:
    name = unicodedata.name(sign, "")
    return f"`U+{ord(sign):04X}`" + (f" ({name.lower()})" if name else "")


def read(source: Source, report: Report) -> Node | None:
    """The tree of a YAML text; faults are reported. None if nothing is usable."""
    if len(source.text.encode("utf-8", "replace")) > MOST_BYTES:
        report.error("yaml.size", f"the file is larger than {MOST_BYTES:,} bytes", Span(source, 1, 1, 1, 1))
        return None
    for line, column, sign in _unusable(source.text):
        message = f"{_character_name(sign)} is not allowed in a ruleset"
        report.error("yaml.character", message, Span(source, line, column, line, column + 1))
    if report.count:
        return None
    try:
        return _Builder(source, report).build(yaml.parse(source.text, _Loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        report.error(
            "yaml.syntax",
            f"this is not YAML: {_kind(error)}",
            Span(source, line, column, line, column + 1),
            help=yaml_advice(str(error.problem), source.lines, line),
        )
    except yaml.YAMLError as error:
        line = source.text[: getattr(error, "position", 0) or 0].count("\n") + 1
        words = "this is not YAML: a character that is not allowed here"
        report.error("yaml.syntax", words, Span(source, line, 1, line, 2))
    except _Stop:
        pass
    return None


def _kind(error: yaml.MarkedYAMLError) -> str:
    return ", ".join(part for part in (error.context, error.problem) if part)


class _Stop(Exception):
    """Raised to stop reading; the report says why."""


class _Builder:
    """Builds the tree from parser events with its own stack, so that depth is limited early."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.file_lines = source.text.split("\n")
        self.stack: list[Mapping | Sequence] = []
        self.pending: list[Scalar | None] = []
        self.root: Node | None = None
        self.nodes = 0

    def build(self, events: Iterator[Any]) -> Node | None:
        """The node of a document from the parser's events; None if it is empty."""
        documents = 0
        for event in events:
            name = type(event).__name__
            if name == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    self.fail("yaml.documents", "a file holds one document", event)
            elif name == "AliasEvent":
                self.fail("yaml.alias", "aliases are not used in rulesets", event, "write the value out")
            elif name in ("MappingStartEvent", "SequenceStartEvent", "ScalarEvent"):
                self.enter(event, name)
            elif name in ("MappingEndEvent", "SequenceEndEvent"):
                self.leave(event)
        return self.root

    def enter(self, event: Any, name: str) -> None:
        """Begin a mapping or sequence, or add a text; reports what rulesets do not use."""
        self.nodes += 1
        if self.nodes > MOST_NODES or len(self.stack) >= MOST_DEPTH:
            self.fail("yaml.size", f"more than {MOST_NODES:,} values or {MOST_DEPTH} levels", event)
        if event.anchor:
            words = "anchors are not used in rulesets"
            self.fail("yaml.anchor", words, event, "a variant shares with `extends`")
        if event.tag and event.tag != "!":
            self.fail("yaml.tag", "tags are not used in rulesets", event)
        in_flow = bool(self.stack) and self.stack[-1].in_flow
        if name == "ScalarEvent":
            self.attach(self.scalar(event, in_flow), event)
            return
        shape = Mapping if name == "MappingStartEvent" else Sequence
        node = shape(self.span(event), in_flow or bool(event.flow_style))
        self.attach(node, event)
        self.stack.append(node)
        self.pending.append(None)

    def leave(self, event: Any) -> None:
        node = self.stack.pop()
        self.pending.pop()
        end = event.end_mark
        node.span = Span(self.source, node.span.line, node.span.column, end.line + 1, end.column + 1)

    def attach(self, node: Node, event: Any) -> None:
        """Add a finished node to the mapping or sequence that contains it."""
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
            return
        key = self.pending[-1]
        if key is None:
            if not isinstance(node, Scalar):
                self.fail("yaml.key", "a key is a single word or text", event)
            assert isinstance(node, Scalar)
            if node.value == "<<":
                self.fail(
                    "yaml.merge",
                    "merge keys are not used in rulesets",
                    event,
                    "a variant shares with `extends`",
                )
            self.pending[-1] = node
            return
        if key.value in parent.entries:
            first = parent.keys[key.value]
            self.report.error("yaml.duplicate", f"`{key.value}` appears here twice", key.span, first.span)
        else:
            parent.entries[key.value] = node
            parent.keys[key.value] = key
        self.pending[-1] = None

    def scalar(self, event: Any, in_flow: bool) -> Scalar:
        """A text node, with the position of each of its lines in the file."""
        span = self.span(event)
        style = event.style or "plain"
        formal, lines, exact = self.as_written(event, style)
        # An escape can put a character here that a file may not hold.
        sign = _ESCAPED.search(event.value)
        if sign is not None:
            message = f"{_character_name(sign.group())} is not allowed in a ruleset, not even as an escape"
            self.report.error("yaml.character", message, span)
        return Scalar(event.value, span, style, in_flow, formal, lines, exact)

    def as_written(self, event: Any, style: str) -> tuple[str, list[tuple[int, int]], bool]:
        """A text as written, line and column of each of its lines, and True if these are exact."""
        start, end = event.start_mark, event.end_mark
        if style == "|":
            return self.block(event)
        if style == "plain" and start.line == end.line:
            return event.value, [(start.line + 1, start.column + 1)], True
        if style == "plain":
            lines = self.file_lines[start.line : end.line + 1] or [""]  # after the last line
            lines[-1] = lines[-1][: end.column]
            shown = [lines[0][start.column :], *lines[1:]]
            # Deeper lines go on with the statement, whatever their own depth.
            below = ((start.line + 2 + i, 1) for i in range(len(shown) - 1))
            places = [(start.line + 1, start.column + 1), *below]
            return "\n".join(shown), places, True
        quoted = style in ("'", '"') and start.line == end.line
        if quoted and end.column - start.column - 2 == len(event.value):
            return event.value, [(start.line + 1, start.column + 2)], True
        return event.value, [], False

    def block(self, event: Any) -> tuple[str, list[tuple[int, int]], bool]:
        """The text of a `|` block with the position of each line, and True if these are exact."""
        first = event.start_mark.line + 1
        values = event.value.split("\n")
        while values and not values[-1].strip():
            values.pop()
        indent = None
        for value, line in zip(values, self.file_lines[first:], strict=False):
            if value.strip():
                shown = len(line.rstrip("\r").lstrip(" ")) - len(value.lstrip(" "))
                indent = len(line) - shown - len(value)
                indent -= line.endswith("\r")
                break
        places = [(first + 1 + i, (indent or 0) + 1) for i in range(len(values))]
        return "\n".join(values), places, True

    def span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.source, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def fail(self, code: str, message: str, event: Any, help: str = "") -> None:
        mark = event.start_mark
        span = Span(self.source, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)
        self.report.error(code, message, span, help=help)
        raise _Stop
