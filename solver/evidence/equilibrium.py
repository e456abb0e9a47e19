"""The value of best play where players know different things: strategies held against every reply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from rulespec.core.evaluate import evaluate
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from solver.explore.chance_outcomes import TooManyOutcomes
from solver.explore.sequence_form import GameTree, NoGameValue, Plan, TooLargeTree

from .positions import as_claimed
from .problem import Answer, Case, Proof

MOST_WORDS = 60
"""The most choices of strategies that evidence has in words."""


class Unsound(ValueError):
    """Strategies do not show a value; the text gives the reason."""


def tree_of(case: Case, seconds: float) -> GameTree:
    """All plays of a case's game, worth what its claim says to player 1. Raises OutOfBudget, Unsound."""
    machine, asked, sign = Machine(case.game), case.condition, _sign(case)

    def payoff(position: Position) -> int:
        return sign * (evaluate(asked, {}, machine.situation(position)) or 0)

    summed, pause = "summed-over" in case.claim.options, case.budget.part(1.0, seconds).check
    try:
        return GameTree(case.game, payoff, summed, pause)
    except (TooLargeTree, TooManyOutcomes, NoGameValue) as trouble:
        raise Unsound(str(trouble)) from None


def shown_by(case: Case, tree: GameTree, plans: tuple[Plan, Plan]) -> Answer:
    """The answer that a strategy for each player gives: neither can do better. Raises Unsound."""
    if not (tree.sound(0, plans[0]) and tree.sound(1, plans[1])):
        raise Unsound("its strategies are none of this game")
    low, high = tree.despite(plans[0]), tree.against(plans[1])
    if low != high:
        raise Unsound("its strategies do not come to that")
    value = _sign(case) * low
    listed = [[str(plan[s]) for s in sorted(plan)] for plan in plans]
    data = {"is": str(value), "plans": listed, "choices": [*_words(tree, plans)]}
    proofs = (Proof("strategies", data),)
    return Answer(as_claimed(case, value), proofs, "interpreter", {"states": tree.nodes})


def held(case: Case, seconds: float, data: Mapping[str, Any]) -> Answer:
    """The answer that stored strategies give. Raises Unsound, OutOfBudget."""
    tree = tree_of(case, seconds)
    try:
        value = Fraction(str(data["is"]))
        mine, theirs = ({s: Fraction(str(x)) for s, x in enumerate(listed)} for listed in data["plans"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise Unsound("its strategies are damaged") from None
    answer = shown_by(case, tree, (mine, theirs))
    if Fraction(answer.proofs[0].data["is"]) != value:
        raise Unsound("its strategies do not come to that")
    return answer


def _sign(case: Case) -> int:
    return 1 if case.claim.options.get("wants", "most") == "most" else -1


def _words(tree: GameTree, plans: tuple[Plan, Plan]) -> Iterator[str]:
    """Strategies in words: the probability of each action of each player, by what the player knows."""
    choices = []
    for number, (player, plan) in enumerate(zip(tree.players, plans, strict=False), 1):
        for info in tree.sides[player].information_sets.values():
            if (before := plan[info.before]) and len(info.moves) > 1:
                shares = ((m, plan[s] / before) for m, s in zip(info.moves, info.sequences, strict=True))
                actions = ", ".join(f"{move.action} {share}" for move, share in shares if share)
                choices.append(f"player {number} ({', '.join(info.words)}): {actions}")
    yield from choices[:MOST_WORDS]
    if len(choices) > MOST_WORDS:
        yield f"and {len(choices) - MOST_WORDS} more"
