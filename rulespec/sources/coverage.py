"""Agreement of documents, maps and rulesets: every sentence accounted for, every rule with an origin.

A rule names the sentences it comes from, a map names the things made from each sentence. Neither is trusted
alone: a statement of one without the other is a fault, in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.diagnostics import Diagnostic, Label, Report, RulesetError, Source, Span
from ..language.documents.outlines import outline
from ..language.documents.ruleset_files import display_path
from ..language.documents.yaml import Scalar
from ..language.loader import read
from . import alignment
from .citations import KINDS, OURS, Citing, CitingRuleset
from .passages import Telling, find, passages, passages_of_variant
from .sentences import Sentence, sentences
from .source_maps import Entry, SourceMap, maps_of

OPEN = "sentence.open"
"""The code of the fault that a sentence is not accounted for yet."""


@dataclass(frozen=True)
class Tally:
    """Counts of the sentences of a document by the kinds of parts made from them; several kinds count for
    each."""

    map: SourceMap
    sentences: int
    rules: int
    """The number from which something in the ruleset was made."""
    became: dict[str, int]
    because: dict[str, int]
    where: Mapping[str, tuple[Telling, ...]]
    """By the label of each sentence, in order, the spans of the rulebook that tell it."""
    read: bool
    """True if the document itself was read; then only sentences that agree with it count."""

    @property
    def sentence_count(self) -> int:
        """The number of sentences that the rulebook expresses."""
        return sum(map(bool, self.where.values()))

    @property
    def accounted_count(self) -> int:
        """The number of sentences that are accounted for."""
        return self.rules + sum(self.because.values())


@dataclass(frozen=True)
class Coverage:
    """The findings about a ruleset and its documents."""

    ruleset: CitingRuleset
    tallies: tuple[Tally, ...]
    faults: tuple[Diagnostic, ...]


def coverage(ruleset: CitingRuleset, document: Source | None = None) -> Coverage:
    """Compare a ruleset with its maps, and one of these with its document if that is given.

    Raises RulesetError if a map is faulty, or the rules or book in which its spans are searched, or if the
    ruleset has no map of the document. Without any map there are no tallies.
    """
    maps = maps_of(ruleset)
    report = Report()
    found = sentences(document) if document else ()
    chosen = map_of(maps, document, found) if document else None
    if not maps or (document and chosen is None):
        return Coverage(ruleset, (), ())
    _check_documents(ruleset, maps, report)
    _check_rules(ruleset, maps, report)
    placed = _compare(chosen, found, report) if chosen else {}
    for one in maps:
        _check_entries(one, ruleset, placed if one is chosen else {}, report)
    where = _where(ruleset, maps, report)
    if chosen:
        tallies = [_tally(chosen, ruleset, len(found), placed.keys(), where, True)]
    else:
        tallies = [_tally(one, ruleset, len(one.entries), one.entries.keys(), where, False) for one in maps]
    return Coverage(ruleset, tuple(tallies), tuple(sorted(report.diagnostics, key=Diagnostic.sort_key)))


def map_of(maps: Sequence[SourceMap], document: Source, found: Sequence[Sentence]) -> SourceMap | None:
    """The map whose document has this file name, else the one with most sentences in common.

    Raises RulesetError if fewer than half of the sentences are the same.
    """
    named = [one for one in maps if one.document == Path(document.name).name] or [*maps]
    if not named:
        return None
    chosen = max(named, key=lambda one: common(one, found))
    same, least = common(chosen, found), min(len(chosen.entries), len(found))
    if 2 * same < least or not found:
        message = (
            f"another document: {same} of its {len(found)} sentences are in the map of `{chosen.document}`"
        )
        raise RulesetError([Diagnostic("document.other", message, (Label(Span(document, 1, 1, 1, 1)),))])
    return chosen


def common(one: SourceMap, found: Iterable[Sentence]) -> int:
    """The number of sentences of a document that a map lists, in any place."""
    listed = Counter(entry.digest for entry in one.entries.values())
    return (listed & Counter(sentence.digest for sentence in found)).total()


Pair = tuple[Entry | None, Sentence | None]


def align_entries(entries: Iterable[Entry], found: Sequence[Sentence]) -> list[Pair]:
    """The entries of a map aligned with the sentences that they are about, in order.

    A pair with two digests is a changed sentence; an entry alone is about a removed one, a sentence alone is
    new.
    """
    listed = [*entries]
    pairs = alignment.align([entry.digest for entry in listed], [sentence.digest for sentence in found])
    return [(None if i is None else listed[i], None if j is None else found[j]) for i, j in pairs]


def _compare(one: SourceMap, found: Sequence[Sentence], report: Report) -> dict[str, Sentence]:
    """Report the differences between a document and its map; returns the agreeing sentences by label."""
    placed: dict[str, Sentence] = {}
    for entry, sentence in align_entries(one.entries.values(), found):
        if entry and sentence and entry.digest == sentence.digest:
            placed[entry.label] = sentence
        elif entry and sentence:
            message = f"this is not the sentence that the map has as `{entry.label}`"
            labels = (sentence.span, Label(entry.span, "its digest is here"))
            report.error("sentence.changed", message, *labels, help="see what changed, then `--draft`")
        elif entry:
            message = f"the document has no sentence `{entry.label}`"
            report.error("sentence.gone", message, entry.span)
        elif sentence:
            report.error("sentence.new", "the map does not have this sentence", sentence.span)
    return placed


def _check_documents(ruleset: CitingRuleset, maps: Iterable[SourceMap], report: Report) -> None:
    mapped = {one.document: one for one in maps}
    names = [word.value for word in ruleset.documents]
    for one in mapped.values():
        if one.document not in names:
            message = f"`{ruleset.id}` names no document `{one.document}`"
            report.error("map.document", message, one.span, help=report.nearest(one.document, names))
    for word in ruleset.documents:
        if word.value not in mapped:
            help = f"`rulespec coverage {ruleset.id} --document {word.value} --draft` begins one"
            report.error("map.missing", f"there is no map of `{word.value}`", word.span, help=help)


def _check_rules(ruleset: CitingRuleset, maps: Sequence[SourceMap], report: Report) -> None:
    """Check that rules cite the sentences from which they are made, and that each rule cites one or is
    ours."""
    known = {label for one in maps for label in one.entries}
    for thing in ruleset.things.values():
        if thing.obliged and not thing.source:
            message = f"`{thing.name}` does not say where it comes from"
            help = f"cite sentences under `source`, or say `source: {OURS}`"
            report.error("source.none", message, thing.span, help=help, clause=thing.name)
        if thing.cites and len(thing.cites) < len(thing.source):
            mark = next(word for word in thing.source if word.value == OURS)
            message = f"`{thing.name}` cites a sentence, and so is not `{OURS}`"
            report.error("source.ours", message, mark.span, clause=thing.name)
        for word in thing.cites:
            _check_citation(thing, word, maps, known, report)


def _check_citation(
    thing: Citing, word: Scalar, maps: Iterable[SourceMap], known: set[str], report: Report
) -> None:
    if word.value not in known:
        message = f"no document has a sentence `{word.value}`"
        help = report.nearest(word.value, known)
        report.error("source.unknown", message, word.span, help=help, clause=thing.name)
    for one in maps:
        entry = one.entries.get(word.value)
        settled = entry is not None and (entry.became or entry.because)
        if entry and settled and thing.name not in entry.names:
            message = f"`{thing.name}` cites `{word.value}`, and the map does not know of it"
            there = Label(entry.span, f"`{thing.name}` is not named here")
            help = "" if entry.because else "if so, `--draft` puts it into the map"
            report.error("source.unmapped", message, word.span, there, help=help, clause=thing.name)


def _check_entries(
    one: SourceMap, ruleset: CitingRuleset, placed: dict[str, Sentence], report: Report
) -> None:
    """Report sentences without an outcome, and those whose parts are missing or do not cite them."""
    for entry in one.entries.values():
        if not entry.became and not entry.because:
            message = f"nothing says what became of `{entry.label}`"
            sentence = placed.get(entry.label)
            report.error(OPEN, message, *((sentence.span,) if sentence else ()), entry.span)
        for name in entry.became:
            thing = ruleset.things.get(name.value)
            if thing is None:
                message = f"`{ruleset.id}` has no `{name.value}`"
                help = report.nearest(name.value, ruleset.things)
                report.error("map.unknown", message, name.span, help=help)
            elif entry.label not in thing.labels:
                message = f"by the map `{entry.label}` became `{name.value}`, which does not cite it"
                there = Label(thing.span, f"its source is without `{entry.label}`")
                report.error("map.uncited", message, name.span, there, clause=thing.name)


Where = Mapping[Entry, tuple[Telling, ...]]


def _where(ruleset: CitingRuleset, maps: Iterable[SourceMap], report: Report) -> Where:
    """The spans that express each sentence; spans missing from their page are reported."""
    entries = [entry for one in maps for entry in one.entries.values() if entry.told]
    if not entries:
        return {}
    base = passages(read(str(ruleset.path)).with_settings(), outline(ruleset.path).players)
    named = {name for entry in entries for name in entry.variants} & ruleset.variants.keys()
    of_variants = {
        name: passages_of_variant(read(str(path)).with_settings(), display_path(path))
        for name, path in ruleset.variants.items()
        if name in named
    }
    where: dict[Entry, tuple[Telling, ...]] = {}
    for entry in entries:
        pages = (base, *(of_variants[name] for name in sorted(entry.variants & named)))
        every = [passage for page in pages for passage in page]
        told = [(span, find(span.value, every)) for span in entry.told]
        where[entry] = tuple(telling for _, telling in told if telling is not None)
        for span in (span for span, telling in told if telling is None):
            message = f"no passage of the rulebook says this, which is to tell `{entry.label}`"
            help = "name words that stand in one paragraph, item, row or caption of the page"
            report.error("told.missing", message, span.span, help=help)
    return where


def _tally(
    one: SourceMap, ruleset: CitingRuleset, total: int, placed: Container[str], where: Where, read: bool
) -> Tally:
    """The tally of the entries of a map that are `placed`, which means that they agree with the document."""
    entries = [entry for entry in one.entries.values() if entry.label in placed]
    kinds = [{thing.kind for n in e.became if (thing := ruleset.things.get(n.value))} for e in entries]
    became = Counter(kind for of in kinds for kind in of)
    reasons = Counter(entry.because for entry in entries if entry.because)
    return Tally(
        map=one,
        sentences=total,
        rules=sum(map(bool, kinds)),
        became={kind: became[kind] for kind in KINDS if became[kind]},
        because=dict(reasons.most_common()),
        where={entry.label: where.get(entry, ()) for entry in entries},
        read=read,
    )
