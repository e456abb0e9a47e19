"""The table of a document's sentences and of the rules and chapters made from them, without quoting any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...core.diagnostics import Diagnostic, RulesetError
from ...core.game import Game as Core
from ...play.face import Game
from ...sources.citations import Citing, CitingRuleset, citations_of
from ...sources.coverage import Coverage, Tally, coverage
from ...sources.passages import Telling
from ..examples import render
from .page import Links, heading

KINDS = {
    "rule": "said by a rule",
    "ruling": "settled by a ruling",
    "example": "an example",
    "setting": "a setting",
    "claim": "a claim",
}
"""The words for the kinds of things made from sentences."""


def source_account(game: Game, faults: list[Diagnostic]) -> Coverage | None:
    """The coverage of the documents of a game; None without a map.

    Contradictions between maps and rules are added to `faults`.
    """
    if not game.core.source or not game.name:
        return None
    try:
        found = coverage(citations_of(game.name))
    except RulesetError as error:
        faults += error.diagnostics
        return None
    faults += found.faults
    return found if found.tallies else None


def labels(found: Coverage | None) -> frozenset[str]:
    """The labels of all sentences, which have their anchors in the section."""
    tallies = found.tallies if found is not None else ()
    return frozenset(label for tally in tallies for label in tally.map.entries)


def section(core: Core, found: Coverage | None, links: Links) -> Iterator[str]:
    """The coverage of each sentence, as blocks of a page; empty without a map."""
    if found is None:
        return
    yield heading(2, "Where the sentences went", "sentences")
    documents = {word.value: number for number, word in enumerate(found.ruleset.documents)}
    anchored: set[str] = set()
    for tally in found.tallies:
        number = documents.get(tally.map.document, 0)
        name = core.work.cite_document(number)
        if len(found.tallies) > max(1, len(core.work.titles)):
            name += f", document {number + 1}"
        yield _count_in_words(tally, name) + _ledger(tally, core, links, anchored)
    yield _ours(found.ruleset)


def _count_in_words(tally: Tally, name: str) -> str:
    """The HTML table of a document's sentences by outcome."""
    said = [(KINDS[kind], count) for kind, count in tally.became.items()]
    said += [(f"no rule: {reason}", count) for reason, count in tally.because.items()]
    rows = "".join(
        f"<tr><td>{render.escape(words)}</td><td>{count}</td><td>{count / tally.sentences:.0%}</td></tr>"
        for words, count in said
    )
    whole = (
        f"Of the {tally.sentences} sentences of {render.escape(name)}, {tally.accounted_count} are accounted "
    )
    whole += (
        f"for, and {tally.sentence_count} appear in the rulebook; one sentence may count in several rows."
    )
    head = "<tr><th>a sentence is</th><th>number</th><th>share</th></tr>"
    return (
        f'<div class="rs-table"><p>{whole}</p><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
    )


def _ledger(tally: Tally, core: Core, links: Links, anchored: set[str]) -> str:
    """The coverage of each sentence, with the words of the rulebook that correspond to it."""
    rows = []
    for label, found in tally.where.items():
        entry = tally.map.entries[label]
        became = ", ".join(_thing(name.value, links) for name in entry.became)
        told = "<br>".join(_span(telling, core, links) for telling in found)
        why = f"no: {entry.because}" if entry.because else "no"
        anchor = "" if label in anchored else f' id="sentence_{render.escape(label)}"'
        anchored.add(label)
        cells = (render.code(label), became, told or render.escape(why))
        rows.append(f"<tr{anchor}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    head = "<tr><th>sentence</th><th>became</th><th>in the rulebook</th></tr>"
    return f'<div class="rs-table"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'


def _span(telling: Telling, core: Core, links: Links) -> str:
    """Words of a rulebook, with a link to their place."""
    span, passage = telling
    target = links.page(passage.variant or core.id)
    if target is None:
        return render.escape(f"{span} ({passage.heading})")
    return f"{render.escape(span)} ({_link_to(f'{target.address}#{passage.anchor}', passage.heading)})"


def _thing(name: str, links: Links) -> str:
    """A link to a rule or another part made from a sentence; it may be on another page."""
    variant, _, own = name.rpartition("/")
    kind, _, rest = own.partition(".")
    target = links.exact(variant) if variant else None
    anchors = {"parameters": f"setting-{rest}", "claims": f"claim-{rest}", "players": "settings"}
    anchor = anchors.get(kind) or (f"{kind}.{rest[8:]}" if rest.startswith("require.") else kind)
    if variant and target is None:
        return render.escape(name)
    return _link_to(f"{target.address if target else ''}#{anchor}", name)


def _link_to(address: str, words: str) -> str:
    return f'<a href="{render.escape(address)}">{render.escape(words)}</a>'


def _ours(ruleset: CitingRuleset) -> str:
    """A note on the rules that come from no document, with links to those in the page's own ruleset."""
    if not ruleset.ours:
        return '<p class="rs-note">Every rule comes from a document.</p>'
    listed = ", ".join(map(_link, _own(ruleset.ours)))
    more = len(ruleset.ours) - len([*_own(ruleset.ours)])
    variants = f", and {more} of variants" if more else ""
    return f'<p class="rs-note">Not from a document: {listed}{variants}.</p>'


def _own(things: Iterable[Citing]) -> Iterator[Citing]:
    return (thing for thing in things if "/" not in thing.name)


def _link(thing: Citing) -> str:
    name = render.escape(thing.name)
    return f'<a href="#{name}">{name}</a>'
