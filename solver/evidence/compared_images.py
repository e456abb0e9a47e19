"""Deciding whether a game has a symmetry, by comparing every state that can be reached with its image."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.code import TooLarge
from rulespec.core.symmetry import Symmetry
from rulespec.core.verdicts import PROVED, REFUTED
from solver.explore import CodeStates, NoRowImage, NotSymmetric
from solver.explore.state_space import Limits, tools_for
from solver.pairs.images import generators

from .positions import Positions
from .problem import Answer, Case, Proof, undecided

MOST_STARTS = 1_000_000
"""The most ways in which play begins that are compared with their images."""


def nothing_stated() -> Answer:
    """The answer to a claim that moves nothing under its settings."""
    return Answer(PROVED, (Proof("induction", {"depth": 1}),), notes=("moves-nothing",))


def explore(case: Case, limits: Limits) -> Answer | None:
    """Compares the successors of images with the images of successors, and the start and the outcomes."""

    def compare(states: CodeStates) -> Answer:
        seen = Positions(case, limits, states=states)
        seen.all()
        states.folding.compare_ends()
        return seen.counted(PROVED, {}) if seen.exhaustive else seen.bounded()

    stated = generators([case.claim])
    return _beside_images(case, limits, stated, compare) if stated else nothing_stated()


def begins(case: Case, stated: Sequence[Symmetry], shown: Callable[[Symmetry], bool]) -> Answer | None:
    """The answer if play does not begin in images as often, or that was not found out; None where it does.

    Where there are more ways to begin than are gone through, `shown` is asked.
    """

    def compare(states: CodeStates) -> Answer | None:
        if states.deeper(lambda: case.budget.exhausted, MOST_STARTS) or all(map(shown, stated)):
            return None
        return undecided(f"Whether play begins in images as often: {states.stopped}.")

    return _beside_images(case, Limits(case.budget.left, MOST_STARTS), stated, compare)


def _beside_images(
    case: Case, limits: Limits, stated: Sequence[Symmetry], compare: Callable[[CodeStates], Answer | None]
) -> Answer | None:
    """The answer of states that are compared with their images as they are found."""
    elements, tools = [stated[0].still, *stated], tools_for(limits)
    try:
        states = CodeStates(case.game, None, case.chance, tools, symmetries=elements, watches=True)
        return compare(states)
    except NotSymmetric as unlike:
        return Positions(case, limits, states=states).settled_at(unlike.number, REFUTED)
    except (TooLarge, NoRowImage) as reason:
        return undecided(f"Nothing was decided: {reason}.")
