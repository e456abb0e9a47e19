"""Source maps: files that say for every sentence of a document what was made from it, without its text.

A map is in the folder `sources` beside its ruleset, one for each document. Its entries are in the order of
the sentences and are labelled by section and number, the labels that rules cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..core.diagnostics import Report, Span
from ..core.numbers import whole_number
from ..core.storage.safe_reading import read_text
from ..language.documents.ruleset_files import source_of
from ..language.documents.ruleset_shape import ID, PROSE, WORD, WORDS
from ..language.documents.shapes import Many, NamedEntries, Shape, check, words
from ..language.documents.yaml import MOST_BYTES, Mapping, Scalar, read
from .citations import CitingRuleset
from .sentences import DIGITS

REASONS = {
    "heading": "a heading or a title",
    "lead-in": "only leads to what follows",
    "story": "the story or the history around the game",
    "facts": "what kind of game it is: how long it takes, its theme, its standing",
    "credit": "who made it, when, under which licence",
    "materials": "what to have at hand, without consequence for play",
    "figure": "a picture: its caption, or words about it",
    "remark": "advice, reassurance, an opinion, what makes no difference to play",
    "page": "about the page itself, links, calls to the reader",
}
"""The reasons why a sentence is no rule."""

MAP = re.compile(r"(?m)^source-map:")
_LABEL = re.compile(r"(?P<section>[A-Za-z0-9-]*[A-Za-z][A-Za-z0-9-]*)-(?P<number>[1-9]\d*)")
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGITS}}}")
_SHAPE = Shape(
    {
        "source-map": WORD,
        "ruleset": ID,
        "document": WORD,
        "sentences": NamedEntries(
            Shape({"digest": WORD, "became": WORDS, "because": WORD, "told": Many(PROSE)}, ("digest",)),
            ids=True,
        ),
    },
    ("source-map", "ruleset", "document", "sentences"),
)


@dataclass(frozen=True)
class Entry:
    """A sentence of a document: its label, its digest, and the parts made from it (`became`) or why it is no
    rule.

    `told` are the spans of our own text that tell it to a reader of the rulebook.
    """

    label: str
    digest: str
    span: Span
    became: tuple[Scalar, ...] = ()
    because: str = ""
    told: tuple[Scalar, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the parts made from it."""
        return frozenset(name.value for name in self.became)

    @cached_property
    def variants(self) -> frozenset[str]:
        """The variants in which something was made from it."""
        return frozenset(name.rpartition("/")[0] for name in self.names if "/" in name)

    @property
    def section(self) -> str:
        """The section of the document, by the name that the map gives it."""
        return self.label.rpartition("-")[0]


@dataclass(frozen=True)
class SourceMap:
    """The map of one document, for one ruleset; `document` is the name of its file."""

    path: Path
    ruleset: str
    document: str
    span: Span
    """The place at which the map names its document."""
    entries: dict[str, Entry]
    """By label, in the order of the document."""


MOST_FILES = 100
"""Maximum number of files beside a ruleset that are searched for its maps."""


def map_files(ruleset: Path) -> list[Path]:
    """The files that may be maps of a ruleset, sorted by name."""
    return sorted(folder_of(ruleset).glob("*.yaml"))[:MOST_FILES]


def _may_be_map(file: Path) -> bool:
    """True if a file looks like a map, or cannot be read, which is reported later."""
    try:
        return MAP.search(read_text(file, MOST_BYTES, "replace")) is not None
    except OSError:
        return True


def folder_of(ruleset: Path) -> Path:
    """The folder of the maps of a ruleset."""
    return ruleset.parent / "sources"


def maps_of(ruleset: CitingRuleset) -> list[SourceMap]:
    """The maps of a ruleset, by file name; raises RulesetError with every fault of their files."""
    report = Report()
    found = [read_map(file, report) for file in map_files(ruleset.path) if _may_be_map(file)]
    report.raise_errors()
    return [one for one in found if one is not None and one.ruleset == ruleset.id]


def read_map(path: Path, report: Report) -> SourceMap | None:
    """The map in a file; None, with faults reported, if it is not one."""
    before = report.count
    source = source_of(path, report)
    root = read(source, report) if source else None
    if source is None or root is None:
        if source is not None and report.count == before:
            report.error("yaml.empty", "the file is empty", Span(source, 1, 1, 1, 1))
        return None
    if not check(root, _SHAPE, report, "source map") or not isinstance(root, Mapping):
        return None
    head = {key: node for key, node in root.entries.items() if isinstance(node, Scalar)}
    if head["source-map"].value != "1":
        message = f"this is version 1 of source maps, not `{head['source-map'].value}`"
        report.error("key.version", message, head["source-map"].span)
    listed = root.entries["sentences"]
    assert isinstance(listed, Mapping)
    entries = {entry.label: entry for entry in _entries(listed, report)}
    _check_numbers(entries, report)
    document = head["document"]
    return SourceMap(path, head["ruleset"].value, document.value, document.span, entries)


def _entries(listed: Mapping, report: Report) -> Iterator[Entry]:
    """Yield the entry of each sentence; reports malformed digests and unknown reasons."""
    for label, node in listed.entries.items():
        assert isinstance(node, Mapping)
        digest, because = node.entries["digest"], node.entries.get("because")
        assert isinstance(digest, Scalar)
        if not _DIGEST.fullmatch(digest.value):
            message = f"a digest is {DIGITS} of the characters 0-9 and a-f, not `{digest.value}`"
            help = "`rulespec coverage … --draft` writes it"
            report.error("map.digest", message, digest.span, help=help)
        if isinstance(because, Scalar):
            _check_reason(node, because, report)
        reason = because.value if isinstance(because, Scalar) else ""
        became = tuple(words(node.entries.get("became")))
        told = tuple(words(node.entries.get("told")))
        yield Entry(label, digest.value, listed.keys[label].span, became, reason, told)


def _check_reason(node: Mapping, because: Scalar, report: Report) -> None:
    """Report an unknown reason, or one for a sentence that became a rule."""
    if because.value not in REASONS:
        advice = report.nearest(because.value, REASONS) or "one of " + ", ".join(REASONS)
        report.error("map.reason", f"there is no reason `{because.value}`", because.span, help=advice)
    if "became" in node.entries:
        message = "a sentence that became something is a rule, and needs no reason why it is none"
        report.error("map.both", message, node.keys["because"].span, node.keys["became"].span)


def _check_numbers(entries: dict[str, Entry], report: Report) -> None:
    """Report sections whose sentences are not numbered from 1 in order."""
    last: dict[str, int] = {}
    for entry in entries.values():
        found = _LABEL.fullmatch(entry.label)
        if found is None:
            help = "it is called like `setup-3`: the section, and the number in it"
            report.error("map.label", f"`{entry.label}` names no sentence", entry.span, help=help)
            continue
        section, number = found["section"], whole_number(found["number"])
        expected = last.get(section, 0) + 1
        if number != expected:
            message = f"`{entry.label}` stands where `{section}-{expected}` is expected"
            report.error("map.order", message, entry.span)
        last[section] = expected if number is None else number
