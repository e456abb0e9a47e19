"""A fast test that the maps of a ruleset still fit its rules.

Maps in the layout of drafts, as almost all are, are read line by line and compared with the citations of one
ruleset or variant, without reading the others that share them. If any doubt remains, `coverage` decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..core.diagnostics import Diagnostic, Report, RulesetError
from ..core.game import Game
from ..core.meter import Meter
from ..core.numbers import whole_number
from ..core.storage.safe_reading import read_text
from ..language.documents.ruleset_files import display_path
from ..language.documents.shapes import words
from ..language.documents.variants import Document
from ..language.documents.yaml import MOST_BYTES, Mapping
from ..language.settings import allowed_players
from ..language.work_limit import new_meter
from .citations import OURS, Citing, citations_of, said_in_file, things_in, variants_of
from .coverage import OPEN, coverage
from .passages import find, passages, passages_of_variant
from .sentences import DIGITS
from .source_maps import MAP, REASONS, map_files

_COMMENT = re.compile(r"(?m)^#.*\n")
_HEAD = re.compile(r"source-map: 1\nruleset: (?P<ruleset>\S+)\ndocument: (?P<document>\S+)\nsentences:\n")
_NAME = r"[\w./-]+"
_SPAN = r'"(?:[^"\\\n]|\\.)+"'
_ENTRY = re.compile(
    r"  (?P<section>[A-Za-z0-9-]*[A-Za-z][A-Za-z0-9-]*)-(?P<number>[1-9]\d*): "
    rf"\{{digest: [0-9a-f]{{{DIGITS}}}(?:, (?P<settled>became: \[(?P<became>{_NAME}(?:,\s+{_NAME})*)\]"
    rf"|because: (?:{'|'.join(REASONS)})))?(?:,\s+told: (?P<told>\[{_SPAN}(?:,\s+{_SPAN})*\]))?\}}\n"
)


@dataclass(frozen=True)
class _Map:
    """A map: its ruleset and document, the parts made from each sentence, and the spans that express it.

    For a sentence that is no rule they are empty; an open one is missing in `became`.
    """

    ruleset: str
    document: str
    labels: frozenset[str]
    became: dict[str, frozenset[str]]
    told: dict[str, list[str]]

    def pages(self, label: str) -> set[str]:
        """The variants on whose pages a sentence should be told; empty for the page of the ruleset itself."""
        pages = {name.rpartition("/")[0] for name in self.became.get(label, ())}
        return {""} if "" in pages or not pages else pages


def misfits(core: Game, document: Document, path: Path, meter: Meter | None = None) -> tuple[Diagnostic, ...]:
    """The contradictions between a ruleset and its maps, and the faults of the maps.

    `document` is the content of the file `path`, a ruleset or a variant, and `core` its game. For a variant
    without a source document of its own only its own text is compared. A sentence that is still open is no
    contradiction. The work is spent from `meter`, by default a new one.
    """
    meter = meter or new_meter()
    base = _speaks_for(document, path)
    files = map_files(base) if base else []
    if base is None or not files:
        return ()
    with suppress(OSError, RulesetError):
        texts = [read_text(file, MOST_BYTES, "replace") for file in files]
        meter.spend(sum(map(len, texts)))
        if _fits_plainly(core, document, path, base, texts):
            return ()
    try:
        faults = coverage(citations_of(base, meter)).faults
    except RulesetError as error:
        faults = error.diagnostics
    return tuple(fault for fault in faults if fault.code != OPEN)


def _speaks_for(document: Document, path: Path) -> Path | None:
    """The file of the ruleset whose maps also cover this one; None if it names no document."""
    named = said_in_file(document)
    near = (folder / Path(named).name for folder in (path.parent, path.parent.parent))
    return next((one for one in near if display_path(one) == named), None) if named else None


def _fits_plainly(core: Game, document: Document, path: Path, base: Path, texts: Iterable[str]) -> bool:
    """True if one file shows for certain that everything agrees; False if in doubt."""
    read = [_read_map(text) for text in texts if MAP.search(text)]
    whole, own = path == base, document.lineage[-1]
    lineage = document.lineage[-1:] if whole else document.lineage
    about = [one for one in read if one and one.ruleset in lineage]
    if None in read:
        return False
    if not about:
        return True
    things = [*things_in(document, display_path(path), "" if whole else f"{own}/")]
    citing: dict[str, set[str]] = {}
    for thing in things:
        for word in thing.cites:
            citing.setdefault(word.value, set()).add(thing.name)
    return (
        all(map(_says_whence, things))
        and citing.keys() <= frozenset().union(*(one.labels for one in about))
        and all(_agrees(one, citing, "" if whole else own) for one in about)
        and (not whole or _all_there(document, about, path))
        and _tells_all_spans(core, document, path, about, whole)
    )


def _tells_all_spans(core: Game, document: Document, path: Path, maps: Iterable[_Map], whole: bool) -> bool:
    """True if every span for the page of this ruleset occurs there."""
    own = "" if whole else document.lineage[-1]
    labels = ((one, label) for one in maps for label in one.told if own in one.pages(label))
    spans = [span for one, label in labels for span in one.told[label]]
    if not spans:
        return True
    page = passages(core, _players(document)) if whole else passages_of_variant(core, display_path(path))
    return all(find(span, page) for span in spans)


def _players(document: Document) -> Sequence[int]:
    """The numbers of players that a ruleset allows."""
    allowed = allowed_players(document, Report(), new_meter())
    return tuple(allowed.values) if allowed else ()


def _says_whence(thing: Citing) -> bool:
    """True if a part either cites sentences or is declared ours, as required, and not both."""
    if any(word.value == OURS for word in thing.source):
        return len(thing.source) == 1
    return bool(thing.source) or not thing.obliged


def _agrees(one: _Map, citing: dict[str, set[str]], variant: str) -> bool:
    """True if the map lists for each sentence exactly the parts that cite it, in a variant's own text or
    in none's."""

    def own(name: str) -> bool:
        return name.rpartition("/")[0] == variant

    return all(set(filter(own, names)) == citing.get(label, set()) for label, names in one.became.items())


def _all_there(document: Document, maps: Iterable[_Map], path: Path) -> bool:
    """True if the documents and maps correspond, and every variant that they name exists."""
    source = document.root.entries.get("source")
    named = words(source.entries.get("document")) if isinstance(source, Mapping) else ()
    became = (name for one in maps for of in one.became.values() for name in of)
    variants = {name.partition("/")[0] for name in became if "/" in name}
    return {one.document for one in maps} == {word.value for word in named} and variants <= variants_of(path)


def _read_map(text: str) -> _Map | None:
    """The map in a text with the layout of drafts and correct numbering; None otherwise."""
    plain = _COMMENT.sub("", text)
    head = _HEAD.match(plain)
    if head is None:
        return None
    at, counts, labels = head.end(), dict[str, int](), list[str]()
    became: dict[str, frozenset[str]] = {}
    told: dict[str, list[str]] = {}
    while at < len(plain):
        entry = _ENTRY.match(plain, at)
        number = whole_number(entry["number"]) if entry else None
        if entry is None or number != counts.get(entry["section"], 0) + 1:
            return None
        counts[entry["section"]] = number
        labels.append(f"{entry['section']}-{entry['number']}")
        if entry["settled"]:
            became[labels[-1]] = frozenset(re.split(r",\s+", entry["became"]) if entry["became"] else ())
        if entry["told"]:
            told[labels[-1]] = json.loads(entry["told"])
        at = entry.end()
    return _Map(head["ruleset"], head["document"], frozenset(labels), became, told)
