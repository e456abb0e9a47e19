"""The value of best play if players know different things: strategies checked against every reply."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulespec.solver.explore.sequence_form import GameTree, NoGameValue, Plan, tree_worth

from .positions import as_claimed
from .problem import Answer, Case, Proof

MOST_WORDS = 60
"""Maximum number of choices that evidence describes in words."""


def tree_of(case: Case, seconds: float) -> GameTree:
    """All plays of a case's game, with the claim's payoff for player 1. Raises OutOfBudget, NoGameValue."""
    summed, pause = "summed-over" in case.claim.options, case.budget.part(1.0, seconds).check
    return tree_worth(case.game, case.condition, _sign(case), summed, pause)


def answer_by_strategies(case: Case, tree: GameTree, plans: tuple[Plan, Plan]) -> Answer:
    """The answer that two strategies give if neither player can improve. Raises NoGameValue."""
    value, words = _sign(case) * tree.value(plans), [*tree.words(plans)]
    listed = [[str(plan[s]) for s in sorted(plan)] for plan in plans]
    more = [f"and {len(words) - MOST_WORDS} more"] if len(words) > MOST_WORDS else []
    data = {"is": str(value), "plans": listed, "choices": words[:MOST_WORDS] + more}
    proofs = (Proof("strategies", data),)
    return Answer(as_claimed(case, value), proofs, "interpreter", {"states": tree.nodes})


def answer_by_stored_strategies(case: Case, seconds: float, data: Mapping[str, Any]) -> Answer:
    """The answer that stored strategies give. Raises NoGameValue, OutOfBudget."""
    tree = tree_of(case, seconds)
    try:
        mine, theirs = ({s: Fraction(str(x)) for s, x in enumerate(listed)} for listed in data["plans"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise NoGameValue("its strategies are damaged") from None
    return answer_by_strategies(case, tree, (mine, theirs))


def _sign(case: Case) -> int:
    return 1 if case.claim.options.get("wants", "most") == "most" else -1
