"""The rulebook of a variant: the differences from the game that it extends, in text and in play."""

from __future__ import annotations

from collections.abc import Iterator

from ...budgets import OutOfBudget
from ...code import TooLarge
from ...core.book import Block
from ...core.game import Game as Core
from ...core.game import Rule, Ruling
from ...core.notation import write
from ...play.face import Game
from ...simulation.figures import Figure, compare_figures, games_in_words
from ...simulation.run import simulate
from ..examples import render
from .chapters import Teller
from .page import Target, heading, title_of

GAMES, PLIES = 500, 1_000
"""Random games of a variant, and as many of its base, for the page of the variant; the plies of each."""
SECONDS = 2.0
"""The time for the games of each of them."""
APART = (
    "Where the intervals do not overlap, the last column says which number is higher. Random play "
    "says little about good play."
)


def differences(game: Game, base: Core, target: Target, teller: Teller) -> Iterator[str]:
    """The chapter on how a variant differs from its base, as blocks of a page; `target` is the base's
    rulebook.

    Rules that both share are links to the base, under the anchors that they have everywhere.
    """
    core = game.core
    yield heading(2, "The differences", "part_changes")
    link = f'<a href="{render.escape(target.address)}">{render.escape(target.title)}</a>'
    settings = "".join(f"<li>{text}</li>" for text in _settings(core, base))
    yield f"<p>Play as in {link}, with these differences.</p>{f'<ul>{settings}</ul>' if settings else ''}"
    before = {rule.id: rule for rule in base.rules}
    changed = [rule for rule in core.rules if _own_words(rule, before.get(rule.id))]
    for rule in changed:
        yield from teller.block(Block(rules=(rule.id,), examples=True))
    gone = [title_of(rule) for rule in base.rules if rule.id not in {r.id for r in core.rules}]
    if gone:
        yield f"<p>Left out: {render.escape(', '.join(gone))}.</p>"
    yield heading(2, "Unchanged rules", "part_same")
    same = [rule for rule in core.rules if rule not in changed]
    listed = "".join(
        f'<li id="{render.escape(rule.id)}">{teller.requirement_anchors(rule)}'
        f'<a href="{render.escape(f"{target.address}#{rule.id}")}">{render.escape(title_of(rule))}</a>'
        f"{_aside(rule, before[rule.id])}</li>"
        for rule in same
    )
    yield f'<ul class="rs-same">{listed}</ul>'


def in_play(game: Game, base: Core) -> Iterator[str]:
    """The chapter that compares random games of a variant with those of its base."""
    try:
        games = Game(base, base.id), game
        before, after = (simulate(one, GAMES, seed=0, limit=PLIES, jobs=1, timeout=SECONDS) for one in games)
    except (OutOfBudget, TooLarge):
        return
    yield heading(2, "What changes in play", "part_games")
    yield f"<p>{games_in_words(before, after)}, each number with its 95% interval. {APART}</p>"
    names = "".join(f'<th colspan="2">{render.escape(found.title)}</th>' for found in (before, after))
    rows = "".join(
        f"<tr><th>{render.escape(one.name)}</th>{_cells(one.before)}{_cells(one.after)}"
        f"<td>{one.direction}</td></tr>"
        for one in compare_figures(before, after)
    )
    table = f"<thead><tr><td></td>{names}<td></td></tr></thead><tbody>{rows}</tbody>"
    yield f'<div class="rs-table"><table class="rs-figures">{table}</table></div>'
    both = ((found.title, note) for found in (before, after) for note in found.notes)
    listed = "".join(f"<li>{render.escape(f'{title}: {note}')}</li>" for title, note in both)
    yield from [f"<ul>{listed}</ul>"] if listed else []


def _cells(figure: Figure | None) -> str:
    if figure is None:
        return "<td></td><td></td>"
    return f"<td>{render.escape(figure.value)}</td><td>{render.escape(figure.interval)}</td>"


def _settings(core: Core, base: Core) -> Iterator[str]:
    """The settings and readings of a variant that differ from those of its base."""
    if core.players != base.players:
        yield f"Players: {core.players} instead of {base.players}."
    for parameter in core.parameters.values():
        other = base.parameters.get(parameter.id)
        now = write(parameter.type, parameter.value)
        if other is None:
            yield f"{render.prose(parameter.prose)} Here: {render.escape(now)}."
        elif (then := write(other.type, other.value)) != now:
            yield f"{render.prose(parameter.prose)} Here it is {render.escape(f'{now} instead of {then}')}."
    for ruling in core.rulings.values():
        old = base.rulings.get(ruling.id)
        if old is not None and old.chosen != ruling.chosen:
            answer = next(r.prose for r in ruling.readings if r.id == ruling.chosen)
            yield f"{render.prose(ruling.question)} {render.prose(answer)}"


def _aside(rule: Rule, other: Rule) -> str:
    """A note on a rule with the same meaning in other formal text."""
    return "" if [*rule.formal] == [*other.formal] else " (its exact text differs)"


def _own_words(rule: Rule, other: Rule | None) -> bool:
    """True if the text of a rule for readers differs from that of another rule."""
    return other is None or (rule.prose, rule.heading, rule.requirements) != (
        other.prose,
        other.heading,
        other.requirements,
    )


def is_another(ruling: Ruling, base: Core) -> bool:
    """True if the base lacks a ruling, or has other words or answers for it."""
    other = base.rulings.get(ruling.id)
    return other is None or (other.question, other.chosen, other.readings) != (
        ruling.question,
        ruling.chosen,
        ruling.readings,
    )
