"""The one function that loads a game from a ruleset."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as Given
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.diagnostics import Report, Source, Span
from ..core.game import Game
from ..core.meter import Meter
from .assemble import assemble
from .documents import variants
from .documents.ruleset_files import Finder, finder, locate, source_of
from .documents.yaml import Node, Scalar, Sequence
from .elaborate.memoisation import Memories
from .settings import Settings
from .work_limit import CHARACTER, new_meter, report_limits

NOTHING: Given[str, Source] = {}


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A ruleset as written in its files, including those it extends: one game for each of its settings."""

    document: variants.Document
    memories: Memories = field(default_factory=Memories)
    """The parts that games of different settings share."""
    sources: Given[str, Source] = field(default_factory=dict)
    """The texts read so far, those of libraries included, by the name of the file."""
    links: Given[tuple[str, str], str] = field(default_factory=dict)
    """The files to which names in files were resolved so far, by the name of the file and that name."""

    def with_settings(
        self,
        players: int | None = None,
        parameters: Given[str, Any] | None = None,
        readings: Given[str, str] | None = None,
        meter: Meter | None = None,
        left_open: Collection[str] = (),
    ) -> Game:
        """The game with these settings over the defaults.

        Parameters take values or their notation; readings name one reading for each ruling. Of rulings that
        are `left_open` the setup draws one. Raises RulesetError with every fault of the formal text, or if
        the work passes the limit of `meter` (by default a new one).
        """
        meter = meter or new_meter()
        given = Settings(players, parameters or {}, readings or {}, left_open)
        return assemble(self.document, Report(), self.memories, meter, given)


def read(
    name: str | Path,
    example: Node | None = None,
    instead: Given[str, Source] = NOTHING,
    meter: Meter | None = None,
) -> Ruleset:
    """The ruleset of a shipped name or a path; raises RulesetError with every fault of its structure.

    An `example` from another file is read as the last example of the last rule. `instead` has texts that
    replace files, by file name as in messages. The work is spent from `meter`, by default a new one.
    """
    path = locate(name)
    report = Report()
    source = source_of(path, report)
    return _read(
        instead.get(source.name, source) if source else None, finder(path), report, example, instead, meter
    )


def read_texts(texts: Given[str, str], links: Given[tuple[str, str], str]) -> Ruleset:
    """The ruleset made of texts, by file name, its own text first; no file is read.

    `links` give the file for each name in a text. Raises RulesetError with every fault of its structure.
    """
    sources = {name: Source(name, text) for name, text in texts.items()}

    def find(name: str, span: Span, report: Report) -> Source | None:
        found = sources.get(links.get((span.source.name, name), ""))
        if found is None:
            report.error("variant.extends", f"no text is called `{name}`", span)
        return found

    return _read(next(iter(sources.values())), find, Report())


def _read(
    source: Source | None,
    find: Finder,
    report: Report,
    example: Node | None = None,
    instead: Given[str, Source] = NOTHING,
    meter: Meter | None = None,
) -> Ruleset:
    sources = {source.name: source} if source else {}
    links: dict[tuple[str, str], str] = {}

    def finding(meter: Meter) -> Finder:
        def found(base: str, span: Span, report: Report) -> Source | None:
            source = find(base, span, report)
            if source is None:
                return None
            links[span.source.name, base] = source.name
            sources[source.name] = source = instead.get(source.name, source)
            return count_reading(source, meter)

        return found

    meter = meter or new_meter()
    with report_limits(report, meter):
        document = (
            variants.load(count_reading(source, meter), finding(meter), report, meter) if source else None
        )
    report.raise_errors()
    assert document is not None and source is not None
    for use in document.uses.values():
        sources[use.library.source.name] = use.library.source
    itself = source

    def sibling(name: Scalar | None, report: Report, meter: Meter) -> variants.Document | None:
        found = finding(meter)
        source = count_reading(itself, meter) if name is None else found(name.value, name.span, report)
        return variants.load(source, found, report, meter) if source else None

    document.sibling = sibling
    if example is not None:
        _append(document, example)
    return Ruleset(document, sources=sources, links=links)


def load(
    name: str | Path,
    players: int | None = None,
    parameters: Given[str, Any] | None = None,
    readings: Given[str, str] | None = None,
    left_open: Collection[str] = (),
) -> Game:
    """The game of a shipped name or a path, with these settings over its defaults: see
    `Ruleset.with_settings`.

    Raises RulesetError with every fault of the text.
    """
    return read(name).with_settings(players, parameters, readings, left_open=left_open)


def count_reading(source: Source, meter: Meter) -> Source:
    """The source, after spending the steps of reading it."""
    with meter.part(f"reading `{source.name}`", Span(source, 1, 1, 1, 1)):
        meter.spend(CHARACTER * len(source.text))
    return source


def _append(document: variants.Document, example: Node) -> None:
    last = document.section("rules")[-1]
    there = last.entries.get("examples")
    kept = there.items if isinstance(there, Sequence) else []
    last.entries["examples"] = Sequence(example.span, False, [*kept, example])
