"""The exact text of a game as a page: settings, rules with their formal text, rulings, claims and evidence.

A page is Markdown whose blocks are HTML, so that headings make a table of contents and everything from a
ruleset is escaped once, here.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from ...core.examples import Example
from ...core.game import Action, Parameter, Rule, Ruling
from ...core.game import Game as Core
from ...core.notation import in_words, write
from ...language import outline
from ...play.examples import trial_to_show
from ...play.face import Game
from ...play.observation import secrets_in_words
from ..drawing.marks import problems
from ..examples import render
from ..examples.fences import Run, replay_example
from . import claims, sources
from .page import Link, Links, Page, anchor, differences, heading, title_of
from .playing import Playing
from .published_verdicts import PublishedVerdicts
from .readings import by_reading, in_short

SUFFIX = "-exact"
"""The suffix after the id of the ruleset in the name of this page."""


def exact(game: Game, published: PublishedVerdicts, links: Links | None = None) -> Page:
    """The page with the exact text of a game and its verdicts. All examples of the game are run."""
    links, core = links or Links(), game.core
    page = Page("", [*problems(core)])
    ledger = sources.source_account(game, page.faults)
    labels = sources.labels(ledger)
    playing = Playing(game, page, links)
    shown = claims.ShownClaims(links.file, links.trust, page.faults, page.records, playing.of_steps)
    rules = (_rule(rule, game, published, page, links.page, labels, playing) for rule in core.rules)
    told = [block for listed in rules for block in listed]
    claimed = [*claims.section(game, published, shown)]
    blocks = [
        *_front(game, links),
        *playing.block(),
        *_settings(game, labels),
        heading(2, "Rules", "rules"),
        *told,
        *claimed,
        *_rulings_index(game.core),
        *sources.section(game.core, ledger, links),
    ]
    page.markdown = "\n\n".join(blocks) + "\n"
    return page


KINDS = {"formal": "definitions", "sees": "what is seen", "words": "in words only"}
"""Plainer names of kinds of rules for a page."""


def _front(game: Game, links: Links) -> Iterator[str]:
    """Yield the head of the page with the exact text."""
    core = game.core
    yield heading(1, f"{core.title}: the exact text", core.id)
    book = links.page(core.id)
    lead = (
        "The rules as a program reads them, with every setting, every ruling and the evidence for each claim."
    )
    text = f"<p>{lead}</p>"
    if book is not None:
        text += f'<p>To learn the game, read <a href="{render.escape(book.address)}">its rulebook</a>.</p>'
    if core.extends:
        text += f"<p>A variant of {_page_link(core.extends[-1], links.page)}.</p>"
    yield f'<div class="rs-front">{text}</div>'


def _page_link(name: str, link: Link) -> str:
    target = link(name)
    if target is None:
        return render.code(name)
    return f'<a href="{render.escape(target.address)}">{render.escape(target.title)}</a>'


def _settings(game: Game, labels: Container[str]) -> Iterator[str]:
    """Yield the table of parameters; nothing without any."""
    core = game.core
    if not core.parameters:
        return
    yield heading(2, "Settings", "settings")
    rows = "".join(
        f'<tr id="setting-{render.escape(p.id)}"><td>{render.code(p.id)}</td>'
        f"<td>{render.prose(p.prose)}{_citations(p, labels)}</td>"
        f"<td>{render.escape(in_words(p.type))}</td><td>{render.escape(write(p.type, p.value))}</td></tr>"
        for p in core.parameters.values()
    )
    head = "<tr><th>name</th><th>what it is</th><th>possible values</th><th>value here</th></tr>"
    players = f"<p>{render.escape(_players(game))}.</p>"
    yield f'<div class="rs-table">{players}<table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
    yield "".join(f"<p>{render.prose(condition)}</p>" for condition in core.conditions)
    if core.fitting is not None and core.fitting.advice:
        yield f"<p>{render.escape(core.fitting.advice.capitalize())}.</p>"


def _citations(parameter: Parameter, labels: Container[str]) -> str:
    if not parameter.source:
        return ""
    return f'<p class="rs-by">{render.citations_to_html(parameter.source, labels)}</p>'


def _players(game: Game) -> str:
    """The number of players, and the numbers that the rules allow."""
    allowed = outline(game.name).players if game.name else ()
    here = f"{game.core.players} player{'s' * (game.core.players > 1)}"
    if len(allowed) < 2:
        return here
    *others, last = map(str, allowed)
    return f"For {', '.join(others)} or {last} players; with {game.core.players} on this page"


def _rule(
    rule: Rule,
    game: Game,
    published: PublishedVerdicts,
    page: Page,
    link: Link,
    labels: Container[str],
    playing: Playing,
) -> Iterator[str]:
    """Yield the HTML of a rule with its formal text, examples and verdicts."""
    yield heading(3, title_of(rule), rule.id)
    parts = [_kind(rule, game, link, labels)]
    parts += [f"<p>{render.prose(text)}</p>" for text in rule.prose.split("\n\n") if text.strip()]
    if rule.requirements:
        listed = "".join(
            f'<li id="{render.escape(f"{rule.id}.{name}")}"><strong>{render.escape(name)}</strong> '
            f"{render.prose(words)}</li>"
            for name, words in rule.requirements
        )
        parts.append(f'<ul class="rs-requirements">{listed}</ul>')
    if rule.id in game.core.actions:
        parts += _secrets(game.core, game.core.actions[rule.id])
    if rule.binds:
        bound = ", ".join(map(anchor, rule.binds))
        parts.append(f'<p class="rs-binds">It binds {bound}.</p>')
    if rule.ruling is not None:
        parts.append(_ruling(game.core.rulings.get(rule.ruling.id, rule.ruling), game, published))
    if rule.note:
        parts.append(f'<p class="rs-note">{render.prose(rule.note)}</p>')
    parts += [_example(example, game, page, labels, playing) for example in rule.examples]
    pieces = "".join(f"<p>{render.escape(what)}</p>{render.listing(text)}" for what, text in rule.formal)
    if pieces:
        parts.append(render.details("Formal text", pieces))
    yield f'<div class="rs-rule">{"".join(parts)}</div>'


def _secrets(game: Core, action: Action) -> Iterator[str]:
    """The secret parts of an action, as paragraphs."""
    for text in secrets_in_words(game, action, render.code):
        yield f'<p class="rs-secret">{text}</p>'


def _kind(rule: Rule, game: Game, link: Link, labels: Container[str]) -> str:
    """The kind of a rule, its sources, and a link to its place in the rulebook."""
    said = [render.escape(KINDS.get(rule.kind, rule.kind))]
    said += [render.citations_to_html(rule.source, labels)] if rule.source else []
    origin = link(rule.origin) if rule.origin else None
    if origin is not None:
        address = render.escape(f"{origin.address}#{rule.id}")
        own = origin == link(game.id)
        where, title = ("told in", "the rulebook") if own else ("as in", origin.title)
        said.append(f'{where} <a href="{address}">{render.escape(title)}</a>')
    return f'<p class="rs-kind">{" · ".join(said)}</p>' if said else ""


def _ruling(ruling: Ruling, game: Game, published: PublishedVerdicts) -> str:
    """A question with its readings, and the outcome of each claim under them."""
    if len(ruling.readings) == 1:
        return f'<p class="rs-settled">Decided here: {render.prose(ruling.readings[0].prose)}</p>'
    verdicts = by_reading(game, published, ruling)
    rows = "".join(
        f"<tr{' class=rs-chosen' if reading.id == ruling.chosen else ''}><td>{render.code(reading.id)}</td>"
        f"<td>{render.prose(reading.prose)}{_marks(ruling, i)}</td>"
        + "".join(f"<td>{in_short(row.get(reading.id))}</td>" for row in verdicts.values())
        + "</tr>"
        for i, reading in enumerate(ruling.readings)
    )
    claimed = "".join(f"<th>{anchor(claim, f'claim-{claim}')}</th>" for claim in verdicts)
    head = f"<thead><tr><th>reading</th><th></th>{claimed}</tr></thead>" if verdicts else ""
    table = f'<div class="rs-table"><table>{head}<tbody>{rows}</tbody></table></div>'
    asked = ", ".join(_asker(name, game.core) for name in ruling.asked)
    where = f'<p class="rs-asked">Used in {asked}.</p>' if asked else ""
    return (
        f'<div class="rs-ruling"><p><strong>{render.prose(ruling.question)}</strong></p>{table}{where}</div>'
    )


def _marks(ruling: Ruling, position: int) -> str:
    reading = ruling.readings[position]
    words = ["the default"] if position == 0 else []
    words += ["chosen here"] if reading.id == ruling.chosen and position else []
    words += ["not modelled"] if not reading.modelled else []
    return f' <em class="rs-mark">({", ".join(words)})</em>' if words else ""


def _example(example: Example, game: Game, page: Page, labels: Container[str], playing: Playing) -> str:
    """The HTML of an example; one that fails is added to the faults of the page."""
    tried = trial_to_show(game, example)
    page.executed += 1
    if tried.dropped or tried.unfit:
        return ""
    if tried.failures:
        page.faults += tried.failures
        return f'<pre class="rs-failed">{render.escape(render.faults(tried.failures))}</pre>'
    under = differences(game, tried.game)
    game, example = tried.game, tried.example
    then = " ".join(example.data.get("then text", "").split())
    run = Run(
        game, then=then, prose=example.prose, source=example.source, note=example.note,
        under=under, **replay_example(game, example.data),
    )  # fmt: skip
    return render.example(run, anchors=True, labels=labels, play=playing.of(run.states))


def _asker(name: str, core: Core) -> str:
    """A link to the rule or the claim whose formal text refers to a ruling."""
    is_rule = any(rule.id == name for rule in core.rules)
    return anchor(name) if is_rule or name not in core.claims else anchor(name, f"claim-{name}")


def _rulings_index(core: Core) -> Iterator[str]:
    """Yield the table of open rulings, with the parts that ask each."""
    open_ones = [ruling for ruling in core.rulings.values() if len(ruling.readings) > 1]
    if not open_ones:
        return
    yield heading(2, "Index of rulings", "rulings")
    rows = "".join(
        f"<tr><td>{anchor(r.id)}</td><td>{render.prose(r.question)}</td><td>{render.code(r.chosen)}</td>"
        f"<td>{', '.join(_asker(name, core) for name in r.asked)}</td></tr>"
        for r in open_ones
    )
    head = "<tr><th>ruling</th><th>question</th><th>read here as</th><th>asked in</th></tr>"
    yield f'<div class="rs-table"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
