"""Strategies for best play: by search with full information, otherwise by linear programming."""

from __future__ import annotations

from dataclasses import replace

from rulespec.budgets import OutOfBudget
from rulespec.core.sides import UNLIKE, no_contest, sides
from rulespec.solver.evidence import equilibrium, exploration, game_value
from rulespec.solver.evidence.positions import Positions, needs_strategies
from rulespec.solver.evidence.problem import Answer, Case, no_answer
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.sequence_form import NoGameValue
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.explore.states import NoValue

ROUND = 0.3
"""The share of the time for testing whether positions can recur."""
MOST_CHOICES = 400_000
"""Maximum number of choices of a recorded strategy."""


def search(case: Case) -> Answer:
    """The answer that a search gives within the budget of a case."""
    try:
        return game_value.answer(case, game_value.best_play(case).bounds())
    except NoValue as why:
        return no_answer(
            f"Nothing was decided: {why}.", f"Best play was not searched for with memory: {why}."
        )


def strategies(case: Case, low: int, high: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Strategies that prove that the value lies between two numbers; see `BestPlay.strategies`."""
    return game_value.best_play(case).strategies(low, high, MOST_CHOICES)


def explore_or_solve(case: Case, limits: Limits) -> Answer | None:
    """The answer by all positions, or by strategies if players know different things."""
    return equilibria(case, limits) if needs_strategies(case) else exploration.explore(case, limits)


def equilibria(case: Case, limits: Limits) -> Answer:
    """The answer that best strategies give for players who know only their observations."""
    if why := no_contest(case.game) or (UNLIKE if case.game.players > len(sides(case.game)) else ""):
        return no_answer(f"Nothing was decided: {why}.", final=True)
    if _recurs(case, limits):
        words = "a position can come back, so plays need not end, and best play may have no value"
        return no_answer(f"Nothing was decided: {words}.", final=True)
    try:
        tree = equilibrium.tree_of(case, limits.seconds)
        plans = tree.solve()
    except NoGameValue as trouble:
        return no_answer(f"Nothing was decided: {trouble}.")
    except OutOfBudget as out:
        return no_answer(f"Nothing was decided: not every play was followed ({out}).")
    return equilibrium.answer_by_strategies(case, tree, plans)


def _recurs(case: Case, limits: Limits) -> bool:
    """True if an exploration proves that a position can recur; False also if it was not exhaustive."""
    seconds = ROUND * min(limits.seconds, case.budget.seconds_left)
    seen = Positions(case, replace(limits, seconds=seconds), ways=True)
    if not seen.all():
        return False
    graph = Graph(seen.states)
    return len(graph.terminating()[0]) < graph.count
