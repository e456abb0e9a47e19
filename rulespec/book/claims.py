"""Claims and verdicts as parts of a page: what was decided, on what, and under which settings."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..core.diagnostics import Diagnostic, Label, RulesetError
from ..core.game import Claim, Ruling
from ..core.verdicts import (
    BOUNDED,
    ESTIMATED,
    PROVED,
    REFUTED,
    UNDECIDED,
    Evidence,
    Store,
    Verdict,
    parameters_of,
)
from ..play.face import Game
from ..play.records import read_record, replay
from . import render
from .fences import settled

WORDS = {
    PROVED: "proved",
    REFUTED: "refuted",
    BOUNDED: "as far as was looked",
    ESTIMATED: "estimated",
    UNDECIDED: "undecided",
}
"""How a page says each outcome."""

MOST_STEPS = 400
"""The longest play that a page draws; a longer one is listed."""


def section(game: Game, store: Store, faults: list[Diagnostic]) -> Iterator[str]:
    """The claims of a game with their verdicts, as blocks of a page.

    A verdict that is stale, or that refutes a claim under the settings of this page, is a fault.
    """
    core = game.core
    if not core.claims:
        return
    yield "## Claims {#claims}"
    for claim in core.claims.values():
        faults += faults_of(game, store, claim)
        verdict = store.current(core, claim)
        parts = [f"<p>{render.prose(claim.prose)}</p>", _verdict(game, store, verdict, faults)]
        parts.append(_elsewhere(game, store, claim, faults))
        if claim.text:
            parts.append(
                render.details(
                    "Formal text", f"<p>{render.escape(claim.kind)}</p>{render.listing(claim.text)}"
                )
            )
        yield f"### {anchor_words(claim.id)} {{#claim-{claim.id}}}"
        yield f'<div class="rs-claim">{"".join(parts)}</div>'


def anchor_words(name: str) -> str:
    """An id as words of a heading."""
    return name.replace("-", " ").capitalize()


def faults_of(game: Game, store: Store, claim: Claim) -> list[Diagnostic]:
    """What is wrong with the verdict on a claim: it is about another wording, or it says no."""
    stored, current = store.stored(game.core, claim), store.current(game.core, claim)
    labels = (Label(claim.span),) if claim.span else ()
    if stored is not None and current is None:
        message = f"the verdict on `{claim.id}` is stale: the rules or the claim have changed since"
        return [Diagnostic("verdict.stale", message, labels, "prove the claims again", clause=claim.id)]
    if current is not None and current.outcome == REFUTED:
        message = f"the claim `{claim.id}` does not hold: {current.statement}"
        return [Diagnostic("verdict.refuted", message, labels, clause=claim.id)]
    return []


def badge(outcome: str | None) -> str:
    """An outcome as a marked word; none is what was never asked."""
    words = WORDS[outcome] if outcome else "not decided yet"
    return f'<span class="rs-verdict rs-{outcome or "open"}">{words}</span>'


def _verdict(game: Game, store: Store, verdict: Verdict | None, faults: list[Diagnostic]) -> str:
    if verdict is None:
        return f"<p>{badge(None)}</p>"
    rests = "".join(f"<li>{render.prose(e.text)}</li>" for e in verdict.evidence)
    notes = "".join(f'<p class="rs-note">{render.prose(note)}</p>' for note in verdict.notes)
    said = f"<p>{badge(verdict.outcome)} {render.prose(verdict.statement)}</p>"
    by = f'<p class="rs-by">{render.escape(verdict.engine)}, {verdict.seconds:.1f} s</p>'
    plays = "".join(_play(game, store, e, faults) for e in verdict.evidence if e.kind == "play")
    return f'{said}<ul class="rs-evidence">{rests}</ul>{notes}{by}{plays}'


def _play(game: Game, store: Store, evidence: Evidence, faults: list[Diagnostic]) -> str:
    data = store.records.get(str(evidence.data.get("record", "")))
    if data is None:
        return ""
    try:
        states = list(replay(read_record(json.dumps(data), "the stored play"), game))
    except RulesetError as error:
        faults.extend(error.diagnostics)
        return f'<pre class="rs-failed">{render.escape(render.faults(error.diagnostics))}</pre>'
    if len(states) > MOST_STEPS or not game.core.diagram:
        listed = "".join(f"<li>{render.code(str(action))}</li>" for action in states[-1].plays)
        return render.details(f"The play, {len(states) - 1} actions", f"<ol>{listed}</ol>")
    return render.details(f"Step through the play, {len(states) - 1} actions", render.trace(states, "A play"))


def _elsewhere(game: Game, store: Store, claim: Claim, faults: list[Diagnostic]) -> str:
    """The verdicts on a claim under other settings, as a table; a stale one is a fault."""
    here = store.stored(game.core, claim)
    rows = []
    for verdict in store.of_claim(game.core.id, claim.id):
        if here is not None and verdict.key == here.key:
            continue
        if is_stale(game, verdict):
            message = f"the verdict on `{claim.id}` under {_setting(verdict)} is stale"
            labels = (Label(claim.span),) if claim.span else ()
            faults.append(
                Diagnostic("verdict.stale", message, labels, "prove the claims again", clause=claim.id)
            )
            continue
        rows.append(
            f"<tr><td>{render.escape(_setting(verdict))}</td><td>{badge(verdict.outcome)}</td>"
            f"<td>{render.prose(verdict.statement)}</td></tr>"
        )
    if not rows:
        return ""
    head = "<tr><th>where</th><th>verdict</th><th>which says</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    where = "one other setting" if len(rows) == 1 else f"{len(rows)} other settings"
    return render.details(f"Under {where}", f'<div class="rs-table">{table}</div>')


def is_stale(game: Game, verdict: Verdict) -> bool:
    """Whether a verdict under other settings is about rules that have changed since."""
    try:
        other = settled(
            game.name,
            verdict.players,
            tuple(sorted(verdict.parameters.items())),
            tuple(sorted(verdict.readings.items())),
        )
    except RulesetError:
        return True
    claim = other.core.claims.get(verdict.claim)
    return claim is None or not verdict.is_about(other.core, claim)


def _setting(verdict: Verdict) -> str:
    said = [f"{name}: {value}" for name, value in [*verdict.parameters.items(), *verdict.readings.items()]]
    return ", ".join(said) or "the defaults"


def by_reading(game: Game, store: Store, ruling: Ruling) -> str:
    """How each claim stands under each reading of a ruling, everything else as on this page."""
    core = game.core
    asked = {
        r.id: r.chosen for r in core.rulings.values() if r.chosen != r.readings[0].id and r.id != ruling.id
    }
    found: dict[str, dict[str, Verdict]] = {}
    for claim in core.claims:
        for verdict in store.of_claim(core.id, claim):
            readings = {name: value for name, value in verdict.readings.items() if name != ruling.id}
            if readings == asked and _same_numbers(game, verdict):
                found.setdefault(claim, {})[verdict.readings.get(ruling.id, ruling.readings[0].id)] = verdict
    told = {claim: row for claim, row in found.items() if len(row) > 1}
    if not told:
        return ""
    head = "".join(
        f'<th><a href="#claim-{render.escape(claim)}">{render.escape(claim)}</a></th>' for claim in told
    )
    rows = "".join(
        f"<tr><td>{render.code(reading.id)}</td>"
        + "".join(
            f"<td>{badge(row[reading.id].outcome if reading.id in row else None)}</td>"
            for row in told.values()
        )
        + "</tr>"
        for reading in ruling.readings
        if reading.modelled
    )
    head = f"<tr><th>read as</th>{head}</tr>"
    return f'<div class="rs-table"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>'


def _same_numbers(game: Game, verdict: Verdict) -> bool:
    return dict(verdict.parameters) == parameters_of(game.core) and verdict.players == game.core.players
