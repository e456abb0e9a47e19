"""Verdicts on claims about deals from a survey, stored with the other verdicts on the ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulespec.core.game import Game
from rulespec.core.store_file import StoreFile
from rulespec.core.verdicts import Evidence, Verdict
from solver.evidence.deal_counts import KINDS, letter, told
from solver.methods.deals import asked, of_all
from solver.methods.verdicts import blank

from .database import StoredAnswer
from .report import Survey


class NothingToStore(ValueError):
    """No claim of the ruleset is about the survey."""


def store(found: Survey, game: Game, path: Path) -> list[Verdict]:
    """Write what a survey found into the store at a path: a verdict for each claim about a share of the deals
    that asks the survey's claim.

    It tells of the deals of the seeds from 0 on, as many as the claim asks for. NothingToStore where there is
    no such claim, or the survey has no deal of seed 0; StoreError for a damaged store.
    """
    shares = [c for c in game.claims.values() if c.kind == KINDS[0] and not of_all(c)]
    claims = [c for c in shares if asked(game, c).id == found.claim]
    if not claims:
        raise NothingToStore(f"no claim of `{game.id}` asks `{found.claim}` of a share of the deals")
    rows = _from_the_first(found.rows)
    if not rows:
        raise NothingToStore("the survey has no answer for the deal of seed 0")
    verdicts = []
    for claim in claims:
        spoken = rows[: int(claim.options["deals"])]
        answer = told(claim, "".join(letter(row.outcome, row.value is not None) for row in spoken))
        evidence = tuple(Evidence(p.kind, p.data) for p in answer.proofs)
        verdicts.append(blank(game, claim, answer, sum(row.seconds for row in spoken), evidence))
    file = StoreFile(path)
    with file.locked() as kept:
        for verdict in verdicts:
            kept.put(verdict)
        file.write()
    return verdicts


def _from_the_first(rows: Sequence[StoredAnswer]) -> list[StoredAnswer]:
    """The answers for the deals of the seeds 0, 1, 2, ... as far as there are any."""
    by_deal = {row.deal: row for row in rows}
    result: list[StoredAnswer] = []
    while str(len(result)) in by_deal:
        result.append(by_deal[str(len(result))])
    return result
