"""Claims and verdicts as parts of a page: the answers, their evidence, and their settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...core.diagnostics import Diagnostic, Label, RulesetError
from ...core.game import Claim
from ...core.verdicts import REFUTED, UNCHECKED, UNDECIDED, Evidence, Store, Verdict
from ...core.verdicts.wording import parts, sentence
from ...play.examples import changed_parameters, changed_readings
from ...play.face import Game, State
from ...play.records.files import Record, replay
from ..examples import render
from .published_verdicts import PublishedVerdicts, mark_of
from .readings import badge, elsewhere

MOST_STEPS = 400
"""The longest play that a page draws; a longer one is listed."""

WORKED_OUT = ("sense", "asks", "digest")
"""Options that nobody writes: they are derived from the claim."""


@dataclass
class ShownClaims:
    """The links needed for showing claims, and the files that result."""

    address: Callable[[str], str]
    """Gives the address, relative to the page, of a file that belongs to it."""
    trust: str = ""
    """The address of the page about trust in verdicts, if the site has one."""
    faults: list[Diagnostic] = field(default_factory=list)
    records: dict[str, str] = field(default_factory=dict)
    """The plays that are evidence, as records by the names of their files."""
    again: Callable[[Sequence[State]], str] | None = None
    """The attribute of a play in steps, for a button that continues it."""


def section(game: Game, published: PublishedVerdicts, shown: ShownClaims) -> Iterator[str]:
    """The claims of a game with their verdicts, as blocks of a page.

    A verdict that is stale, or that refutes a claim under the settings of this page, is a fault.
    """
    core = game.core
    if not core.claims:
        return
    yield "## Claims {#claims}"
    lemmas = [claim for claim in core.claims.values() if claim.lemma]
    claims = [claim for claim in core.claims.values() if not claim.lemma]
    for claim in (*claims, *lemmas):
        if claim in lemmas[:1]:
            yield "## Lemmas {#lemmas}"
            yield "<p>These claims only help to prove those above.</p>"
        shown.faults += faults_of(game, published, claim)
        verdict = published.verdict(core, claim)
        parts = [f"<p>{render.prose(claim.prose)}</p>"]
        if verdict is None and claim.is_of_one_deal:
            asking = render.code(f"rulespec solve {core.id} --seed 1")
            parts.append(f"<p>Asked of one deal at a time: {asking}</p>")
        else:
            parts.append(_verdict(game, claim, published, verdict, shown))
        parts.append(elsewhere(game, published, claim, shown.faults))
        if claim.text:
            text = f"<p>{render.escape(kind_with_options(claim))}</p>{render.listing(claim.text)}"
            parts.append(render.details("Formal text", text))
        yield f"### {anchor_words(claim.id)} {{#claim-{claim.id}}}"
        yield f'<div class="rs-claim">{"".join(parts)}</div>'


def kind_with_options(claim: Claim) -> str:
    """The kind of a claim, with its options that are words or numbers."""
    told = {k: v for k, v in claim.options.items() if isinstance(v, str | int) and k not in WORKED_OUT}
    kind = str(claim.options.get("sense", claim.kind)).replace("_", "-")
    return ", ".join([kind, *(f"{key}: {value}" for key, value in sorted(told.items()))])


def anchor_words(name: str) -> str:
    """An id as words of a heading."""
    return name.replace("-", " ").capitalize()


def faults_of(game: Game, published: PublishedVerdicts, claim: Claim) -> list[Diagnostic]:
    """A fault if the verdict on a claim is stale, or refutes the claim."""
    store = published.store
    stored, current = store.verdict_for(game.core, claim), store.current(game.core, claim)
    labels = (Label(claim.span),) if claim.span else ()
    if stored is not None and current is None:
        message = f"the verdict on `{claim.id}` is stale: the rules or the claim have changed since"
        return [
            Diagnostic(
                "verdict.stale", message, labels, "`rulespec book --prove` decides it again", clause=claim.id
            )
        ]
    if current is not None and current.outcome == REFUTED:
        checked = published.checked(current) is not None
        message = f"the claim `{claim.id}` does not hold, says a stored verdict that was not checked here"
        if checked:
            message = f"the claim `{claim.id}` does not hold. {sentence(current, claim)}"
        return [Diagnostic("verdict.refuted", message, labels, clause=claim.id)]
    return []


def _verdict(
    game: Game, claim: Claim, published: PublishedVerdicts, verdict: Verdict | None, shown: ShownClaims
) -> str:
    """A verdict in full if it was checked; otherwise a badge only: not checked, or undecided."""
    if verdict is None:
        return f"<p>{badge(None)}</p>"
    if verdict.outcome in (UNDECIDED, UNCHECKED):
        advice = f" Check it: {render.code(f'rulespec recheck {game.core.id}')}"
        return f"<p>{badge(verdict.outcome)}{advice if verdict.outcome == UNCHECKED else ''}</p>"
    rests = "".join(f"<li>{render.prose(text)}</li>" for text in verdict.reasons)
    notes = "".join(f'<p class="rs-note">{render.prose(note)}</p>' for note in verdict.warnings)
    said = f"<p>{badge(mark_of(verdict))} {render.prose(parts(verdict, claim)[1])}</p>"
    how = published.checked(verdict)
    checked = f"Checked: {render.escape(how)}" if how else "Not checked here"
    believe = f' (<a href="{render.escape(shown.trust)}">what you have to believe</a>)' if shown.trust else ""
    by = f'<p class="rs-by">{checked}{believe}</p>'
    told = [e for e in verdict.evidence if e.kind == "play"]
    numbered = ((e, i if len(told) > 1 else 0) for i, e in enumerate(told, 1))
    plays = "".join(_play(game, claim, published.store, e, shown, i) for e, i in numbered)
    return f'{said}<ul class="rs-evidence">{rests}</ul>{notes}{by}{plays}'


def _play(game: Game, claim: Claim, store: Store, evidence: Evidence, shown: ShownClaims, number: int) -> str:
    """A play that is evidence; `number` counts several plays from 1 and is 0 for a single one."""
    data = store.records.get(str(evidence.data.get("record", "")), {})
    core = game.core
    plays, chance = (tuple(map(str, data.get(key, ()))) for key in ("plays", "chance"))
    kept = Record(
        game.name, core.digest, core.players, plays, chance, changed_parameters(game), changed_readings(game)
    )
    try:
        states = list(replay(kept, game))
    except RulesetError as error:
        whose = f"the play for `{claim.id}` of `{core.id}`"
        shown.faults += [replace(d, message=f"{whose}: {d.message}") for d in error.diagnostics]
        return f'<pre class="rs-failed">{render.escape(render.faults(error.diagnostics))}</pre>'
    name = ".".join([core.id, claim.id, *([str(number)] if number else []), "json"])  # no id has a dot
    which = f"play {number}" if number else "the play"
    shown.records[name] = replace(states[-1].record(), ruleset=core.id).to_json()
    address = render.escape(shown.address(name))
    anchor = f'<a href="{address}" download>The record</a>'
    link = f'<p class="rs-by">{anchor} of this play, for {render.code("rulespec replay")}.</p>'
    if len(states) > MOST_STEPS or not core.diagram:
        listed = "".join(f"<li>{render.code(str(action))}</li>" for action in states[-1].plays)
        return render.details(f"{which.capitalize()}, {len(states) - 1} actions", f"<ol>{listed}</ol>{link}")
    steps = render.trace(states, "A play", play=shown.again(states) if shown.again is not None else "")
    return render.details(f"Step through {which}, {len(states) - 1} actions", steps + link)
