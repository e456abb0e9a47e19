"""Limits on the YAML that mkdocs reads itself: its configuration, and the front matter of pages.

mkdocs constructs every value, with aliases expanded wherever a value is printed. The events of the parser are
counted here first: they come one by one, at any depth, and an alias counts like its expansion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from ...core.diagnostics import Report, Source, Span
from ...core.storage.safe_reading import read_bytes, resolve_path
from ...language.documents.ruleset_files import display_path
from ...language.documents.yaml import MOST_BYTES, MOST_DEPTH, MOST_NODES

INHERIT = "INHERIT"
"""The key of a configuration that names the one it extends."""
TEMPLATE = "template"
"""The key of a page that names the template it is rendered with."""
TEXT = "tag:yaml.org,2002:str"


def check_configuration(path: Path, report: Report) -> None:
    """Report values that mkdocs could not construct in a configuration or in one that it inherits from."""
    seen = set[Path]()
    while True:
        seen.add(resolve_path(path))
        try:
            content = read_bytes(path, MOST_BYTES)
        except OSError as error:
            report.error("file.missing", f"`{display_path(path)}` cannot be read: {error.strerror}")
            return
        source = Source(display_path(path), content.decode("utf-8", "replace"))
        values = _values(source, 0, content, report)
        if values is None or INHERIT not in values:
            return
        above, place = values[INHERIT]
        path = path.parent / above.value
        if resolve_path(path) in seen:
            report.error("yaml.inherit", f"the configuration inherits from itself through `{INHERIT}`", place)
            return


def check_front_matter(source: Source, report: Report) -> None:
    """Report values at the head of a page that mkdocs could not construct or use."""
    from mkdocs.utils.meta import YAML_RE  # `check` reads configurations, too, and never needs mkdocs

    found = YAML_RE.match(source.text)
    values = _values(source, 1, found[1], report, mapping=False) if found else None
    if values and TEMPLATE in values:
        template, place = values[TEMPLATE]
        if _tag(template) != TEXT:
            report.error("yaml.value", f"the `{TEMPLATE}` of a page is the name of a file", place)


def _values(
    source: Source, before: int, text: str | bytes, report: Report, mapping: bool = True
) -> dict[str, tuple[yaml.ScalarEvent, Span]] | None:
    """The top-level scalars of a YAML mapping by key; None with a fault reported.

    The text begins after `before` lines of its source. Syntax errors are left to mkdocs. With `mapping`,
    anything but a mapping is a fault.
    """
    reader = _Reader(source, before)
    try:
        for event in _events(text):
            reader.read(event)
    except _Fault as fault:
        report.error(fault.code, str(fault), reader.place(fault.event))
        return None
    if mapping and reader.root is not None and not isinstance(reader.root, yaml.MappingStartEvent):
        report.error("yaml.value", "a configuration is a mapping", reader.place(reader.root))
        return None
    return reader.values


def _events(text: str | bytes) -> Iterator[yaml.Event]:
    """The events of a YAML text up to its first syntax error.

    Read in Python as mkdocs does: libyaml ends at a depth of its own, before it gives the events above it.
    """
    try:
        yield from yaml.parse(text, yaml.SafeLoader)
    except yaml.YAMLError:
        return


class _Fault(Exception):
    def __init__(self, code: str, message: str, event: yaml.Event) -> None:
        super().__init__(message)
        self.code, self.event = code, event


@dataclass(slots=True)
class _Size:
    """The number of values in a collection and the levels of collections in it, with aliases expanded."""

    values: int = 1
    levels: int = 0
    anchor: str | None = None


@dataclass(slots=True)
class _Reader:
    """Counts the values of a YAML document and constructs its scalars. Raises _Fault."""

    source: Source
    before: int
    values: dict[str, tuple[yaml.ScalarEvent, Span]] = field(default_factory=dict)
    root: yaml.Event | None = None
    _open: list[_Size] = field(default_factory=list)
    _sizes: dict[str, _Size] = field(default_factory=dict)
    _total: int = 0
    _key: yaml.Event | None = None
    """The last key of the outermost mapping, while its value is expected."""

    def read(self, event: yaml.Event) -> None:
        """Process the next event."""
        if isinstance(event, yaml.NodeEvent):
            self.root = self.root or event
            self._outermost(event)
        if isinstance(event, yaml.CollectionStartEvent):
            self._open.append(_Size(anchor=event.anchor))
            self._count(1, 0, event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._count(1, 0, event)
            _check_value(event)
            self._add(_Size(1, 0, event.anchor))

    def place(self, event: yaml.Event) -> Span:
        """The place of an event in the source."""
        mark: Any = event.start_mark
        line, column = mark.line + 1 + self.before, mark.column + 1
        return Span(self.source, line, column, line, column + 1)

    def _outermost(self, event: yaml.Event) -> None:
        """Record the keys and values of the outermost mapping."""
        if len(self._open) != 1 or not isinstance(self.root, yaml.MappingStartEvent):
            return
        if self._key is None:
            self._key = event
            return
        if isinstance(self._key, yaml.ScalarEvent) and isinstance(event, yaml.ScalarEvent):
            self.values[self._key.value] = event, self.place(event)
        self._key = None

    def _alias(self, event: yaml.AliasEvent) -> None:
        if any(size.anchor == event.anchor for size in self._open):
            raise _Fault("yaml.alias", f"`*{event.anchor}` stands for something that it is a part of", event)
        size = self._sizes.get(str(event.anchor), _Size())  # mkdocs reports an alias without an anchor
        self._count(size.values, size.levels, event)
        self._add(_Size(size.values, size.levels))

    def _count(self, values: int, levels: int, event: yaml.Event) -> None:
        self._total += values
        if self._total > MOST_NODES or len(self._open) + levels > MOST_DEPTH:
            limits = f"more than {MOST_NODES:,} values, aliases expanded, or {MOST_DEPTH} levels"
            raise _Fault("yaml.size", limits, event)

    def _close(self) -> None:
        size = self._open.pop()
        self._add(_Size(size.values, size.levels + 1, size.anchor))

    def _add(self, size: _Size) -> None:
        """Record the size of a complete value, and add it to the enclosing collection."""
        if size.anchor is not None:
            self._sizes[size.anchor] = size
        if self._open:
            above = self._open[-1]
            above.values += size.values
            above.levels = max(above.levels, size.levels)


def _tag(event: yaml.ScalarEvent) -> str:
    """The tag of a scalar, guessed by the rules of YAML if none is written."""
    if event.tag and event.tag != "!":
        return str(event.tag)
    return str(_RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit))


def _check_value(event: yaml.ScalarEvent) -> None:
    """Raise _Fault for a scalar that cannot be constructed as its YAML type, such as the date 2024-99-99."""
    tag = _tag(event)
    if tag not in yaml.SafeLoader.yaml_constructors:
        return  # such as `!ENV`, which are the business of mkdocs
    try:
        yaml.constructor.SafeConstructor().construct_object(yaml.ScalarNode(tag, event.value), deep=True)
    except (yaml.YAMLError, ValueError, AttributeError, KeyError):
        kind = tag.rpartition(":")[2]
        raise _Fault("yaml.value", f"this cannot be read as a value of the type `{kind}`", event) from None


_RESOLVER: Any = yaml.resolver.Resolver()
