"""The canonical layout of a ruleset's file: formal text as the printer writes it, everything else unchanged.

Comments stay, and the meaning of the ruleset does not change; callers compare the digests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from ..core.diagnostics import Report, Source
from ..core.meter import Meter
from .documents.ruleset_shape import LIBRARY, RULESET, VARIANT
from .documents.shapes import Either, Kind, Leaf, Many, NamedEntries, Shape
from .documents.variants import DECLARED, kind_at
from .documents.yaml import Mapping, Node, Scalar, Sequence, read
from .syntax.parser import ParsedText, Syntax, declarations, parse
from .syntax.text_printer import print_text
from .work_limit import new_meter

_KEY = re.compile(r"^( *(?:- )*)(?:[\w.-]+|\"[^\"]*\"|'[^']*'): +$")
_UNSAFE = re.compile(r"^[\s\-?:,\[\]{}#&*!|>'\"%@`]|: |:$| #|\n")
"""A text that is not plain in YAML."""


def format_ruleset(source: Source) -> str:
    """The text of a file in its canonical layout. Raises RulesetError if it is no YAML."""
    report, meter = Report(), new_meter()
    root = read(source, report)
    report.raise_errors()
    lines = [line.rstrip() for line in source.text.replace("\r\n", "\n").split("\n")]
    if isinstance(root, Mapping):
        kinds = {"extends": VARIANT, "library": LIBRARY}
        shape = next((kind for key, kind in kinds.items() if key in root.entries), RULESET)
        for text, start in sorted(_texts(root, shape), key=lambda one: -one[0].span.line):
            _replace(lines, text, start, meter)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _texts(node: Node, kind: Kind) -> Iterator[tuple[Scalar, str]]:
    """The formal texts in a tree, each with its start rule."""
    if isinstance(kind, Either):
        form = {Scalar: (Leaf,), Sequence: (Many,), Mapping: (Shape, NamedEntries)}[type(node)]
        for option in kind.options:
            if isinstance(option, form):
                yield from _texts(node, option)
                return
    elif isinstance(kind, Leaf) and isinstance(node, Scalar):
        if kind.start:
            yield node, kind.start
    elif isinstance(kind, Many) and isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item, kind.of)
    elif isinstance(kind, Shape | NamedEntries) and isinstance(node, Mapping):
        for key, value in node.entries.items():
            of = kind.of if isinstance(kind, NamedEntries) else kind.keys.get(key, kind.rest)
            if kind is VARIANT and key == "replace" and isinstance(value, Mapping):
                yield from _replaced_texts(value)
            elif of is not None:
                yield from _texts(value, of)


def _replaced_texts(node: Mapping) -> Iterator[tuple[Scalar, str]]:
    """The formal texts with which a variant replaces others."""
    for path, value in node.entries.items():
        kind = kind_at(path.split("."))
        if path.partition(".")[0] in DECLARED and isinstance(value, Scalar):
            yield value, "decl_text"
        elif kind is not None:
            yield from _texts(value, kind)


def _replace(lines: list[str], text: Scalar, start: str, meter: Meter) -> None:
    """Replace a formal text by its canonical form, unless that would lose comments."""
    if text.style not in ("|", "plain") or text.in_flow or not text.exact or not text.formal.strip():
        return
    shown = _print_text(text, start, meter)
    if shown is None or shown.count("#") != text.formal.count("#"):
        return
    fresh = shown.rstrip("\n").split("\n")
    first, last = text.lines[0], text.lines[-1]
    if text.style == "|":
        lines[first[0] - 1 : last[0]] = [" " * (first[1] - 1) + line if line else "" for line in fresh]
        return
    row, column = text.span.line - 1, text.span.column - 1
    key = _KEY.match(lines[row][:column])
    after = lines[text.span.end_line - 1][text.span.end_column - 1 :]
    if len(fresh) == 1 and not _UNSAFE.search(fresh[0]) and text.span.line == text.span.end_line:
        lines[row] = lines[row][:column] + fresh[0] + after
    elif key is not None and not after.strip():
        indent = " " * (len(key[1]) + 2)
        block = [indent + line if line else "" for line in fresh]
        lines[row : text.span.end_line] = [lines[row][:column] + "|", *block]


def _print_text(text: Scalar, start: str, meter: Meter) -> str | None:
    """A formal text as formatted by the printer; None if it cannot be read."""
    report = Report()
    if start == "decl_text":
        found = [*declarations(text, report, meter)]
        parsed = [one for one in found if isinstance(one, ParsedText)]
        if report.count or not parsed:
            return None
        return print_text((cast(Syntax, one.tree.children[0]), one.text.formal) for one in parsed)
    one = parse(text, start, report, meter)
    return print_text([(one.tree, text.formal)]) if one is not None else None
