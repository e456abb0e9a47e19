"""Counting the answers for many deals, which gives the answer for all of them."""

from __future__ import annotations

from collections import Counter

from rulespec.core.game import Claim
from rulespec.core.verdicts import BOUNDED, ESTIMATED, PROVED, REFUTED
from rulespec.core.verdicts.packed_answers import pack

from .problem import Answer, Proof, no_answer

KIND = "deals"
"""The kind of evidence: the answers."""
YES, NO, OPEN = "yn?"


def answer_by_exception(claim: Claim, seed: int, engine: str) -> Answer:
    """The answer that a claim fails in some deal, with the deal in which it fails."""
    outcome = PROVED if claim.options.get("is") == "no" else REFUTED
    return Answer(outcome, (_proof(claim, NO, seed),), engine, {"seed": seed})


def answer_so_far(claim: Claim, letters: str) -> Answer:
    """The bounded answer for the deals decided so far, one letter each."""
    return Answer(BOUNDED, (_proof(claim, letters),), "search", {"deals": len(letters)})


def estimate_of_share(claim: Claim, letters: str) -> Answer:
    """The estimate for all deals, from answers for the deals of the seeds from 0 on."""
    counts = Counter(letters)
    numbers = {"deals": len(letters), "held": counts[YES], "failed": counts[NO]}
    return Answer(ESTIMATED, (_proof(claim, letters),), "search", numbers)


def answer_of_all_deals(claim: Claim, letters: str, of: int) -> Answer:
    """The answer about all `of` deals, from the answers about the deals numbered from 0."""
    counts = Counter(letters)
    held, failed = counts[YES], counts[NO]
    if not held + failed:
        return no_answer("Nothing was decided: there was no time for a single batch of deals.")
    data = {"claim": claim.options["asks"], "of": of, "packed": pack(letters)}
    numbers = {"deals": of, "held": held, "failed": failed}
    return Answer(PROVED if held + failed == of else BOUNDED, (Proof(KIND, data),), "search", numbers)


def _proof(claim: Claim, letters: str, first: int = 0) -> Proof:
    return Proof(KIND, {"claim": claim.options["asks"], "first": first, "answers": letters})
