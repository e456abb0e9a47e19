"""Deciding what is expected where players know different things: a best strategy for each, both checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rulespec.core.evaluate import evaluate
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from solver.explore.chance_outcomes import TooManyOutcomes
from solver.explore.graph import Graph
from solver.explore.sequence_form import GameTree, NoGameValue, Plan, PlayerSequences, TooLargeTree
from solver.explore.state_space import Limits

from .positions import explored
from .problem import Answer, Case, Proof, undecided

ROUND = 0.3
"""The share of the time for testing that positions can recur."""
MOST_TOLD = 60
"""So many choices of a strategy are told in words."""


class OutOfTime(Exception):
    """The budget ran out; says which."""


def tree_of(case: Case, limits: Limits) -> GameTree:
    """All plays of a case's game, worth what its claim says."""
    machine, asked = Machine(case.game), case.condition
    budget = case.budget.part(1.0, limits.seconds)

    def payoff(position: Position) -> int:
        return evaluate(asked, {}, machine.situation(position)) or 0

    def pause() -> None:
        if spent := budget.exhausted:
            raise OutOfTime(spent)

    sign, summed = _sign(case), "summed-over" in case.claim.options
    return GameTree(case.game, lambda p: sign * payoff(p), summed, pause)


def _goes_round(case: Case, limits: Limits) -> bool:
    """True if a look at every position shows that one can recur; False also if the look was not complete."""
    look = explored(case, replace(limits, seconds=ROUND * min(limits.seconds, case.budget.left)), ways=True)
    if not look.all():
        return False
    graph = Graph(look.states)
    return len(graph.terminating()[0]) < graph.count


def equilibrium(case: Case, limits: Limits) -> Answer:
    """What best play comes to when players know only what is shown: found, then checked from both sides."""
    if case.game.players > 2:
        return undecided("With more than two players nothing is best for all.", final=True)
    if _goes_round(case, limits):
        words = "a position can come back, so plays need not end, and best play may have no value"
        return undecided(f"Nothing was decided: {words}.", final=True)
    try:
        tree = tree_of(case, limits)
        plans = tree.solve()
    except (TooLargeTree, TooManyOutcomes, NoGameValue) as trouble:
        return undecided(f"Nothing was decided: {trouble}.")
    except OutOfTime as out:
        return undecided(f"Nothing was decided: not every play was followed ({out}).")
    low, high = tree.despite(plans[0]), tree.against(plans[1])
    if low != high:
        raise AssertionError(f"strategies that are not best: {low} and {high}")
    return _answer(case, tree, plans, _sign(case) * low)


def _answer(case: Case, tree: GameTree, plans: tuple[Plan, Plan], found: Fraction) -> Answer:
    """The answer that optimal strategies with this value give."""
    listed = [[str(plan[s]) for s in sorted(plan)] for plan in plans]
    data = {"is": str(found), "plans": listed, "choices": [*told(tree, plans)]}
    proof = Proof("strategies", data)
    return Answer(_outcome(case, found), (proof,), "interpreter", {"states": tree.nodes})


def told(tree: GameTree, plans: tuple[Plan, Plan]) -> Iterator[str]:
    """Strategies in words: with what probability each player takes each action, by what the player knows."""
    sides = [tree.sides[player] for player in tree.players]
    choices = [text for number, side in enumerate(sides) for text in _choices(number, side, plans[number])]
    yield from choices[:MOST_TOLD]
    if len(choices) > MOST_TOLD:
        yield f"and {len(choices) - MOST_TOLD} more"


def _choices(number: int, side: PlayerSequences, plan: Plan) -> Iterator[str]:
    for info in side.information_sets.values():
        before = plan[info.before]
        if not before or len(info.moves) < 2:
            continue
        shares = ((m, plan[s] / before) for m, s in zip(info.moves, info.sequences, strict=True))
        words = ", ".join(f"{move.action} {share}" for move, share in shares if share)
        yield f"player {number + 1} ({', '.join(info.words)}): {words}"


class Unsound(ValueError):
    """Stored strategies do not prove their verdict; the text gives the reason."""


def held(case: Case, limits: Limits, data: Mapping[str, Any]) -> Answer:
    """The answer that stored strategies give after a check against every reply. Raises Unsound, OutOfTime."""
    try:
        tree = tree_of(case, limits)
    except (TooLargeTree, TooManyOutcomes, NoGameValue) as trouble:
        raise Unsound(f"no strategies can show it: {trouble}") from None
    try:
        value = Fraction(str(data["is"]))
        mine, theirs = ({s: Fraction(str(x)) for s, x in enumerate(listed)} for listed in data["plans"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise Unsound("its strategies are damaged") from None
    if not (tree.sound(0, mine) and tree.sound(1, theirs)):
        raise Unsound("its strategies are none of this game")
    if not tree.despite(mine) == tree.against(theirs) == _sign(case) * value:
        raise Unsound("its strategies do not come to that")
    return _answer(case, tree, (mine, theirs), value)


def _sign(case: Case) -> int:
    return 1 if case.claim.options.get("wants", "most") == "most" else -1


def _outcome(case: Case, found: Fraction) -> str:
    wanted = case.claim.options.get("is")
    return PROVED if wanted is None or Fraction(str(wanted)) == found else REFUTED
