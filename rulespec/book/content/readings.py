"""Claims under other settings as parts of a page: tables by reading, and the effect of each ruling on a
claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...core.diagnostics import Diagnostic, Label
from ...core.game import Claim, Ruling
from ...core.verdicts import (
    BOUNDED,
    ESTIMATED,
    PROVED,
    REFUTED,
    UNCHECKED,
    UNDECIDED,
    Store,
    Verdict,
    parameters_of,
)
from ...core.verdicts.ruling_effects import RulingEffect
from ...play import contrasts
from ...play.consequences import Consequences, consequences, is_stale
from ...play.face import Game
from ..examples import render
from .published_verdicts import RELEASED, PublishedVerdicts, mark_of

WORDS = {
    PROVED: "proved",
    REFUTED: "refuted",
    BOUNDED: "as far as was looked",
    ESTIMATED: "estimated",
    UNDECIDED: "undecided",
    UNCHECKED: "not checked here",
    RELEASED: "shown by the release",
}
"""The words for each mark of a verdict: its outcome, or that only the release checked it."""

MOST_ROWS = 12
"""With verdicts under more other settings than this, a page summarises them and only lists settings."""


def badge(mark: str | None) -> str:
    """A mark (see `mark_of`) as a coloured word; None for a claim that was never decided."""
    words = WORDS[mark] if mark else "not decided yet"
    return f'<span class="rs-verdict rs-{mark or "open"}">{words}</span>'


def elsewhere(game: Game, published: PublishedVerdicts, claim: Claim, faults: list[Diagnostic]) -> str:
    """The verdicts on a claim under other settings, as HTML; stale verdicts are added to `faults`."""
    store = published.store
    here = store.verdict_for(game.core, claim)
    fresh = []
    for verdict in store.of_claim(game.core.id, claim.id):
        if here is not None and verdict.key == here.key:
            continue
        if verdict.subject not in published.current and is_stale(game, verdict):
            faults.append(_stale(game, claim, verdict))
        else:
            fresh.append(verdict)
    published.current.keep(v.subject for v in fresh)
    others = [published.redact(verdict) for verdict in fresh]
    if not others:
        return ""
    where = "one other setting" if len(others) == 1 else f"{len(others)} other settings"
    now = published.verdict(game.core, claim)
    every = [*others, *([now] if now else ())]
    if len(others) <= MOST_ROWS:
        shown = _plays(contrasts.effects(game, store, every))
        return render.details(f"Under {where}", _verdict_table(game, others) + shown)
    effects = _effects(game, store, every)
    counted = Counter(map(mark_of, others))
    told = ", ".join(f"{count} {badge(mark)}" for mark, count in counted.most_common())
    listed = "".join(_settings_of(game, mark, others) for mark in counted)
    return f"<p>Under {where}: {told}.</p>{effects}{render.details('All of them', listed)}"


def _stale(game: Game, claim: Claim, verdict: Verdict) -> Diagnostic:
    message = f"the verdict on `{claim.id}` under {_setting(game, verdict)} is stale"
    labels = (Label(claim.span),) if claim.span else ()
    return Diagnostic(
        "verdict.stale", message, labels, "`rulespec book --prove` decides it again", clause=claim.id
    )


def _verdict_table(game: Game, verdicts: Iterable[Verdict]) -> str:
    """The HTML table of verdicts by setting."""
    rows = "".join(
        f"<tr><td>{render.escape(_setting(game, v))}</td><td>{badge(mark_of(v))}</td>"
        f"<td>{render.prose(v.statement)}</td></tr>"
        for v in verdicts
    )
    head = "<tr><th>where</th><th>verdict</th><th>statement</th></tr>"
    return f'<div class="rs-table"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


def _settings_of(game: Game, mark: str, verdicts: Iterable[Verdict]) -> str:
    listed = "".join(f"<li>{render.escape(_setting(game, v))}</li>" for v in verdicts if mark_of(v) == mark)
    return f'<p>{badge(mark)}</p><ul class="rs-settings">{listed}</ul>'


def _effects(game: Game, store: Store, verdicts: Sequence[Verdict]) -> str:
    """The effect of each ruling on a claim: the outcome under each reading, and whether it ever matters."""
    found = [*contrasts.effects(game, store, verdicts)]
    if not found:
        return ""
    rows = "".join(_effect(effect, game.core.rulings[effect.ruling]) for effect, _ in found)
    head = "<tr><th>ruling</th><th>each reading, all else as here</th><th>changes the answer</th></tr>"
    shown = f'<div class="rs-table"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
    return shown + _plays(found)


def _plays(found: Iterable[tuple[RulingEffect, contrasts.ContrastingPlay | None]]) -> str:
    """For each ruling that changes the answer, the play that shows it, and its result under other
    readings."""
    told = [f"<li>{render.prose(str(play))}</li>" for _, play in found if play is not None]
    return f'<ul class="rs-evidence">{"".join(told)}</ul>' if told else ""


def _effect(effect: RulingEffect, ruling: Ruling) -> str:
    name = render.escape(effect.ruling)
    asked = [reading.id for reading in ruling.readings if reading.id in effect.alone]
    told = ((render.code(reading), in_short(effect.alone[reading])) for reading in asked)
    alone = " ".join(f'<span class="rs-pair">{reading} {short}</span>' for reading, short in told)
    changes = {True: "yes", False: "never", None: "not known"}[effect.changes]
    return f'<tr><td><a href="#{name}">{name}</a></td><td>{alone}</td><td>{changes}</td></tr>'


def in_short(verdict: Verdict | None) -> str:
    """The badge of an outcome, followed by the value of the verdict if it has one."""
    if verdict is None:
        return badge(None)
    return f"{badge(mark_of(verdict))} {render.escape(verdict.value_text)}".rstrip()


def _setting(game: Game, verdict: Verdict) -> str:
    """The players, parameters and readings of a verdict in words, or `the defaults`."""
    said = [f"{name}: {value}" for name, value in [*verdict.parameters.items(), *verdict.readings.items()]]
    if verdict.players != game.core.players:
        said = [f"{verdict.players} players", *said]
    return ", ".join(said) or "the defaults"


def consequences_of(game: Game, published: PublishedVerdicts, ruling: Ruling) -> dict[str, Consequences]:
    """The consequences of each reading of a ruling except the chosen one."""

    def is_current(verdict: Verdict) -> bool:
        if verdict.subject in published.current or not is_stale(game, verdict):
            published.current.keep([verdict.subject])
            return True
        return False

    found = consequences(game, published.store, published.checked, ruling, is_current)
    return {one.reading: one for one in found}


def by_reading(game: Game, published: PublishedVerdicts, ruling: Ruling) -> dict[str, dict[str, Verdict]]:
    """Verdicts by claim and reading of a ruling, with the other settings as on this page.

    Only claims with verdicts under several readings are listed.
    """
    core = game.core
    others = (r for r in core.rulings.values() if r.id != ruling.id)
    asked = {r.id: r.chosen for r in others if r.chosen != r.readings[0].id}
    found: dict[str, dict[str, Verdict]] = {}
    for claim in core.claims:
        for verdict in published.store.of_claim(core.id, claim):
            readings = {name: value for name, value in verdict.readings.items() if name != ruling.id}
            if readings == asked and _same_numbers(game, verdict):
                reading = verdict.readings.get(ruling.id, ruling.readings[0].id)
                found.setdefault(claim, {})[reading] = published.redact(verdict)
    return {claim: row for claim, row in found.items() if len(row) > 1}


def _same_numbers(game: Game, verdict: Verdict) -> bool:
    return dict(verdict.parameters) == parameters_of(game.core) and verdict.players == game.core.players
