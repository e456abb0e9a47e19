"""Deciding claims by the states of the game, whatever is asked of them."""

from __future__ import annotations

from dataclasses import replace

from solver.explore import NoRowImage, NotInvariant, NotSymmetric
from solver.explore.state_space import Limits, forget

from . import compared_images, comparisons, expectation, exploration, game_graph
from .problem import Answer, Case

DECIDERS = {
    **exploration.DECIDERS,
    **game_graph.DECIDERS,
    **expectation.DECIDERS,
    **compared_images.DECIDERS,
    "equivalent": comparisons.same_explored,
    "knowable": comparisons.known_explored,
}


def search(case: Case, limits: Limits) -> Answer | None:
    """The answer to a case by exploration; None for a kind of claim that it does not decide.

    Where symmetries turn out not to hold, or what is asked is not the same of images, all states are kept.
    """
    decider = DECIDERS.get(case.claim.kind)
    if decider is None:
        return None
    if "different" in case.claim.options:  # a number that need not be the same of images
        limits = replace(limits, folded=False)
    try:
        return decider(case, limits)
    except (NoRowImage, NotSymmetric, NotInvariant):
        forget()
        return decider(case, replace(limits, folded=False))
