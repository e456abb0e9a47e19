"""Where the sentences of a game's documents went, and which rules come from none, without a word of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core.diagnostics import Diagnostic, RulesetError
from ..play.face import Game
from ..sources.citations import Cited, Citing, cited
from ..sources.coverage import Tally, coverage
from . import render

KINDS = {
    "rule": "said by a rule",
    "ruling": "settled by a ruling",
    "example": "an example",
    "setting": "a setting",
    "claim": "a claim",
}
"""What a page says of a sentence by the kind of what it became."""


def section(game: Game, faults: list[Diagnostic]) -> Iterator[str]:
    """What became of the documents of a game, as blocks of its page; empty where there is no map.

    Where maps and rules disagree, the faults are told.
    """
    if not game.core.source or not game.name:
        return
    try:
        found = coverage(cited(game.name))
    except RulesetError as error:
        faults += error.diagnostics
        return
    faults += found.faults
    if found.tallies:
        yield "## Where the sentences went {#sentences}"
        yield "".join([*map(_table, found.tallies), _ours(found.ruleset)])


def _table(tally: Tally) -> str:
    said = [(KINDS[kind], count) for kind, count in tally.became.items()]
    said += [(f"no rule: {reason}", count) for reason, count in tally.because.items()]
    rows = "".join(
        f"<tr><td>{render.escape(words)}</td><td>{count}</td><td>{count / tally.sentences:.0%}</td></tr>"
        for words, count in said
    )
    whole = f"Of the {tally.sentences} sentences of {render.code(tally.map.document)}, {tally.accounted} are "
    whole += f"accounted for, {tally.rules} of them by rules; one sentence may count in several rows."
    head = "<tr><th>a sentence is</th><th>number</th><th>share</th></tr>"
    return (
        f'<div class="rs-table"><p>{whole}</p><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
    )


def _ours(ruleset: Cited) -> str:
    """The rules that come from no document, those of the page's own ruleset as links."""
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
