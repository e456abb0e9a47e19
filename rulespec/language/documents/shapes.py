"""Kinds of values of a tree, and one walk that checks a tree against them.

Misfits are unknown keys (with the nearest known one), missing keys, empty values, wrong kinds, and prose and
formal text inside flow mappings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...core.diagnostics import Report, Span, abbreviate
from .habitual_keys import KEYS
from .yaml import Mapping, Node, Scalar, Sequence

LONGEST_ID = 64
"""The characters of an id, which is part of the names of files."""
IDS = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
"""The form of an id: it names pages, anchors and files, and formal text may refer to it."""


@dataclass(frozen=True)
class Leaf:
    """A text: `prose` for readers, a `cell` of a table, which may stand in a flow sequence, `formal` text,
    an `id`, a `word` (a plain value), a `play` in notation, or any `data`. `start` is the start rule of
    formal text; values that may be mere notation have none."""

    kind: str
    start: str = ""


@dataclass(frozen=True)
class Shape:
    """A mapping with these keys; `rest` is the kind of any other key's value, if other keys are allowed."""

    keys: dict[str, Kind]
    required: tuple[str, ...] = ()
    rest: Kind | None = None


@dataclass(frozen=True)
class Many:
    """A sequence of one kind."""

    of: Kind


@dataclass(frozen=True)
class NamedEntries:
    """A mapping from names of the author's to one kind; `ids` says that they are new names, not paths."""

    of: Kind
    ids: bool = False


@dataclass(frozen=True)
class Either:
    """Whichever kind fits the value's form: a text, a sequence or a mapping."""

    options: tuple[Kind, ...]


Kind = Leaf | Shape | Many | NamedEntries | Either


def check(node: Node, kind: Kind, report: Report, where: str = "ruleset") -> bool:
    """Check a tree against a kind; every misfit is reported. True if there was none."""
    before = report.count
    _WALKS[type(kind)](node, kind, report, where)
    return report.count == before


_FORMS = {"prose": "text", "cell": "text", "formal": "formal text"}
"""The words in messages for kinds of texts that are not single words."""


def _leaf(node: Node, kind: Leaf, report: Report, where: str) -> None:
    """Check that a node is a text of the given kind."""
    if kind.kind == "data":
        return
    if not isinstance(node, Scalar):
        what = _FORMS.get(kind.kind, "a single word")
        help = _form_advice(node) if kind.kind in _FORMS else ""
        report.error("key.kind", f"`{where}` takes {what}", node.span, help=help)
        return
    if not node.value.strip():
        message = f"`{where}` has no value"
        report.error("key.empty", message, node.span, help="write the value, or leave the key out")
    elif kind.kind == "id":
        _check_id(node.value, node.span, report, where)
    elif kind.kind == "prose" and node.in_flow and node.style == "plain" and " " in node.value:
        words = "prose cannot be inside `{…}` or `[…]`, where YAML silently cuts it at commas"
        report.error("yaml.flow", words, node.span, help="write this mapping in block style, one key a line")


def _form_advice(node: Mapping | Sequence) -> str:
    """Advice for a mapping or a list where a text is expected."""
    if node.in_flow:
        sign = "{" if isinstance(node, Mapping) else "["
        return f"a text that begins with `{sign}` goes in quotes"
    if isinstance(node, Sequence):
        return "several lines of one text go in a `|` block, not in a list"
    return "a text that holds `: ` goes in quotes, or in a `|` block"


def _check_id(word: str, span: Span, report: Report, where: str) -> None:
    if not IDS.fullmatch(word) or len(word) > LONGEST_ID:
        help = f"an id is letters, digits and hyphens, at most {LONGEST_ID} of them"
        words = f"`{where}` cannot be called `{abbreviate(word, LONGEST_ID)}`"
        report.error("key.id", words, span, help=help)


def _shape(node: Node, kind: Shape, report: Report, where: str) -> None:
    """Check the keys of a mapping and the values below them."""
    if not isinstance(node, Mapping):
        report.error("key.kind", f"`{where}` takes keys with values", node.span, help=_written(kind))
        return
    for key, value in node.entries.items():
        inner = kind.keys.get(key, kind.rest)
        if inner is None:
            word = node.keys[key]
            empty = isinstance(value, Scalar) and not value.value.strip()
            advice = (
                "YAML cut a text at a comma: write this mapping in block style"
                if node.in_flow and empty
                else ""
            )
            report.error(
                "key.unknown",
                f"`{where}` has no key `{key}`",
                word.span,
                help=advice or _habit(key, kind) or report.nearest(key, kind.keys),
            )
        else:
            check(value, inner, report, key)
    for key in kind.required:
        if key not in node.entries:
            report.error("key.missing", f"`{where}` needs the key `{key}`", node.span)


def _written(kind: Shape | Many) -> str:
    """Advice on the beginning of a mapping, or of an entry of a list: its needed keys, or the first."""
    of, dash = (kind.of, "- ") if isinstance(kind, Many) else (kind, "")
    if not isinstance(of, Shape) or not of.keys:
        return ""
    needed = [key for key in of.keys if key in of.required] or [*of.keys][:1]
    return f"write `{dash}{needed[0]}: …`" + "".join(f" and `{key}: …`" for key in needed[1:])


def _habit(key: str, kind: Shape) -> str:
    """Advice on a key of other formats; empty if it is none, or its equivalent is not allowed there."""
    ours = KEYS.get(key.lower(), "")
    return f"that is `{ours}` here" if ours in kind.keys else ""


def _many(node: Node, kind: Many, report: Report, where: str) -> None:
    if not isinstance(node, Sequence):
        words = f"`{where}` takes a list, each entry after a `- `"
        report.error("key.kind", words, node.span, help=_written(kind))
        return
    for item in node.items:
        check(item, kind.of, report, where.removesuffix("s"))


def _named(node: Node, kind: NamedEntries, report: Report, where: str) -> None:
    if not isinstance(node, Mapping):
        report.error("key.kind", f"`{where}` takes names with values", node.span)
        return
    for key, value in node.entries.items():
        if kind.ids:
            _check_id(key, node.keys[key].span, report, where)
        check(value, kind.of, report, f"{where}.{key}")


def _either(node: Node, kind: Either, report: Report, where: str) -> None:
    form = {Scalar: (Leaf,), Sequence: (Many,), Mapping: (Shape, NamedEntries)}[type(node)]
    for option in kind.options:
        if isinstance(option, form):
            check(node, option, report, where)
            return
    check(node, kind.options[0], report, where)


_WALKS: dict[type, Callable[..., None]] = {
    Leaf: _leaf,
    Shape: _shape,
    Many: _many,
    NamedEntries: _named,
    Either: _either,
}


def inner(kind: Kind, key: str) -> Kind | None:
    """The kind of the value under a key (or an id, in a list); None if the key is not allowed."""
    if isinstance(kind, Shape):
        return kind.keys.get(key, kind.rest)
    if isinstance(kind, NamedEntries | Many):
        return kind.of
    if isinstance(kind, Either):
        return next((found for option in kind.options if (found := inner(option, key)) is not None), None)
    return None


def words(node: Node | None) -> list[Scalar]:
    """The scalars of a value that may be one word or a list of them."""
    if node is None:
        return []
    if isinstance(node, Sequence):
        return [item for item in node.items if isinstance(item, Scalar)]
    return [node] if isinstance(node, Scalar) else []


def text_of(node: Node | None) -> str:
    """The prose of a scalar on one line, empty without one."""
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""
