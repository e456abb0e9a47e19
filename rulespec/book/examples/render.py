"""Pieces of pages as HTML: escaped text, formal text, examples, plays to step through."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, starmap

from ...core.book import MARKED
from ...core.diagnostics import Diagnostic
from ...core.numbers import whole_number
from ...core.types import Value
from ...play.actions import Action
from ...play.errors import UnknownAction
from ...play.face import Game, State
from ...play.position import Move
from ...play.refusal import Refusal
from ...play.views import Place
from ...play.wording import seat_names
from ...sources.citations import OURS
from ..drawing.diagram import Picture, apart, draw_alike, draw_series
from ..drawing.diagram import visible_values as values_for
from .fences import Run

escape = html.escape
_CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> str:
    """A ruleset's own words as HTML: escaped, with text in backquotes as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def marks_to_html(text: str, resolve: Callable[[str], str]) -> str:
    """A text of a book as HTML: escaped, with its marks as elements.

    `resolve` gives the anchor on the page for the target of a link.
    """
    parts, at = [], 0
    for mark in MARKED.finditer(text):
        parts.append(escape(text[at : mark.start()]))
        if mark["code"]:
            parts.append(code(mark["code"]))
        elif mark["words"]:
            parts.append(f'<a href="#{escape(resolve(mark["target"]))}">{escape(mark["words"])}</a>')
        elif mark["strong"]:
            parts.append(f"<strong>{escape(mark['strong'])}</strong>")
        else:
            parts.append(f"<em>{escape(mark['emphasis'])}</em>")
        at = mark.end()
    return "".join([*parts, escape(text[at:])])


def code(text: str) -> str:
    """Formal text or notation within a line."""
    return f"<code>{escape(text)}</code>"


def citations_to_html(source: Sequence[str], labels: Container[str] = ()) -> str:
    """Citations of sentences of the document; consecutive ones are joined.

    Those with these labels have their anchors on the page.
    """
    if [*source] == [OURS]:
        return "not from the document"
    return f"source {', '.join(_link_run(run, labels) for run in _runs(source))}"


def _link_run(run: str, labels: Container[str]) -> str:
    first = run.partition("..")[0]
    return f'<a href="#sentence_{escape(first)}">{code(run)}</a>' if first in labels else code(run)


def _runs(source: Sequence[str]) -> Iterator[str]:
    """Citations in order; three or more consecutive ones (`play-1`, `play-2`, …) become `play-1..3`."""
    run: list[str] = []
    for label in [*source, ""]:
        section, _, number = (run[-1] if run else "").rpartition("-")
        last = whole_number(number)
        if last is not None and label == f"{section}-{last + 1}":
            run.append(label)
            continue
        yield from [f"{run[0]}..{number}"] if len(run) > 2 else run
        run = [label]


def listing(text: str) -> str:
    """Formal text in lines of its own."""
    return f'<pre class="rs-formal"><code>{escape(text)}</code></pre>'


def details(summary: str, body: str) -> str:
    """A collapsed element; `body` is HTML."""
    return f'<details class="rs-more"><summary>{escape(summary)}</summary>{body}</details>'


SETUP = "setup"
"""The name of pictures of the start."""


def drawing(state: State, seat: Value | None = None) -> str:
    """The drawing of a position inside a page; empty if the game declares none.

    With a `seat` it shows that player's view; otherwise all cards are face up.
    """
    return drawings(state, [alone(state, seat)])[0]


def drawings(state: State, shown: Sequence[Picture]) -> list[str]:
    """Drawings of one play, all of the same part of the table; empty if the game declares none."""
    game = state.game.core
    return draw_series(game, shown) if game.diagram else [""] * len(shown)


def picture(
    state: State,
    before: State | None = None,
    moves: Iterable[Move] = (),
    refused: Iterable[Move] = (),
    seat: Value | None = None,
) -> Picture:
    """The picture of a position and of actions in it."""
    values, sizes = visible_values(state, seat)
    known = visible_values(before, seat)[0] if before is not None else None
    return Picture(values, known, [*moves], [*refused], sizes)


def alone(state: State, seat: Value | None = None) -> Picture:
    """The picture of a position by itself; for a start it has the name `SETUP`."""
    shown = picture(state, seat=seat)
    return replace(shown, names=[SETUP]) if state.origin is None and not state.plays else shown


def visible_values(state: State, seat: Value | None) -> tuple[Mapping[str, Value], Mapping[Place, int]]:
    """The variables of a position as a player sees them, and the sizes of hidden places.

    Without a seat nothing is hidden.
    """
    if seat is None or not state.game.observer.hides:
        return state.values, {}
    return values_for(state.game.core, state.values, seat)


def seat_of(state: State) -> Value:
    """The player to move, whose view a picture for players shows."""
    return state.values["mover"]


def refusal(action: str, refusals: Iterable[Refusal], anchors: bool = False) -> str:
    """One refused action (HTML): its notation, the refusing clauses, and their reasons.

    With `anchors` the clauses are links to their rules on the same page.
    """
    listed = "".join(f"<li>{_reasons(found, anchors)}</li>" for found in refusals)
    return f"<li>{action} is refused<ul>{listed}</ul></li>"


def _reasons(found: Refusal, anchors: bool) -> str:
    """A refusing clause, in its own prose, and its reasons."""
    why = [str(reason) for reason in found.reasons if reason.text or reason.fact]
    because = "".join(f"<li>{code(reason)}</li>" for reason in why)
    more = details("Why", f"<ul>{because}</ul>") if why else ""
    if found.kind != "requirement":
        return escape(found.prose) + more
    name = f"<strong>{escape(found.name)}</strong>"
    if anchors and found.clause:
        name = f'<a href="#{escape(found.clause)}">{name}</a>'
    return f"{name} {prose(found.prose)}{more}"


def example(run: Run, anchors: bool = False, labels: Container[str] = (), play: str = "") -> str:
    """An executed example: its drawings, its actions and its refusals.

    `labels` are as for `citations_to_html`, `play` as for `trace`.
    """
    head = [citations_to_html(run.source, labels)] if run.source else []
    head += [f"under {', '.join(map(code, run.under))}"] if run.under else []
    parts = [f'<p class="rs-kind">{" · ".join(head)}</p>'] if head else []
    parts += [f"<p>{prose(run.prose)}</p>"] if run.prose else []
    parts += [f'<p class="rs-note">{prose(run.note)}</p>'] if run.note else []
    if "diagram" in run.show or (not run.show and run.game.core.diagram):
        parts.append(pictures(run))
    action = action_writer(run, parts[-1] if parts else "")
    if "steps" in run.show:
        steps = trace(run.states, "A play")
        parts.append(steps.replace("<div ", '<div data-at="last" ', 1))
    points = []
    if run.legal:
        verb = "is" if len(run.legal) == 1 else "are"
        points.append(f"<li>{', '.join(map(action, run.legal))} {verb} legal</li>")
    if run.only:
        points.append(f"<li>{', '.join(map(action, run.only))}: nothing else of the kind is legal</li>")
    points += [refusal(action(text), refusals, anchors) for text, refusals in run.refused]
    if run.then:
        points.append(f"<li>{'then' if len(run.states) > 1 else 'here'} {code(run.then)} holds</li>")
    if run.winners is not None:
        points.append(f"<li>{winners_sentence(run.game, run.winners)}</li>")
    parts += [f'<ul class="rs-points">{"".join(points)}</ul>'] if points else []
    if "clauses" in run.show:
        parts += _clauses(run)
    if "actions" in run.show:
        parts.append(_actions(run.states[-1]))
    if "scores" in run.show:
        parts.append(_scores(run.states[-1]))
    return f'<figure class="rs-example"{play}>{"".join(parts)}</figure>'


def _clauses(run: Run) -> Iterator[str]:
    """The rules that refuse something in an example: their prose and the formal text that refuses it."""
    named = dict.fromkeys(found.clause for _, refusals in run.refused for found in refusals)
    for rule in run.game.core.rules:
        if rule.id in named:
            text = listing("\n".join(f"{key}: {formal}" for key, formal in rule.formal))
            yield f'<div class="rs-clause"><p>{code(rule.id)} {prose(rule.prose)}</p>{text}</div>'


@dataclass(frozen=True)
class IllustratedExample:
    """An example to be drawn: the position with its actions, and after a play the next.

    The latter is left out if `only_first`. `seat` is as for `drawing`.
    """

    run: Run
    seat: Value | None = None
    only_first: bool = False

    @property
    def plays_before(self) -> tuple[str, ...]:
        """The actions before the last drawing (HTML); empty if that shows the first position."""
        return () if self.only_first else tuple(starmap(describe_action, pairwise(self.run.states)))

    def pictures(self) -> list[Picture]:
        """The pictures to draw, in order."""
        first, last = self.run.states[0], self.run.states[-1]
        shown, barred = _shown_actions(self.run)
        actions = bool(shown or barred)
        seat = self.seat
        start = picture(first, moves=shown, refused=barred, seat=seat) if actions else alone(first, seat)
        return [*_apart(first, start), *([picture(last, first, seat=seat)] if self.plays_before else [])]


def pictures(run: Run) -> str:
    """The drawings of an example, with all cards face up."""
    return strip([IllustratedExample(run)])[0]


def strip(examples: Sequence[IllustratedExample]) -> list[str]:
    """The drawings of each example, all of the same part of the table; empty if the game has none."""
    asked = [example.pictures() if example.run.game.core.diagram else [] for example in examples]
    pairs = zip(examples, asked, strict=True)
    shown = ((one.run.game.core, state) for one, several in pairs for state in several)
    listed = iter(draw_alike(shown))
    pairs = zip(examples, asked, strict=True)
    return [_row([*islice(listed, len(several))], example.plays_before) for example, several in pairs]


def describe_action(before: State, after: State) -> str:
    """The last action of a state, as HTML: its sentence if the ruleset has one, and its notation.

    `before` is the state in which it was played. On paper a sentence stands in place of the notation.
    """
    action, game = after.plays[-1], after.game
    if action.id not in game.core.presentation.sentences:
        return code(str(action))
    told = game.wording.sentence(action.move, game.machine.situation(before.position))
    return f'<span class="rs-told">{escape(told)}</span> {code(str(action))}'


def _row(drawn: list[str], actions: Iterable[str]) -> str:
    """Drawings side by side, with a list of the actions before the last drawing; empty without any."""
    listed = "".join(f"<li>{action}</li>" for action in actions)
    if listed:
        drawn.insert(-1, f'<ol class="rs-plays" aria-label="Played">{listed}</ol>')
    return f'<div class="rs-pictures">{"".join(drawn)}</div>' if drawn else ""


def _apart(state: State, shown: Picture) -> list[Picture]:
    game = state.game.core
    return apart(game, shown) if game.diagram else [shown]


def _shown_actions(run: Run) -> tuple[list[Move], list[Move]]:
    """The legal and the refused actions that the first drawing of an example shows, each once."""
    first, last = run.states[0], run.states[-1]
    plays = last.plays[len(first.plays) :]
    shown = dict.fromkeys(action.move for action in (*plays[:1], *map(first.find, (*run.legal, *run.only))))
    barred = dict.fromkeys(action.move for text, _ in run.refused if (action := _action_of_text(first, text)))
    return [*shown], [*barred]


def action_writer(run: Run, drawn: str) -> Callable[[str], str]:
    """A writer of the actions of an example as HTML, each with its number if the drawing has numbers."""
    first = run.states[0]
    shown, barred = _shown_actions(run)
    numbers: dict[Move, int] = {}
    for number, move in enumerate((*shown, *barred), 1):
        numbers.setdefault(move, number)

    def written(text: str) -> str:
        action = _action_of_text(first, text)
        if 'class="bn' not in drawn or action is None or action.move not in numbers:
            return code(text)
        return f'<span class="rs-option">{numbers[action.move]}</span> {code(text)}'

    return written


def _action_of_text(state: State, text: str) -> Action | None:
    """The action that a refused text denotes; None if it denotes none."""
    try:
        return state.find(text)
    except UnknownAction:
        return None


MOST_ACTIONS = 60
"""Maximum number of legal actions listed on a page; with more, only their number is given."""


def _actions(state: State) -> str:
    texts = [str(action) for action in state.actions()]
    listed = ", ".join(code(text) for text in texts[:MOST_ACTIONS])
    more = f" and {len(texts) - MOST_ACTIONS} more" if len(texts) > MOST_ACTIONS else ""
    if not texts:
        return "<p>No action is legal.</p>"
    return f'<p class="rs-actions">Legal ({len(texts)}): {listed}{more}</p>'


def winners_sentence(game: Game, winners: Sequence[str]) -> str:
    """The winners in a sentence, as HTML, by the names of their seats."""
    names = dict(zip(map(str, game.players), seat_names(game.core), strict=True))
    *others, last = [escape(names[seat]) for seat in winners] or ["Nobody"]
    return f"{', '.join(others)} and {last} share the win." if others else f"{last} wins."


def _scores(state: State) -> str:
    titles, listed = state.titles, []
    names = dict(zip(state.game.players, seat_names(state.game.core), strict=True))
    for player, score in state.scores.items():
        title = f", {escape(titles[player])}" if player in titles else ""
        name = escape(names[player]) if len(names) > 1 else "Score"
        listed.append(f"<li>{name}: {score}{title}</li>")
    if state.winners:
        listed.append(f"<li>{winners_sentence(state.game, [*map(str, state.winners)])}</li>")
    return f'<ul class="rs-scores">{"".join(listed)}</ul>'


WIDE = 500
"""The width in pixels from which on only two drawings fit side by side on paper."""
_WIDTH = re.compile(r'<svg [^>]*class="rs-diagram"[^>]* width="(\d+)')


def trace(
    states: Iterable[State],
    label: str,
    texts: Sequence[str] = (),
    seat: Value | None = None,
    play: str = "",
    describe: Callable[[State, State], str] = lambda before, after: code(str(after.plays[-1])),
) -> str:
    """A play as numbered drawings, one for each state, with HTML about each; `play` is a data attribute.

    `describe` writes an action as HTML from the states before and after it; the default is its notation.
    The page's script turns them into steps; without it, and on paper, all of them are visible.
    """
    steps: list[str] = []
    listed = [*states]
    befores = [None, *listed]
    shown = [picture(state, before, seat=seat) for state, before in zip(listed, befores, strict=False)]
    drawn = drawings(listed[0], shown) if listed else []
    for number, state in enumerate(listed):
        before = befores[number]
        if before is not None:
            said = describe(before, state)
        else:
            said = code(str(state.plays[-1])) if state.plays else "the start"
        about = f"<p>{texts[number]}</p>" if number < len(texts) and texts[number] else ""
        steps.append(f'<li value="{number}"><p>{number}. {said}</p>{about}{drawn[number]}</li>')
    wide = " data-wide" if any(int(width) > WIDE for width in _WIDTH.findall("".join(drawn))) else ""
    said = f' role="group" aria-label="{escape(label)}"{wide}{play}'
    return f'<div class="rs-trace"{said}><ol>{"".join(steps)}</ol></div>'


def faults(found: Iterable[Diagnostic]) -> str:
    """Messages as they appear in a terminal."""
    return "\n".join(d.render() for d in found)
