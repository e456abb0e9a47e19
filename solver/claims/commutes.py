"""Deciding by formulas whether a game has a symmetry: on any position at all, part by part of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Leaves, Symmetry
from rulespec.core.verdicts import PROVED, UNDECIDED
from solver.engines import choose
from solver.formulas import TooWide
from solver.formulas.commuting import Commuting

from .asking import OutOfBudget
from .budget import Budget
from .by_symmetry import NONE_STATED, begins
from .case import Answer, Case, Proof
from .symmetries import generators


def decide(case: Case) -> Answer:
    """The rules commute with each symmetry that is stated, and play begins in images as often."""
    stated = generators([case.claim])
    if not stated:
        return Answer(PROVED, "There is nothing to show.", notes=(NONE_STATED,))
    engine = choose(case.engine)
    try:
        for symmetry in stated:
            failing = unlike_part(case.game, symmetry, case.helpers, case.budget, case.engine, case)
            if failing:
                words = f"Of some position {failing} is not what it is of the image; it may be out of reach."
                return Answer(UNDECIDED, words, engine=engine.name)
    except Leaves as reason:
        return Answer(UNDECIDED, f"Nothing was decided: {reason}.")
    trouble = begins(case, stated)
    if trouble is not None:
        return trouble
    statement = "What the rules say of the image of any position are the images of what they say of it."
    helped = [
        name for name, claim in case.game.claims.items() if any(claim.condition is c for c in case.helpers)
    ]
    text = "No position was found that is unlike its image; play begins in images as often."
    proofs = [Proof("induction", text, {"depth": 1})]
    proofs += [Proof("helper", f"The claim `{name}` is used.", {"claim": name}) for name in helped]
    if helped:
        statement += f" That takes {', '.join(f'`{name}`' for name in helped)} for granted."
    return Answer(PROVED, statement, tuple(proofs), engine.name)


def unlike_part(
    game: Game,
    symmetry: Symmetry,
    known: Sequence[n.Expr],
    budget: Budget,
    engine: str | None = None,
    case: Case | None = None,
) -> str:
    """The first part of the rules that need not commute with a symmetry, in words; empty if all do.

    OutOfBudget where that was not found out; TooWide and Leaves as `Commuting` has them.
    """

    def watch() -> None:
        if budget.exhausted:
            raise OutOfBudget(budget.exhausted)

    asked = Commuting(game, symmetry, known, choose(engine), watch)
    for name, part in asked.parts():
        if case is not None:
            case.progress(f"whether {name} is the same for images")
        watch()
        answer = asked.holds(part, budget.left)
        if answer is None:
            raise OutOfBudget(budget.exhausted or "the engine gave up")
        if not answer:
            return name
    return ""


def commute(game: Game, symmetries: Sequence[Symmetry], seconds: float) -> bool:
    """Whether formulas show within some seconds that the rules commute with symmetries."""
    budget = Budget(seconds)
    try:
        return all(not unlike_part(game, symmetry, (), budget) for symmetry in symmetries)
    except (OutOfBudget, TooWide, Leaves):
        return False
