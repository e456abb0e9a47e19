"""The rulebook of a game as a page: the ruleset read from top to bottom, with what was shown of it.

A page is Markdown whose blocks are HTML, so that headings make a table of contents and everything a
ruleset says is escaped once, here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..core.diagnostics import Diagnostic
from ..core.game import Action, Example, Parameter, Rule, Ruling
from ..core.game import Game as Core
from ..core.notation import in_words, write
from ..language import outline
from ..play.examples import as_asked, run_example
from ..play.face import Game, State
from ..play.observation import kept_secret
from . import claims, render, sources
from .diagram import Richness, thumbnail
from .fences import Run, replayed
from .marks import problems
from .published import Published
from .readings import by_reading, in_short


@dataclass(frozen=True)
class Target:
    """Another page: its address as seen from this one, and its title."""

    address: str
    title: str


Link = Callable[[str], Target | None]
"""The page of another ruleset by its id or file; None if it is this one or there is none."""


@dataclass
class Page:
    """A page as Markdown, and everything on it that is not as it says."""

    markdown: str
    faults: list[Diagnostic] = field(default_factory=list)
    executed: int = 0
    """How many examples were run."""
    picture: str = ""
    """A small drawing of the position on it with the most to see."""
    richness: Richness = (0, 0)
    """How much there is to see on it."""
    records: dict[str, str] = field(default_factory=dict)
    """Files that go with the page: plays that are evidence, by name."""

    def offer(self, state: State) -> None:
        """Take the drawing of a position as the page's picture if there is more to see on it."""
        if state.game.core.diagram:
            picture, richness = thumbnail(state.game.core, state.values)
            if richness > self.richness:
                self.picture, self.richness = picture, richness


def rulebook(
    game: Game,
    published: Published,
    link: Link = lambda name: None,
    address: Callable[[str], str] = str,
    trust: str = "",
) -> Page:
    """The rulebook page of a game with its verdicts.

    `address` gives the URL of a file beside the page, `trust` is that of the page on what to believe.
    """
    page = Page("", [*problems(game.core)])
    shown = claims.Shown(address, trust, page.faults, page.records)
    page.offer(game.start(seed=0))
    blocks = [
        *_front(game, link),
        *_settings(game),
        heading(2, "Rules", "rules"),
        *(block for rule in game.core.rules for block in _rule(rule, game, published, page, link)),
        *claims.section(game, published, shown),
        *_rulings_index(game.core),
        *sources.section(game, page.faults),
    ]
    page.markdown = "\n\n".join(blocks) + "\n"
    return page


KINDS = {"formal": "what there is", "sees": "what is seen", "words": "in words only"}
"""How a page names kinds of rules whose names would puzzle a reader."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]()>#+\-.!|:~^$\"'])")


def heading(level: int, text: str, anchor: str) -> str:
    """A Markdown heading of a ruleset's words, none of them with a meaning in Markdown."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    safe = _SPECIAL.sub(r"\\\1", plain).replace("\\:", ":").replace("\\'", "'").replace('\\"', '"')
    return f"{'#' * level} {safe} {{#{re.sub('[^A-Za-z0-9_.-]', '-', anchor)}}}"


def title_of(rule: Rule) -> str:
    """A rule's heading, or its id as words."""
    return rule.heading or rule.id.replace("-", " ").capitalize()


def _front(game: Game, link: Link) -> Iterator[str]:
    core = game.core
    yield heading(1, core.title, core.id)
    said = [f'<p class="rs-summary">{render.prose(core.summary)}</p>'] if core.summary else []
    by = [render.prose(core.author)] if core.author else []
    by += [f"licence: {render.prose(core.licence)}"] if core.licence else []
    by += [f"source: {', '.join(map(render.code, core.source))}"] if core.source else []
    by += [f"a variant of {_page_link(core.extends[-1], link)}"] if core.extends else []
    said += [f'<p class="rs-by">{" · ".join(by)}</p>'] if by else []
    drawn = render.drawing(core, game.start(seed=0).values) if core.diagram else ""
    yield f'<div class="rs-front">{"".join(said)}{drawn}</div>'


def _page_link(name: str, link: Link) -> str:
    target = link(name)
    if target is None:
        return render.code(name)
    return f'<a href="{render.escape(target.address)}">{render.escape(target.title)}</a>'


def _settings(game: Game) -> Iterator[str]:
    core = game.core
    if not core.parameters:
        return
    yield heading(2, "Setting", "setting")
    rows = "".join(
        f'<tr id="setting-{render.escape(p.id)}"><td>{render.code(p.id)}</td>'
        f"<td>{render.prose(p.prose)}{_whence(p)}</td>"
        f"<td>{render.escape(in_words(p.type))}</td><td>{render.escape(write(p.type, p.value))}</td></tr>"
        for p in core.parameters.values()
    )
    head = "<tr><th>name</th><th>what it is</th><th>may be</th><th>is here</th></tr>"
    players = f"<p>{render.escape(_players(game))}.</p>"
    yield f'<div class="rs-table">{players}<table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
    yield "".join(f"<p>{render.prose(condition)}</p>" for condition in core.conditions)


def _whence(parameter: Parameter) -> str:
    return f'<p class="rs-by">{render.cited(parameter.source)}</p>' if parameter.source else ""


def _players(game: Game) -> str:
    """How many play, and how many may."""
    allowed = outline(game.name).players if game.name else ()
    here = f"{game.core.players} player{'s' * (game.core.players > 1)}"
    if len(allowed) < 2:
        return here
    *others, last = map(str, allowed)
    return f"For {', '.join(others)} or {last} players; with {game.core.players} on this page"


def _rule(rule: Rule, game: Game, published: Published, page: Page, link: Link) -> Iterator[str]:
    yield heading(3, title_of(rule), rule.id)
    parts = [_kind(rule, link)]
    parts += [
        f"<p>{render.prose(paragraph)}</p>" for paragraph in rule.prose.split("\n\n") if paragraph.strip()
    ]
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
        bound = ", ".join(map(_anchor, rule.binds))
        parts.append(f'<p class="rs-binds">Binds {bound}.</p>')
    if rule.ruling is not None:
        parts.append(_ruling(game.core.rulings.get(rule.ruling.id, rule.ruling), game, published))
    if rule.note:
        parts.append(f'<p class="rs-note">{render.prose(rule.note)}</p>')
    parts += [_example(example, game, page) for example in rule.examples]
    pieces = "".join(f"<p>{render.escape(what)}</p>{render.listing(text)}" for what, text in rule.formal)
    if pieces:
        parts.append(render.details("Formal text", pieces))
    yield f'<div class="rs-rule">{"".join(parts)}</div>'


def _secrets(game: Core, action: Action) -> Iterator[str]:
    """The parts of an action that are kept from the other players, as paragraphs."""
    for choice, shown in kept_secret(game, action):
        part = render.code(choice) if choice else "which action this is"
        text = f"The other players do not learn {part}"
        if shown:
            text += f"; it is shown to {render.code(shown)}"
        yield f'<p class="rs-secret">{text}.</p>'


def _kind(rule: Rule, link: Link) -> str:
    said = [render.escape(KINDS.get(rule.kind, rule.kind))]
    said += [render.cited(rule.source)] if rule.source else []
    origin = link(rule.origin) if rule.origin else None
    if origin is not None:
        address = render.escape(f"{origin.address}#{rule.id}")
        said.append(f'as in <a href="{address}">{render.escape(origin.title)}</a>')
    return f'<p class="rs-kind">{" · ".join(said)}</p>' if said else ""


def _ruling(ruling: Ruling, game: Game, published: Published) -> str:
    """A question with its readings, and how the claims stand under each of them."""
    if len(ruling.readings) == 1:
        return f'<p class="rs-settled">Settled: {render.prose(ruling.readings[0].prose)}</p>'
    verdicts = by_reading(game, published, ruling)
    rows = "".join(
        f"<tr{' class=rs-chosen' if reading.id == ruling.chosen else ''}><td>{render.code(reading.id)}</td>"
        f"<td>{render.prose(reading.prose)}{_marks(ruling, i)}</td>"
        + "".join(f"<td>{in_short(row.get(reading.id))}</td>" for row in verdicts.values())
        + "</tr>"
        for i, reading in enumerate(ruling.readings)
    )
    claimed = "".join(f"<th>{_anchor(claim, f'claim-{claim}')}</th>" for claim in verdicts)
    head = f"<thead><tr><th>reading</th><th></th>{claimed}</tr></thead>" if verdicts else ""
    table = f'<div class="rs-table"><table>{head}<tbody>{rows}</tbody></table></div>'
    asked = ", ".join(_asking(name, game.core) for name in ruling.asked)
    where = f'<p class="rs-asked">Asked in {asked}.</p>' if asked else ""
    return (
        f'<div class="rs-ruling"><p><strong>{render.prose(ruling.question)}</strong></p>{table}{where}</div>'
    )


def _marks(ruling: Ruling, position: int) -> str:
    reading = ruling.readings[position]
    words = ["the default"] if position == 0 else []
    words += ["chosen here"] if reading.id == ruling.chosen and position else []
    words += ["not modelled"] if not reading.modelled else []
    return f' <em class="rs-mark">({", ".join(words)})</em>' if words else ""


def _example(example: Example, game: Game, page: Page) -> str:
    found = run_example(game, example)
    page.executed += 1
    if found:
        page.faults += found
        return f'<pre class="rs-failed">{render.escape(render.faults(found))}</pre>'
    asked = as_asked(game, example)
    assert asked is not None, "an example that holds is there"
    under = _differences(game, asked[0])
    game, example = asked
    then = " ".join(example.data.get("then text", "").split())
    run = Run(
        game, then=then, prose=example.prose, source=example.source, note=example.note,
        under=under, **replayed(game, example.data),
    )  # fmt: skip
    for state in (run.states[0], run.states[-1]):
        page.offer(state)
    return render.example(run, anchors=True)


def _differences(game: Game, other: Game) -> tuple[str, ...]:
    """The settings of a game that are not those of the page on which it is."""
    said = [f"players: {other.core.players}"] if other.core.players != game.core.players else []
    values = {p.id: write(p.type, p.value) for p in game.core.parameters.values()}
    given = {p.id: write(p.type, p.value) for p in other.core.parameters.values()}
    said += [f"{name}: {value}" for name, value in given.items() if values.get(name) != value]
    read = game.readings
    return (*said, *(f"{name}: {value}" for name, value in other.readings.items() if read.get(name) != value))


def _rulings_index(game: Core) -> Iterator[str]:
    open_ones = [ruling for ruling in game.rulings.values() if len(ruling.readings) > 1]
    if not open_ones:
        return
    yield heading(2, "Index of rulings", "rulings")
    rows = "".join(
        f"<tr><td>{_anchor(r.id)}</td><td>{render.prose(r.question)}</td><td>{render.code(r.chosen)}</td>"
        f"<td>{', '.join(_asking(name, game) for name in r.asked)}</td></tr>"
        for r in open_ones
    )
    head = "<tr><th>ruling</th><th>question</th><th>read here as</th><th>asked in</th></tr>"
    yield f'<div class="rs-table"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


def _asking(name: str, game: Core) -> str:
    """A link to the rule or else the claim that asks for a reading."""
    rules = {rule.id for rule in game.rules}
    return _anchor(name, f"claim-{name}" if name in game.claims and name not in rules else name)


def _anchor(name: str, anchor: str = "") -> str:
    return f'<a href="#{render.escape(anchor or name)}">{render.escape(name)}</a>'
