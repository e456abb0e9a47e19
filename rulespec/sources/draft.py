"""Writing a source map: a draft for an author to complete, or an update to the present document and rules.

The things made from a sentence are collected from the citations, so an author declares them once, in the
rule; reasons why sentences are no rules are kept. New or changed sentences are left open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..core.diagnostics import Source
from .citations import CitingRuleset
from .coverage import Pair, align_entries
from .sentences import Sentence, sentences
from .source_maps import Entry, SourceMap, folder_of

WIDE = 110
"""Maximum width of a line, if possible."""


class Line(NamedTuple):
    """The line of one sentence: the parts made from it or why it is no rule, and the spans that express
    it."""

    label: str
    digest: str
    became: Sequence[str] = ()
    because: str = ""
    told: Sequence[str] = ()


def draft(ruleset: CitingRuleset, document: Source, old: SourceMap | None) -> tuple[Path, str]:
    """The file for a document's map, and its new text, which keeps the statements of an older map."""
    name = old.document if old else Path(document.name).name
    path = old.path if old else folder_of(ruleset.path) / f"{Path(name).stem}.yaml"
    known = old.entries.values() if old else ()
    return path, _text(ruleset, name, _lines(known, sentences(document), _citing(ruleset)))


def refill(ruleset: CitingRuleset, old: SourceMap) -> str:
    """The text of a map with the parts that it names updated from the ruleset; the document is not read."""
    citing = _citing(ruleset)
    kept = (_line_kept(entry, entry.label, citing) for entry in old.entries.values())
    return _text(ruleset, old.document, kept)


def _line_kept(entry: Entry, label: str, citing: Mapping[str, list[str]]) -> Line:
    """The line of a sentence that still exists, under its present label."""
    became = [] if entry.because else citing.get(entry.label, [])
    return Line(label, entry.digest, became, entry.because, [span.value for span in entry.told])


def _text(ruleset: CitingRuleset, document: str, lines: Iterable[Line]) -> str:
    head = [
        "# What became of each sentence of the document; `rulespec coverage` holds all three together.",
        "source-map: 1",
        f"ruleset: {ruleset.id}",
        f"document: {document}",
        "sentences:",
    ]
    return "\n".join([*head, *_map_lines(lines)]) + "\n"


def _citing(ruleset: CitingRuleset) -> dict[str, list[str]]:
    """The parts that cite each sentence, by its label."""
    citing: dict[str, list[str]] = {}
    for thing in ruleset.things.values():
        for word in thing.cites:
            citing.setdefault(word.value, []).append(thing.name)
    return citing


def _lines(
    old: Iterable[Entry], found: Sequence[Sentence], citing: Mapping[str, list[str]]
) -> Iterator[Line]:
    """A line for every sentence of a document.

    A sentence keeps its section; a new one joins the section of the sentence before, or after a heading that
    of the next one. In a document without a map every heading begins a section.
    """
    counts: dict[str, int] = {}
    known = [*old]
    section, part, headed = "", 0, False
    pairs = align_entries(known, found)
    for (entry, sentence), following in zip(pairs, _next_sections(pairs), strict=True):
        if sentence is None:
            continue
        if entry is not None:
            section, headed = entry.section, entry.because == "heading"
        elif headed:
            section = following or section
        elif not section or (not known and sentence.heading):
            part += 1
            section = f"part{part}"
        counts[section] = counts.get(section, 0) + 1
        label = f"{section}-{counts[section]}"
        if entry is None or entry.digest != sentence.digest:
            yield Line(label, sentence.digest)
        else:
            yield _line_kept(entry, label, citing)


def _next_sections(pairs: Sequence[Pair]) -> list[str]:
    """For each pair the section of the next entry; empty if there is none."""
    sections = [""]
    for entry, _ in reversed(pairs):
        sections.append(entry.section if entry else sections[-1])
    return sections[:0:-1]


def _map_lines(lines: Iterable[Line]) -> Iterator[str]:
    for one in lines:
        line = f"  {one.label}: {{digest: {one.digest}"
        line += f", because: {one.because}" if one.because else ""
        line += f", became: [{one.became[0]}" if one.became else ""
        for name in one.became[1:]:
            if len(line) + len(name) + 4 > WIDE:
                yield f"{line},"
                line = f"    {name}"
            else:
                line = f"{line}, {name}"
        line += "]" if one.became else ""
        for number, span in enumerate(one.told):
            yield f"{line},"
            line = f"    {'told: [' if number == 0 else '  '}{json.dumps(span, ensure_ascii=False)}"
        yield f"{line}{']' if one.told else ''}}}"
