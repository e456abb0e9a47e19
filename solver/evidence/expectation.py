"""Deciding claims about expectations: exactly, as fractions, or by a sample with its interval."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulespec.code import TooLarge
from rulespec.code.codes import NONE
from rulespec.core.verdicts import ESTIMATED, PROVED, REFUTED
from solver.explore import BuiltinQuestion
from solver.explore.graph import Graph
from solver.explore.markov_decision_process import ExpectedValues, NonTerminating, expectation_at_start
from solver.explore.monte_carlo import NoSample, sample
from solver.explore.state_space import Exploration, Limits, tools_for

from .equilibrium import equilibrium
from .exploration import answer, exploration
from .game_graph import MANY, faulty, not_seen, secret
from .positions import explored
from .problem import Answer, Case, Proof, undecided


class OutOfTime(Exception):
    """The budget ran out; says which."""


def _expected(case: Case, limits: Limits) -> Answer:
    options = case.claim.options
    best = options.get("policy", "best") == "best"
    if best and secret(case.game) and options.get("seeing") != "everything":
        return equilibrium(case, limits)
    look = explored(case, limits, ways=True)
    if not look.all():
        return not_seen(look)
    graph = Graph(look.states)
    if best and case.game.players > 2:
        return undecided(MANY)
    if excused := faulty(case, look):
        return excused

    def pause() -> None:
        if spent := look.limit():
            raise OutOfTime(spent)

    try:
        found = _worth(case, look, graph, best, pause)
    except NonTerminating as endless:
        return undecided(f"There is no expectation: {endless}.")
    except OutOfTime as out:
        return undecided(f"Nothing was decided: the equations were not solved ({out}).")
    return told(case, look, found)


def _worth(case: Case, look: Exploration, graph: Graph, best: bool, pause: Callable[[], None]) -> Fraction:
    values = [0 if x == NONE else int(x) for x in look.states.scan(case.claim.id)]
    movers = [int(x) for x in look.states.scan(BuiltinQuestion.MOVER)]
    most = case.claim.options.get("wants", "most") == "most"
    summed = "summed-over" in case.claim.options
    worth = ExpectedValues(
        graph,
        final=lambda i: 0 if summed else values[i],
        gain=lambda i: values[i] if summed else 0,
        wants=lambda i: (movers[i] == 1) == most if best else None,
        pause=pause,
    )
    return expectation_at_start(graph, worth.worth)


def told(case: Case, look: Exploration, found: Fraction, *proofs: Proof) -> Answer:
    """The answer that an exact expectation gives."""
    wanted = case.claim.options.get("is")
    evidence = (*proofs, Proof("fraction", {"is": str(found)}), exploration(case, look))
    outcome = PROVED if wanted is None or Fraction(str(wanted)) == found else REFUTED
    return answer(look, outcome, evidence, {"states": look.seen})


def _estimate(case: Case, limits: Limits) -> Answer:
    games = int(case.claim.options.get("games", 10_000))
    seed = int(case.claim.options.get("seed", 1))
    asked, budget = case.claim.condition, case.budget.part(1.0, limits.seconds)
    assert asked is not None
    summed = "summed-over" in case.claim.options
    try:
        found = sample(
            case.game, asked, games, seed, lambda: budget.exhausted, summed=summed, tools=tools_for(limits)
        )
    except (NoSample, TooLarge) as none:
        return undecided(f"No sample was taken: {none}.")
    data = {"games": games, "seed": seed, "total": found.total, "squares": found.squares}
    return Answer(ESTIMATED, (Proof("sample", data),), "generated code", {"total": found.total})


DECIDERS: dict[str, Callable[[Case, Limits], Answer]] = {"expected": _expected, "estimate": _estimate}
