"""The chapters of a book as blocks of a page: text, steps, tables, and pictures of executed examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, starmap
from typing import TYPE_CHECKING, assert_never

from ...core.book import (
    EVERYBODY,
    Block,
    Book,
    Chapter,
    Content,
    Figure,
    Listing,
    Pictures,
    Playthrough,
    Table,
    Text,
)
from ...core.diagnostics import Diagnostic
from ...core.examples import Example
from ...core.game import Game as Core
from ...core.game import Rule
from ...core.types import Value
from ...play.examples import failure, run_example, trial_to_show, try_example
from ...play.face import Game, State
from ...play.refusal import Refusal, refusing_rule
from ..drawing.diagram import legend, signs
from ..examples import render
from ..examples.fences import Run, replay_example
from .page import Page, differences, heading, title_of

if TYPE_CHECKING:
    from .playing import Playing

BOX_TITLES = {"note": "Note", "tip": "Tip", "example": "Example", "variant": "Variant"}


@dataclass
class Teller:
    """Writes the chapters of one game's book onto a page."""

    game: Game
    book: Book
    page: Page
    playing: Playing
    told: set[str] = field(default_factory=set)
    """Rules whose anchor is already on the page."""
    figures: int = 0
    explained: set[str] = field(default_factory=set)
    """Meanings of signs in pictures that a legend has already explained."""

    def __post_init__(self) -> None:
        self.rules = {rule.id: rule for rule in self.game.core.rules}
        self.chapters = {chapter.id for chapter in self.book.all_chapters}

    def chapter(self, chapter: Chapter) -> Iterator[str]:
        """A chapter as blocks of Markdown."""
        yield heading(2, chapter.heading, chapter.id)
        for number, block in enumerate(chapter.blocks, 1):
            if block.heading:
                yield heading(3, block.heading, f"{chapter.id}_{number}")
            yield from self.block(block, chapter.look)

    def words(self, text: str) -> str:
        """A text of the book as HTML."""
        return render.marks_to_html(text, self.anchor_of)

    def anchor_of(self, target: str) -> str:
        """The anchor of a rule, a chapter or a term on the page."""
        return target if target in self.rules or target in self.chapters else f"term_{target}"

    def anchors(self, rules: Iterable[str]) -> str:
        """The anchors to which links to rules and their requirements lead."""
        new = [self.rules[name] for name in rules if name not in self.told]
        self.told |= {rule.id for rule in new}
        names = [name for rule in new for name in (rule.id, *self._requirements(rule))]
        return "".join(f'<span class="rs-anchor" id="{render.escape(name)}"></span>' for name in names)

    def _requirements(self, rule: Rule) -> list[str]:
        return [f"{rule.id}.{name}" for name, _ in rule.requirements]

    def requirement_anchors(self, rule: Rule) -> str:
        """The anchors for links to the requirements of a rule."""
        return "".join(f'<span id="{render.escape(name)}"></span>' for name in self._requirements(rule))

    def block(self, block: Block, look: str = "") -> Iterator[str]:
        """A block as blocks of Markdown."""
        look = f" rs-{look}" if look else ""
        if block.content is None:
            for name in block.rules:
                yield from self._rule(self.rules[name], block, look)
            return
        inner = self.anchors(block.rules) + self._content(block.content)
        if block.box:
            title = f'<p class="rs-box-title">{BOX_TITLES[block.box]}</p>'
            inner = f'<div class="rs-box rs-box-{block.box}" role="note">{title}{inner}</div>'
        yield f'<div class="rs-block{look}">{inner}</div>'

    def _rule(self, rule: Rule, block: Block, look: str) -> Iterator[str]:
        """A rule in its own prose."""
        first = rule.id not in self.told
        if first and not block.heading:
            self.told.add(rule.id)
            yield heading(3, title_of(rule), rule.id)
            spans = self.requirement_anchors(rule)
        else:
            spans = self.anchors([rule.id])
        parts = [spans, f"<p>{render.prose(rule.prose)}</p>"]
        if rule.requirements:
            listed = "".join(f"<li>{render.prose(words)}</li>" for _, words in rule.requirements)
            parts.append(f'<p class="rs-only-if">Only if:</p><ul>{listed}</ul>')
        if block.examples:
            parts += [f'<p class="rs-note">{render.prose(rule.note)}</p>'] if rule.note else []
            here = (one for one in rule.examples if one.settings is None)
            parts += self._examples([one for one in here if not try_example(self.game, one).dropped])
        yield f'<div class="rs-block{look}">{"".join(parts)}</div>'

    def _examples(self, examples: Sequence[Example]) -> Iterator[str]:
        """Examples in order; consecutive examples with one picture each stand side by side."""
        for played, group in groupby(examples, key=lambda example: "play" in example.data):
            listed = [*group]
            if len(listed) > 1 and not played:
                yield f'<div class="rs-strip">{"".join(self.examples(listed))}</div>'
            else:
                yield from (shown for example in listed for shown in self.examples([example]))

    # ---- contents

    def _content(self, content: Content) -> str:
        """The HTML of a block's content."""
        if isinstance(content, Text):
            return "".join(f"<p>{self.words(paragraph)}</p>" for paragraph in content.paragraphs)
        if isinstance(content, Listing):
            items = "".join(f"<li>{self.words(item)}</li>" for item in content.items)
            return f'<ol class="rs-numbered">{items}</ol>' if content.ordered else f"<ul>{items}</ul>"
        if isinstance(content, Table):
            return self._table(content)
        if isinstance(content, Pictures):
            shown = "".join(self._figures(content.figures))
            return f'<div class="rs-strip">{shown}</div>' if len(content.figures) > 1 else shown
        if isinstance(content, Playthrough):
            return self._playthrough(content)
        assert_never(content)

    def _table(self, table: Table) -> str:
        """The HTML of a table."""
        head = "".join(f"<th>{self.words(cell)}</th>" for cell in table.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{self.words(cell)}</td>' for cell in row)}</tr>" for row in table.rows
        )
        caption = f"<caption>{self.words(table.caption)}</caption>" if table.caption else ""
        return (
            f'<div class="rs-table"><table>{caption}<thead><tr>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    def _figures(self, figures: Sequence[Figure]) -> Iterator[str]:
        """Figures side by side, all showing the same part of the table."""
        runs = [self._run_example(figure.example) for figure in figures]
        drawn = _draw_runs(runs, [figure.seat for figure in figures], shortened=len(figures) > 1)
        for figure, run, drawing in zip(figures, runs, drawn, strict=True):
            if isinstance(run, str):
                yield run
                continue
            self.figures += 1
            words = self.words(figure.caption) if figure.caption else render.prose(run.prose)
            caption = f'<span class="rs-number">Figure {self.figures}.</span> {words}'
            yield self._example(run, drawing, caption, bool(figure.caption), figure.exercise)

    def examples(self, examples: Sequence[Example]) -> Iterator[str]:
        """Examples of a rule side by side: prose, pictures, and their legal and refused actions."""
        runs = [self._run_example(example) for example in examples]
        for run, drawing in zip(runs, _draw_runs(runs, [""] * len(runs)), strict=True):
            yield run if isinstance(run, str) else self._example(run, drawing, render.prose(run.prose))

    def _example(self, run: Run, drawn: str, caption: str, told: bool = False, exercise: str = "") -> str:
        """The HTML of an executed example with its picture, caption and a legend of new signs."""
        if not run.game.core.diagram and len(run.states) > 1:
            played = ", ".join(starmap(render.describe_action, pairwise(run.states)))
            drawn = f"<p>Played: {played}.</p>"
        under = f'<p class="rs-under">With {", ".join(map(render.code, run.under))}:</p>' if run.under else ""
        points = _points(run, render.action_writer(run, drawn), told)
        new = [meaning for meaning in signs(drawn) if meaning not in self.explained]
        self.explained.update(new)
        told_below = f"<figcaption>{caption}{points}{legend(new)}</figcaption>"
        play = self.playing.of(run.states, exercise)
        return f'<figure class="rs-figure"{play}>{under}{drawn}{told_below}</figure>'

    def _run_example(self, example: Example) -> Run | str:
        """Run an example; if it fails, return its faults as HTML and add them to those of the page."""
        if example.data is None:  # one of a rule, by name
            rule = self.rules[example.clause]
            example = next(one for one in rule.examples if one.id == example.id)
        tried = trial_to_show(self.game, example)
        if not tried.holds:
            faults = tried.failures or (failure(example, "dropped", "does not hold in this variant"),)
            self.page.faults += faults
            return f'<pre class="rs-failed">{render.escape(render.faults(faults))}</pre>'
        game, example = tried.game, tried.example
        under = differences(self.game, game)
        run = Run(game, prose=example.prose, under=under, **replay_example(game, example.data))
        for state in (run.states[0], run.states[-1]):
            self.page.offer(state)
        return run

    def _playthrough(self, play: Playthrough) -> str:
        """The HTML of a play to step through."""
        run = self._run_example(play.example)
        if isinstance(run, str):
            return run
        texts = [self.words(text) for text in (play.opening, *play.texts)]
        again = self.playing.of_steps(run.states)
        seat = _seat(run.states[0], play.seat)
        return render.trace(run.states, "A game to step through", texts, seat, again, render.describe_action)


def _draw_runs(runs: Sequence[Run | str], seats: Sequence[str], shortened: bool = False) -> list[str]:
    """The drawings of each run, all showing the same part of the table; empty for failed runs.

    If they are `shortened`, a single action shown in its picture gets no picture of its effect.
    """
    asked = {
        number: render.IllustratedExample(run, _seat(run.states[0], seat), shortened and _is_marked(run))
        for number, (run, seat) in enumerate(zip(runs, seats, strict=True))
        if not isinstance(run, str)
    }
    drawn = dict(zip(asked, render.strip([*asked.values()]), strict=True))
    return [drawn.get(number, "") for number in range(len(runs))]


def _seat(state: State, seat: str) -> Value | None:
    """The player whose view a picture shows; None if all cards are face up."""
    if seat == EVERYBODY:
        return None
    return int(seat) if seat else render.seat_of(state)


def _is_marked(run: Run) -> bool:
    """True if one action is played, and the picture before it shows it."""
    plays = run.states[-1].plays[len(run.states[0].plays) :]
    return len(plays) == 1 and any(layer.action == plays[0].id for layer in run.game.core.diagram)


def _points(run: Run, action: Callable[[str], str], told: bool) -> str:
    """The legal and the refused actions of an example, in words for players, as a list.

    `action` writes the notation of an action as HTML. Legal actions are left to the picture if a caption has
    `told` of them.
    """
    points = []
    if run.legal and not told:
        points.append(f"Allowed: {', '.join(map(action, run.legal))}.")
    if run.only and not told:
        points.append(f"The only legal actions of this kind: {', '.join(map(action, run.only))}.")
    refused: dict[str, list[str]] = {}
    for text, refusals in run.refused:
        refused.setdefault(_why(run.game.core, refusals), []).append(action(text))
    points += [f"Not allowed: {', '.join(texts)}. {why}" for why, texts in refused.items()]
    if run.winners is not None:
        points.append(render.winners_sentence(run.game, run.winners))
    return f'<ul class="rs-points">{"".join(f"<li>{point}</li>" for point in points)}</ul>' if points else ""


def _why(core: Core, refusals: Iterable[Refusal]) -> str:
    """The rules that refuse an action, in their own prose, each once and linked to its place."""
    said: dict[str, str] = {}
    for found in refusals:
        clause, prose = refusing_rule(core, found)
        words = render.prose(prose)
        linked = f'<a href="#{render.escape(clause)}">{words}</a>' if clause else words
        said.setdefault(prose, linked)
    return " ".join(said.values())


def failures(game: Game, book: Book) -> Iterator[Diagnostic]:
    """The faults in the figures and plays of a book, without examples of rules, which run on their own."""
    for _, block in book.blocks():
        content = block.content
        figures = content.figures if isinstance(content, Pictures) else ()
        shown = [figure.example for figure in figures]
        shown += [content.example] if isinstance(content, Playthrough) else []
        for example in shown:
            if example.data is not None:
                yield from run_example(game, example)
