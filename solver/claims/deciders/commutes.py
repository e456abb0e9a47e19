"""Deciding by formulas whether a game has a symmetry: any position is put beside its image."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Leaves, Symmetry
from rulespec.core.verdicts import PROVED
from solver.engines import choose
from solver.formulas import TooWide
from solver.formulas.query import ClauseSession
from solver.pairs import Correspondence, Incomparable
from solver.pairs.agreement import Unanswered, apart_anywhere, apart_at_start

from ..case import Answer, Case, Proof, helper_proofs, undecided
from ..symmetries import generators
from .by_symmetry import begins, nothing_stated


def decide(case: Case) -> Answer:
    """The rules commute with each symmetry that is stated, and play begins in images as often.

    What other claims say of every position is taken for granted only where it is needed.
    """
    stated = generators([case.claim])
    if not stated:
        return nothing_stated()
    engine, known = case.solver, list[n.Expr]()
    try:
        for symmetry in stated:
            case.progress("positions and their images")
            apart = _unlike(case.game, symmetry, known, case.budget, engine)
            if apart and not known and case.helpers:
                known = case.helpers
                apart = _unlike(case.game, symmetry, known, case.budget, engine)
            if apart:
                words = f"Some position need not be like its image (in {apart}); it may be out of reach."
                return undecided(words, engine=engine.name)
        trouble = begins(case, stated, lambda symmetry: _begins(case, symmetry, engine))
    except (Leaves, Incomparable) as reason:
        return undecided(f"Nothing was decided: {reason}.")
    except Unanswered:
        raise OutOfBudget(case.ran_out) from None
    if trouble is not None:
        return trouble
    helped = helper_proofs(case, case.helping if known else [])
    return Answer(PROVED, (Proof("induction", {"depth": 1}), *helped), engine.name)


def _likeness(game: Game, symmetry: Symmetry) -> Correspondence:
    return Correspondence(
        game, game, lambda mine, _: {value: symmetry.one(mine, value) for value in mine.values}
    )


def _unlike(
    game: Game, symmetry: Symmetry, known: Sequence[n.Expr], budget: Budget, engine: ClauseSession
) -> str:
    """In what a position need not be like its image, in a word or two; empty where it is like it.

    `known` holds in every position that can be reached. OutOfBudget or Unanswered where that was not found
    out, TooWide where formulas do not cover it, Leaves where the symmetry takes a value out of its type.
    """

    def watch() -> None:
        if budget.exhausted:
            raise OutOfBudget(budget.exhausted)

    found = apart_anywhere(_likeness(game, symmetry), engine, lambda: budget.left, known, watch)
    return ", ".join(dict.fromkeys(f"`{d.what}`" if d.what else f"the {d.kind}" for d in found))


def _begins(case: Case, symmetry: Symmetry, engine: ClauseSession) -> bool:
    """Whether formulas show that play begins in images as often."""
    return not apart_at_start(_likeness(case.game, symmetry), engine, lambda: case.budget.left)


def commute(game: Game, symmetries: Sequence[Symmetry], seconds: float) -> bool:
    """Whether formulas show within some seconds that the rules commute with symmetries."""
    budget, engine = Budget(seconds), choose()
    try:
        return not any(_unlike(game, symmetry, (), budget, engine) for symmetry in symmetries)
    except (OutOfBudget, Unanswered, TooWide, Leaves, Incomparable):
        return False
