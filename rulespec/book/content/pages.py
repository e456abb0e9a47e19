"""The rulebook of a game as a page, in the order in which a player needs it.

A page is Markdown whose blocks are HTML, so that headings make a table of contents and everything a
ruleset says is escaped once, here. Every rule and requirement has its anchor on it, by id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.book import Book
from ...core.diagnostics import RulesetError
from ...core.game import Game as Core
from ...core.game import Ruling
from ...core.notation import write
from ...language import outline
from ...language.documents.outlines import numbers_in_words
from ...play.consequences import Consequences
from ...play.face import Game
from ..drawing.marks import problems
from ..examples import render
from . import assurances, changes
from .chapters import Teller
from .default_chapters import complete_book, default_book
from .page import Links, Page, heading, title_of
from .playing import Playing
from .published_verdicts import PublishedVerdicts
from .readings import consequences_of

GLOSSARY, QUESTIONS, VARIANTS, ABOUT = "part_glossary", "part_questions", "part_variants", "part_about"
DECISIONS = "part_decisions"
"""The anchor of the decisions, after the chapters. No rule has this id."""


def rulebook(
    game: Game, published: PublishedVerdicts, links: Links | None = None, base: Core | None = None
) -> Page:
    """The rulebook page of a game: its book, or one generated from the kinds of its rules.

    A variant without a book of its own shows its differences from its `base`, if that has a page.
    """
    links = links or Links()
    page = Page("", [*problems(game.core)])
    start = game.start(seed=0)
    page.offer(start)
    own, target = _own_book(game.core, page), links.page(base.id) if base is not None else None
    playing = Playing(game, page, links)
    teller = Teller(game, own or default_book(game.core), page, playing)
    rulings = [*game.core.rulings.values()]
    if own is None and base is not None and target is not None:
        told, cover = [*changes.differences(game, base, target, teller)], page.picture
        rulings = [ruling for ruling in rulings if changes.is_another(ruling, base)]
    else:
        told = [block for chapter in teller.book.all_chapters for block in teller.chapter(chapter)]
        cover = page.picture if own is not None else render.drawing(start, seat=render.seat_of(start))
    blocks = [
        *_front(game, teller.book, cover, numbers=own is None),
        *playing.block(_numbers(game)),
        *([f'<p><a href="{render.escape(links.puzzles)}">Puzzles</a></p>'] if links.puzzles else []),
        *told,
        *_glossary(teller),
        *_questions(game, published, [ruling for ruling in rulings if len(ruling.readings) > 1]),
        *_decisions(game.core, [ruling for ruling in rulings if len(ruling.readings) == 1]),
        *(changes.in_play(game, base) if base is not None and target is not None else ()),
        *_variants(links),
        *assurances.section(game, published, links),
        *_about(game.core, teller, links),
    ]
    page.markdown = "\n\n".join(blocks) + "\n"
    return page


def _own_book(core: Core, page: Page) -> Book | None:
    """The book of a ruleset; None if it is missing or faulty. Its faults are added to those of the page."""
    try:
        return complete_book(core.book, core) if core.book is not None else None
    except RulesetError as error:
        page.faults += error.diagnostics
        return None


def _front(game: Game, book: Book, cover: str, *, numbers: bool) -> Iterator[str]:
    """The title, the facts, and a picture.

    With `numbers` the facts have the value of each parameter, which the prose of rules need not have.
    """
    core = game.core
    parameters = core.parameters.values() if numbers else ()
    yield heading(1, core.title, core.id)
    summary = f'<p class="rs-summary">{render.prose(core.summary)}</p>' if core.summary else ""
    facts = [
        ("Players", numbers_in_words(_numbers(game))),
        *book.facts,
        *((_first_sentence(one.prose), write(one.type, one.value)) for one in parameters),
        *([("By", core.author)] if core.author else []),
    ]
    listed = "".join(
        f"<div><dt>{render.prose(kind)}</dt><dd>{render.prose(text)}</dd></div>" for kind, text in facts
    )
    yield f'<div class="rs-front">{summary}<dl class="rs-facts">{listed}</dl>{cover}</div>'


def _first_sentence(prose: str) -> str:
    """The first sentence of a prose, without its full stop."""
    return prose.partition(". ")[0].removesuffix(".")


def _numbers(game: Game) -> tuple[int, ...]:
    """The numbers of players that the game allows."""
    allowed = outline(game.name).players if game.name else ()
    return (*allowed,) or (game.core.players,)


def _glossary(teller: Teller) -> Iterator[str]:
    """Yield the glossary in alphabetical order; nothing without terms."""
    terms = sorted(teller.book.terms, key=lambda term: term.word.lower())
    if not terms:
        return
    yield heading(2, "Glossary", GLOSSARY)
    listed = "".join(
        f'<dt id="term_{render.escape(term.anchor)}">{render.escape(term.word)}</dt>'
        f"<dd>{teller.words(term.text)}</dd>"
        for term in terms
    )
    yield f'<dl class="rs-glossary">{listed}</dl>'


def _questions(game: Game, published: PublishedVerdicts, rulings: Sequence[Ruling]) -> Iterator[str]:
    """The open questions of the rules, each with the reading of this page and the effects of the others."""
    if not rulings:
        return
    yield heading(2, "Open questions", QUESTIONS)
    lead = "The rules can be read in more than one way here. This page follows the first answer to each "
    lead += (
        "question. If you prefer another, agree on it before you begin. Under each other answer you can see "
    )
    lead += "what it would change."
    listed = "".join(f"<dt>{_asked(ruling)}</dt>{_answers(game, published, ruling)}" for ruling in rulings)
    yield f'<p>{lead}</p><dl class="rs-questions">{listed}</dl>'


def _decisions(core: Core, rulings: Sequence[Ruling]) -> Iterator[str]:
    """The points that the rules leave open and for which this rulebook chooses a reading."""
    if not rulings:
        return
    yield heading(2, "Decided here", DECISIONS)
    headings = {rule.id: title_of(rule) for rule in core.rules}
    lead = (
        "The rules leave these points open, or do not speak of them. The decisions are this rulebook's own."
    )
    listed = "".join(
        f'<dt><a href="#{render.escape(ruling.id)}">{render.escape(headings[ruling.id])}</a></dt>'
        f"<dd>{render.prose(ruling.readings[0].prose)}</dd>"
        for ruling in rulings
    )
    yield f'<p>{lead}</p><dl class="rs-questions rs-decisions">{listed}</dl>'


def _asked(ruling: Ruling) -> str:
    return f'<a href="#{render.escape(ruling.id)}">{render.prose(ruling.question)}</a>'


def _answers(game: Game, published: PublishedVerdicts, ruling: Ruling) -> str:
    """The HTML of a ruling's readings: the chosen one, then the others with their consequences."""
    found = consequences_of(game, published, ruling)
    chosen = [reading for reading in ruling.readings if reading.id == ruling.chosen]
    others = [reading for reading in ruling.readings if reading.id != ruling.chosen]
    first = "".join(f'<dd class="rs-chosen">{render.prose(reading.prose)}</dd>' for reading in chosen)
    return first + "".join(
        f"<dd>Or: {render.prose(reading.prose)}{_changes(found.get(reading.id))}</dd>" for reading in others
    )


def _changes(found: Consequences | None) -> str:
    """The consequences of a reading as a list; empty for a reading that is not modelled."""
    told = found.sentences if found is not None else ["The program does not know this reading."]
    listed = "".join(f"<li>{render.prose(text)}</li>" for text in told)
    return f'<ul class="rs-consequences">{listed}</ul>'


def _variants(links: Links) -> Iterator[str]:
    """Yield the list of variants; nothing without any."""
    if not links.variants:
        return
    yield heading(2, "Variants", VARIANTS)
    listed = "".join(
        f'<li><a href="{render.escape(target.address)}">{render.escape(target.title)}</a>. '
        f"{render.prose(target.summary)}</li>"
        for target in links.variants
    )
    yield f'<ul class="rs-variants">{listed}</ul>'


def _about(core: Core, teller: Teller, links: Links) -> Iterator[str]:
    """The author and a link to the exact text, with anchors for rules that appear only there."""
    yield heading(2, "About these rules", ABOUT)
    parts = [f"<p>{teller.words(paragraph)}</p>" for paragraph in teller.book.credits]
    if core.source:
        works = " and ".join(dict.fromkeys(map(core.work.cite_document, range(len(core.source)))))
        parts.append(f"<p>From {render.escape(works)}, told here in other words.</p>")
    if core.licence:
        whose = "Licence of the original" if core.source else "Licence"
        parts.append(f"<p>{whose}: {render.escape(core.licence)}.</p>")
    exact = links.exact(core.id)
    rules = {rule.id: rule for rule in core.rules}
    left = [rules[name] for name in teller.book.left_out if name in rules]
    if exact is not None:
        address = render.escape(exact.address)
        text = f'<a href="{address}">The exact text</a> has every rule as a program reads it, every setting, '
        text += "and the evidence for every claim."
        if core.source and not core.extends:
            text += (
                f' It shows, too, <a href="{address}#sentences">where each sentence of the original went</a>.'
            )
        parts.append(f"<p>{text}</p>")
        listed = ", ".join(
            f'{teller.anchors([rule.id])}<a href="{address}#{render.escape(rule.id)}">'
            f"{render.escape(title_of(rule))}</a>"
            for rule in left
        )
        parts += [f'<p class="rs-left">Only there: {listed}.</p>'] if left else []
    else:
        parts += [teller.anchors([rule.id]) for rule in left]
    yield f'<div class="rs-block">{"".join(parts)}</div>'
