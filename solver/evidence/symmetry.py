"""Deciding by formulas whether a game has a symmetry: any position is put beside its image."""

from __future__ import annotations

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.symmetry import Leaves, Symmetry
from rulespec.core.verdicts import PROVED
from solver.pairs import Incomparable
from solver.pairs.agreement import Unanswered
from solver.pairs.commuting import begins_alike, differences
from solver.pairs.images import generators

from .compared_images import begins, nothing_stated
from .problem import Answer, Case, Proof, helper_proofs, undecided


def decide(case: Case) -> Answer:
    """The rules commute with each symmetry that is stated, and play begins in images as often.

    What other claims say of every position is taken for granted only where it is needed.
    """
    stated = generators([case.claim])
    if not stated:
        return nothing_stated()
    engine, known = case.solver, list[n.Expr]()

    def alike(symmetry: Symmetry) -> bool:
        return begins_alike(case.game, symmetry, engine, lambda: case.budget.left)

    try:
        for symmetry in stated:
            case.progress("positions and their images")
            apart = differences(case.game, symmetry, known, case.budget, engine)
            if apart and not known and case.helpers:
                known = case.helpers
                apart = differences(case.game, symmetry, known, case.budget, engine)
            if apart:
                words = f"Some position need not be like its image (in {apart}); it may be out of reach."
                return undecided(words, engine=engine.name)
        trouble = begins(case, stated, alike)
    except (Leaves, Incomparable) as reason:
        return undecided(f"Nothing was decided: {reason}.")
    except Unanswered:
        raise OutOfBudget(case.ran_out) from None
    if trouble is not None:
        return trouble
    helped = helper_proofs(case, case.helping if known else [])
    return Answer(PROVED, (Proof("induction", {"depth": 1}), *helped), engine.name)
