"""The answers to a game's claims in one plain sentence each, for players: no stronger than what was
proved."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.game import Claim
from ...core.verdicts import OUTCOMES, Verdict
from ...core.verdicts.wording import parts
from ...play.face import Game
from ..examples import render
from .page import Links, heading
from .published_verdicts import PublishedVerdicts


def section(game: Game, published: PublishedVerdicts, links: Links) -> Iterator[str]:
    """The section that says how sure each claim of a game is, lemmas excepted, as blocks of a page.

    The evidence is on the page with the exact text.
    """
    core = game.core
    claims = [claim for claim in core.claims.values() if not claim.lemma and not claim.is_of_one_deal]
    verdicts = [(claim, published.verdict(core, claim)) for claim in claims]
    exact = links.exact(core.id)
    address = exact.address if exact is not None else ""
    settled = ((claim, v) for claim, v in verdicts if v is not None and v.outcome in OUTCOMES)
    items = [f"<li>{_item(claim, verdict, address)}</li>" for claim, verdict in settled]
    if not items:
        return
    yield heading(2, "Good to know", "part_known")
    seats = f"with {core.players} players" if core.players > 1 else "for one player"
    trust = f' <a href="{render.escape(links.trust)}">How far to trust this</a>.' if links.trust else ""
    lead = f"These answers are for the game {seats}, with the rules as given above.{trust}"
    yield f'<div class="rs-block"><p>{lead}</p><ul class="rs-known">{"".join(items)}</ul></div>'


def _item(claim: Claim, verdict: Verdict, address: str) -> str:
    """A claim with its present answer, linked to its evidence."""
    words, answer = parts(verdict, claim)
    said = render.prose(" ".join([answer, *verdict.warnings]))
    if address:
        said = f'<a href="{render.escape(f"{address}#claim-{claim.id}")}">{said}</a>'
    return f"{render.prose(words)} <em>{said}</em>".strip()
