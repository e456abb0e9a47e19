"""Verdicts in one plain sentence each, for players: no stronger than what was shown."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.game import Claim
from ..core.verdicts import OUTCOMES, PROVED, UNDECIDED, Verdict
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
        return f"Not settled; so far: {verdict.value_text}." if verdict.value_text else "Not settled."
    known = _proved(verdict) if verdict.outcome == PROVED and not verdict.notes else verdict.statement
    return " ".join([known, *verdict.warnings])


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
    return verdict.statement
