"""Verdicts in one plain sentence each, for players: no stronger than what was shown."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.game import Claim
from ..core.intervals import Estimate, share
from ..core.verdicts import BOUNDED, ESTIMATED, OUTCOMES, PROVED, UNDECIDED, Verdict
from ..core.wording import fraction_of, shortened, spanned
from ..play.face import Game
from . import render
from .claims import of_a_deal
from .page import Links, heading
from .published import Published

SHOWN_BY_A_PLAY = ("reachable", "endless")
"""Kinds of claims that a single play proves."""
IN_EVERY_GAME = (
    "invariant", "unreachable", "never_stuck", "never_faults", "never_falls", "never_hopeless", "knowable",
    "symmetry", "equivalent",
)  # fmt: skip
"""Kinds of claims about all plays, which say nothing more than that when they are proved."""
AS_FAR_AS_A_DEPTH = ("invariant", "unreachable", "never_stuck", "never_faults", "never_falls", "symmetry")
"""Kinds of claims about all plays that may be shown for the first plies only."""


def section(game: Game, published: Published, links: Links) -> Iterator[str]:
    """The claims of a game but its lemmas, each with a sentence on how sure it is, as blocks of a page.

    The evidence is on the page with the exact text.
    """
    core = game.core
    claims = [claim for claim in core.claims.values() if not claim.lemma and not of_a_deal(claim)]
    exact = links.exact(core.id)
    told = [(claim, sentence(published.verdict(core, claim))) for claim in claims]
    if not any(text for _, text in told):
        return
    yield heading(2, "Good to know", "part_known")
    seats = f"with {core.players} players" if core.players > 1 else "for one player"
    trust = f' <a href="{render.escape(links.trust)}">How far to trust this</a>.' if links.trust else ""
    lead = f"These answers are for the game {seats}, with the rules as given above.{trust}"
    address = exact.address if exact is not None else ""
    items = "".join(f"<li>{_told(claim, text, address)}</li>" for claim, text in told if text)
    yield f'<div class="rs-block"><p>{lead}</p><ul class="rs-known">{items}</ul></div>'


def _told(claim: Claim, text: str, address: str) -> str:
    said = render.escape(text)
    if address:
        said = f'<a href="{render.escape(f"{address}#claim-{claim.id}")}">{said}</a>'
    return f"{render.prose(claim.prose)} <em>{said}</em>"


def sentence(verdict: Verdict | None) -> str:
    """The answer of a verdict; empty if it was not checked or is missing."""
    if verdict is None or verdict.outcome not in OUTCOMES:
        return ""
    if verdict.outcome == UNDECIDED:
        return "Not settled."
    plain = "" if verdict.notes else PLAIN.get(verdict.outcome, _as_stated)(verdict)
    return " ".join([plain or verdict.statement, *verdict.warnings])


def _as_stated(verdict: Verdict) -> str:
    """Empty: the statement of the verdict is told as it is."""
    return ""


def _proved(verdict: Verdict) -> str:
    """The answer of a verdict that proves a claim which says something."""
    plies = verdict.numbers.get("plies")
    if verdict.kind == "winnable" and verdict.players > 1:
        return "For each player there is a game that shows it."
    if verdict.kind in SHOWN_BY_A_PLAY or verdict.kind == "winnable":
        return "There is a game that shows it."
    if verdict.kind in IN_EVERY_GAME:
        return "Shown for every possible game."
    if verdict.kind == "terminates" and plies is not None:
        return f"Shown for every possible game: it is over after {plies} actions at most."
    if verdict.kind == "best" and "value" in verdict.numbers:
        return f"It is {verdict.value_text}, shown for every possible game."
    if verdict.kind == "count" and "value" in verdict.numbers:
        return f"There are {verdict.numbers['value']:,}, all counted."
    if verdict.kind == "expected" and "is" in verdict.options:
        return f"It is {shortened(fraction_of(verdict.options['is']))}, worked out exactly."
    if verdict.kind == "every_deal" and "seed" in verdict.numbers:
        return f"The deal of seed {verdict.numbers['seed']} shows it."
    return ""


def _bounded(verdict: Verdict) -> str:
    """The answer of a verdict as far as a depth."""
    plies = verdict.numbers.get("plies", 0)
    if verdict.kind not in AS_FAR_AS_A_DEPTH:
        return ""
    if plies < 1:
        return "Not settled."
    depth = "first action" if plies == 1 else f"first {plies} actions"
    return f"Shown for the {depth} of every game. Beyond that it is not settled."


def _estimated(verdict: Verdict) -> str:
    """The answer of a sample; empty for damaged numbers."""
    if verdict.kind == "share_of_deals":
        return _share_of_deals(verdict)
    data = next((e.data for e in verdict.evidence if e.kind == "sample"), {})
    games, total = data.get("games", 0), data.get("total", 0)
    shares = verdict.options.get("condition") == "truth" and "summed-over" not in verdict.options
    if not shares or not 0 <= total <= games or games < 2:
        return ""
    part = share(total, games)
    return f"In {_percent(part.value, part.low, part.high)} of {games:,} random games."


def _share_of_deals(verdict: Verdict) -> str:
    """The share among the deals of a sample; those that were not decided widen its interval."""
    of, held, failed = (verdict.numbers.get(key, 0) for key in ("deals", "held", "failed"))
    if min(held, failed) < 0 or of < max(2, held + failed) or verdict.options.get("deals", of) != of:
        return ""
    found = _percent(held / of, share(held, of).low, share(of - failed, of).high)
    left = of - held - failed
    unsettled = f" {left:,} of them {'is' if left == 1 else 'are'} not settled." if left else ""
    return f"In {found} of {of:,} deals.{unsettled}"


def _percent(value: float, low: float, high: float) -> str:
    """A share with its interval in percent."""
    return spanned(Estimate(100 * value, 100 * low, 100 * high), "%")


PLAIN = {PROVED: _proved, BOUNDED: _bounded, ESTIMATED: _estimated}
"""The answer for players by outcome; empty where the statement of the verdict is plain enough."""
