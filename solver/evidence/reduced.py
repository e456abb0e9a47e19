"""Cases about games that were made of others; see `solver.reductions`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from solver.reductions import dropped_variables
from solver.reductions import remembering as memory

from .problem import Case


def remembering(case: Case) -> Case:
    """The case of an invariant that says the same as a case that numbers never fall."""
    game, claim = memory.remembering(case.game, case.claim)
    return replace(case, game=game, claim=claim)


def eased(case: Case, names: Iterable[str]) -> Case | None:
    """The case that an easier game does not reach a goal, nor then the game; None where variables matter.

    What always holds in the game need not hold in an easier one, so nothing helps there.
    """
    made = dropped_variables.eased(case.game, case.condition, names)
    if made is None:
        return None
    game, goal = made
    return replace(case, game=game, claim=replace(case.claim, condition=goal), settled={})
