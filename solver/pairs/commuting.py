"""Shows by formulas about any position and its image that the rules commute with symmetries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Leaves, Symmetry
from solver.formulas import TooWide
from solver.formulas.query import ClauseSession

from .agreement import Unanswered, apart_anywhere, apart_at_start
from .correspondence import Correspondence, Incomparable


def _with_image(game: Game, symmetry: Symmetry) -> Correspondence:
    return Correspondence(
        game, game, lambda mine, _: {value: symmetry.one(mine, value) for value in mine.values}
    )


def differences(
    game: Game, symmetry: Symmetry, known: Sequence[n.Expr], budget: Budget, engine: ClauseSession
) -> str:
    """In what a position need not be like its image, in a word or two; empty where it is like it.

    `known` holds in every position that can be reached. OutOfBudget or Unanswered where that was not found
    out, TooWide where formulas do not cover it, Leaves where the symmetry takes a value out of its type.
    """

    def watch() -> None:
        if budget.exhausted:
            raise OutOfBudget(budget.exhausted)

    found = apart_anywhere(_with_image(game, symmetry), engine, lambda: budget.left, known, watch)
    return ", ".join(dict.fromkeys(f"`{d.what}`" if d.what else f"the {d.kind}" for d in found))


def begins_alike(game: Game, symmetry: Symmetry, engine: ClauseSession, left: Callable[[], float]) -> bool:
    """True if formulas show that play begins in images as often; `left` gives the seconds that are left."""
    return not apart_at_start(_with_image(game, symmetry), engine, left)


def commute(game: Game, symmetries: Sequence[Symmetry], seconds: float, engine: ClauseSession) -> bool:
    """True if formulas show within some seconds that the rules commute with symmetries."""
    budget = Budget(seconds)
    try:
        return not any(differences(game, symmetry, (), budget, engine) for symmetry in symmetries)
    except (OutOfBudget, Unanswered, TooWide, Leaves, Incomparable):
        return False
