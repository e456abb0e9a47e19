"""coverage: the use of the sentences of documents, compared with documents and rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..core.diagnostics import Diagnostic, Report, RulesetError, Source, Span
from ..core.storage.atomic_files import make_folder, write_text
from ..language.documents import yaml
from ..language.documents.ruleset_files import display_path, source_of
from ..sources.citations import CitingRuleset, citations_of
from ..sources.coverage import OPEN, Coverage, Tally, map_of
from ..sources.coverage import coverage as found_out
from ..sources.draft import draft, refill
from ..sources.passages import Telling
from ..sources.sentences import sentences
from ..sources.source_maps import SourceMap, maps_of
from .output import print_json, table
from .status import FAILED, HELD, UNDECIDED, Usage

PIECE = 60
"""Number of characters of a sentence that are shown to identify it."""


def coverage(arguments: argparse.Namespace) -> int:
    """Report the coverage of the sentences of a document; the status is 1 if there are faults."""
    ruleset = citations_of(arguments.name)
    if ruleset.inherits:
        raise Usage(f"`{ruleset.id}` has its document from {ruleset.inherits}: ask about that ruleset")
    document = _document(arguments.document) if arguments.document else None
    if document is not None and not sentences(document):
        return _nothing(ruleset, f"`{document.name}` has no sentences", arguments.json)
    if arguments.draft:
        _draft(ruleset, document)
    if not ruleset.documents and not maps_of(ruleset):
        return _nothing(ruleset, f"`{ruleset.id}` names no document under `source`", arguments.json)
    found = found_out(ruleset, document)
    if not found.tallies:
        return _nothing(ruleset, f"`{ruleset.id}` has no source map; `--draft` creates one", arguments.json)
    if arguments.json:
        print_json(_data(found, covered=not found.faults))
    else:
        _tell(found, arguments.where)
    return FAILED if found.faults else HELD


def _document(name: str) -> Source:
    """The text of a document. Raises RulesetError if it cannot be read."""
    report = Report()
    source = source_of(Path(name), report)
    report.raise_errors()
    assert source is not None
    return source


def _draft(ruleset: CitingRuleset, document: Source | None) -> None:
    """Begin or update the map of a document; without a document, update all existing maps."""
    if document is None:
        if not (maps := maps_of(ruleset)):
            raise Usage("a first `--draft` needs the document: `--document FILE`")
        for one in maps:
            _write(one.path, refill(ruleset, one))
        return
    old = _map_so_far(ruleset, document)
    path, text = draft(ruleset, document, old)
    if old is None and path.exists():
        raise Usage(
            f"`{display_path(path)}` is no map of this document for `{ruleset.id}`; move it out of the way"
        )
    report = Report()
    yaml.read(Source(display_path(path), text), report)
    if report.count:
        why = report.diagnostics[0].message
        raise Usage(f"`{document.name}` has more sentences than a map can have: {why}")
    make_folder(path.parent)
    _write(path, text)


def _write(path: Path, text: str) -> None:
    write_text(path, text)
    print(f"wrote {display_path(path)}", file=sys.stderr)


def _map_so_far(ruleset: CitingRuleset, document: Source) -> SourceMap | None:
    """The existing source map of a document; None if the ruleset lists the document but has no map for it.

    A document that it does not list is looked for by its sentences. Raises Usage if no map fits.
    """
    maps, name = maps_of(ruleset), Path(document.name).name
    if any(word.value == name for word in ruleset.documents):
        return next((one for one in maps if one.document == name), None)
    try:
        old = map_of(maps, document, sentences(document))
    except RulesetError:
        old = None
    if old is None:
        raise Usage(f"`{ruleset.id}` names no document `{name}` under `source`; name it there first")
    return old


def _nothing(ruleset: CitingRuleset, why: str, as_json: bool) -> int:
    if as_json:
        print_json(_data(Coverage(ruleset, (), ()), covered=False))
    print(f"nothing to check: {why}", file=sys.stderr)
    return UNDECIDED


def _data(found: Coverage, covered: bool) -> dict[str, Any]:
    """The coverage of documents as JSON data."""
    return {
        "ruleset": found.ruleset.id,
        "covered": covered,
        "documents": [
            {
                "document": tally.map.document,
                "map": display_path(tally.map.path),
                "read": tally.read,
                "sentences": tally.sentences,
                "accounted": tally.accounted_count,
                "became": tally.became,
                "because": tally.because,
                "told": tally.sentence_count,
                "where": {label: [*map(_passage_data, told)] for label, told in tally.where.items()},
            }
            for tally in found.tallies
        ],
        "rules": {"all": len(found.ruleset.rules_to_cite), "ours": len(found.ruleset.ours)},
        "diagnostics": [fault.to_data() for fault in found.faults],
    }


def _passage_data(telling: Telling) -> dict[str, str]:
    """A span of the rulebook as plain data, with its place."""
    passage = telling.passage
    return {
        "page": passage.variant,
        "anchor": passage.anchor,
        "heading": passage.heading,
        "span": telling.span,
    }


def _tell(found: Coverage, where: bool) -> None:
    """Print the faults and the table of sentences by outcome."""
    still_open = [fault for fault in found.faults if fault.code == OPEN]
    for fault in found.faults:
        if fault.code != OPEN:
            print(fault.render())
    if still_open:
        print("These sentences are not accounted for yet:")
        print(table([_row(fault) for fault in still_open]))
    for tally in found.tallies:
        print(table([*_rows(tally)]))
        if where:
            print(table([*_places(tally)]))
    obliged, ours = found.ruleset.rules_to_cite, len(found.ruleset.ours)
    print(f"{len(obliged)} rules: {sum(bool(r.cites) for r in obliged)} from a document, {ours} ours")
    if found.faults:
        print(f"{len(found.faults)} things to fix" if len(found.faults) > 1 else "1 thing to fix")
    if not all(tally.read for tally in found.tallies):
        print("Only maps and rules were compared: name a document with --document to read it too.")


def _row(fault: Diagnostic) -> tuple[str, ...]:
    """The place of an open sentence, its label, and its beginning if the document was given."""
    *read, entry = (label.span for label in fault.labels)
    name = entry.source.line(entry.line)[entry.column - 1 : entry.end_column - 1]
    place = read[0] if read else entry
    return (str(place), name, _piece(place) if read else "")


def _piece(span: Span) -> str:
    end = span.end_column - 1 if span.end_line == span.line else None
    text = " ".join(span.source.line(span.line)[span.column - 1 : end].split())
    return text if len(text) <= PIECE else text[: PIECE - 1] + "…"


def _rows(tally: Tally) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a document: sentences by outcome, with shares."""
    total = tally.sentences

    def row(name: str, count: int) -> tuple[str, ...]:
        return (name, f"{count:4}", f"{100 * count / total:5.1f} %" if total else "")

    yield (tally.map.document, f"{total:4}", "sentences")
    yield row("  became rules", tally.rules)
    yield from (row(f"    {kind}", count) for kind, count in _count_in_words(tally.became))
    yield row("  are no rule", sum(tally.because.values()))
    yield from (row(f"    {reason}", count) for reason, count in tally.because.items())
    yield row("  accounted for", tally.accounted_count)
    if tally.accounted_count < total:
        yield row("  not accounted for", total - tally.accounted_count)
    yield row("  told to the reader", tally.sentence_count)
    yield row("  not told to the reader", total - tally.sentence_count)


def _places(tally: Tally) -> Iterator[tuple[str, ...]]:
    """Each sentence with the spans of the rulebook that express it, or the reason why there is none."""
    for label, told in tally.where.items():
        entry = tally.map.entries[label]
        for number, (span, passage) in enumerate(told):
            place = f"{passage.variant}#{passage.anchor}"
            yield ("" if number else "  " + label, f"{span} ({passage.heading}, {place})")
        if not told:
            why = entry.because or ("only in the exact text" if entry.became else "open")
            yield ("  " + label, f"not told: {why}")


def _count_in_words(became: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    yield from (("a " + kind if kind != "example" else "an example", count) for kind, count in became.items())
