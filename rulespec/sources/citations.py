"""The parts of a ruleset that may come from sentences, and the sentences that they cite.

A ruleset also covers the variants beside it, or in the folder `variants` there, that have no document of
their own. Names are the paths with which variants replace things, such as `place`, `players`,
`place.require.vacant`, `place.examples.first` or `parameters.rows`; for a variant, `its-id/place`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ..core.diagnostics import Report, Span
from ..core.meter import Meter
from ..core.storage.safe_reading import read_text
from ..language.documents.ruleset_files import display_path, finder, locate, source_of
from ..language.documents.shapes import words
from ..language.documents.variants import Document, load
from ..language.documents.yaml import MOST_BYTES, Mapping, Node, Scalar, mappings
from ..language.loader import count_reading
from ..language.rules import id_of
from ..language.work_limit import new_meter, report_limits

OURS = "ours"
"""The citation of a rule that comes from no document."""
_EXTENDS = re.compile(r"(?m)^extends:")
_ID = re.compile(r"(?m)^id:\s*(\S+)")
MOST_NEIGHBOURS = 1_000
"""Maximum number of files beside a ruleset that are searched for its variants."""
KINDS = ("rule", "ruling", "example", "setting", "claim")
"""The kinds of things that may be made from a sentence, in listing order."""


@dataclass(frozen=True)
class Citing:
    """A part of a ruleset that may come from a sentence: its name, kind (of `KINDS`), place and citations.

    `obliged` is True if it must declare its origin, like every rule.
    """

    name: str
    kind: str
    span: Span
    source: tuple[Scalar, ...]
    obliged: bool = False

    @cached_property
    def cites(self) -> tuple[Scalar, ...]:
        """The sentences that it cites."""
        return tuple(word for word in self.source if word.value != OURS)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of the sentences that it cites."""
        return frozenset(word.value for word in self.cites)


@dataclass(frozen=True)
class CitingRuleset:
    """A ruleset reduced to its documents' names and the parts that may cite them."""

    id: str
    path: Path
    documents: tuple[Scalar, ...]
    things: dict[str, Citing]
    inherits: str = ""
    """The file of the extended ruleset whose documents it shares; empty if there is none."""
    variants: dict[str, Path] = field(default_factory=dict)
    """The files of the variants that share its documents, by id."""

    @property
    def rules_to_cite(self) -> list[Citing]:
        """The parts that must declare their origin: the rules."""
        return [thing for thing in self.things.values() if thing.obliged]

    @property
    def ours(self) -> list[Citing]:
        """The rules declared to come from no document."""
        return [thing for thing in self.rules_to_cite if thing.source and not thing.cites]


def citations_of(name: str | Path, meter: Meter | None = None) -> CitingRuleset:
    """The citations in a ruleset, given by shipped name or path, and in its variants.

    Raises RulesetError with every fault of the files. The work is spent from `meter`, by default a new one.
    """
    path, report = locate(name), Report()
    meter = meter or new_meter()
    with report_limits(report, meter):
        return _citations(path, report, meter)


def _citations(path: Path, report: Report, meter: Meter) -> CitingRuleset:
    document = _load(path, report, meter)
    report.raise_errors()
    assert document is not None
    own, said_in = display_path(path), said_in_file(document)
    inherits = said_in if said_in != own else ""
    things = {thing.name: thing for thing in things_in(document, own, "")}
    variants: dict[str, Path] = {}
    for variant, _ in _variants(path) if said_in == own else ():
        faults = Report()
        read = _load(variant, faults, meter)
        if read is not None and said_in_file(read) == own:
            faults.raise_errors()
            prefix = f"{read.lineage[-1]}/"
            things |= {thing.name: thing for thing in things_in(read, display_path(variant), prefix)}
            variants[read.lineage[-1]] = variant
    source = document.root.entries.get("source")
    named = source.entries.get("document") if isinstance(source, Mapping) else None
    documents = () if inherits else tuple(words(named))
    return CitingRuleset(document.lineage[-1], path, documents, things, inherits, variants)


def _load(path: Path, report: Report, meter: Meter) -> Document | None:
    source = source_of(path, report)
    return load(count_reading(source, meter), finder(path), report, meter) if source else None


def variants_of(path: Path) -> set[str]:
    """The ids of the files beside a ruleset that may be variants of it."""
    return {found[1] for _, text in _variants(path) if (found := _ID.search(text))}


def _variants(path: Path) -> Iterator[tuple[Path, str]]:
    """Files beside a ruleset, or in its folder `variants`, that extend some ruleset, with their texts."""
    near = sorted(path.parent.glob("*.yaml")) + sorted(path.parent.glob("variants/*.yaml"))
    for file in near[:MOST_NEIGHBOURS]:
        if file != path:
            with suppress(OSError):  # an unreadable file is no variant
                text = read_text(file, MOST_BYTES, "replace")
                if _EXTENDS.search(text):
                    yield file, text


def said_in_file(document: Document) -> str:
    """The displayed file that declares the documents of a ruleset; empty if there is none."""
    source = document.root.entries.get("source")
    return source.span.source.name if source is not None else ""


def things_in(document: Document, own: str, prefix: str) -> Iterator[Citing]:
    """The rules and other parts declared in one file of a ruleset that may inherit the rest."""

    def thing(name: str, kind: str, node: Node, obliged: bool = False) -> Iterator[Citing]:
        source = node.entries.get("source") if isinstance(node, Mapping) else None
        place = node.entries.get("id", node) if isinstance(node, Mapping) else node
        if own in (node.span.source.name, source.span.source.name if source else ""):
            yield Citing(prefix + name, kind, place.span, tuple(words(source)), obliged)

    for rule in document.section("rules"):
        kind = "ruling" if rule.entries.keys() & {"readings", "settled"} else "rule"
        yield from thing(id_of(rule), kind, rule, obliged=True)
        for name, node in _entries(rule.entries.get("require")):
            yield from thing(f"{id_of(rule)}.require.{name}", "rule", node)
        for example in mappings(rule.entries.get("examples")):
            yield from thing(f"{id_of(rule)}.examples.{id_of(example)}", "example", example)
    for claim in document.section("claims"):
        yield from thing(f"claims.{id_of(claim)}", "claim", claim)
    for name, node in _entries(document.root.entries.get("parameters")):
        yield from thing(f"parameters.{name}", "setting", node)
    if "players" in document.root.entries:
        yield from thing("players", "setting", document.root.entries["players"])


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    return [*node.entries.items()] if isinstance(node, Mapping) else []
