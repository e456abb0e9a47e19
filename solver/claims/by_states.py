"""Deciding claims by the states of the game, whatever is asked of them."""

from __future__ import annotations

from . import by_chance, by_search, by_solving
from .case import Answer, Case
from .looking import Limits

DECIDERS = {**by_search.DECIDERS, **by_solving.DECIDERS, **by_chance.DECIDERS}


def search(case: Case, limits: Limits) -> Answer | None:
    """The answer to a case by exploration; None for a kind of claim that it does not decide."""
    decider = DECIDERS.get(case.claim.kind)
    return decider(case, limits) if decider else None
