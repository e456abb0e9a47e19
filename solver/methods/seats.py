"""Deciding claims about every player, one player after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from rulespec.core.types import Value
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.seats import join_seats
from rulespec.solver.pairs.winners import claim_of

from . import sampling

SAMPLING, MOST_SAMPLING, PLAYS = 0.4, 1.0, 12
"""The share of the remaining time, the maximum seconds, and the maximum number, of random plays that may
show who can win."""


def decide(case: Case, one: Callable[[Case], Answer]) -> Answer:
    """The answer for all seats; `one` decides the claim of one seat."""
    seats = case.game.player.values
    finished = islice(sampling.finished_plays(case, case.budget.part(SAMPLING, MOST_SAMPLING)), PLAYS)
    shortest_first = sorted(finished, key=lambda play: len(play.plays))
    case = replace(case, hints=[*case.hints, *shortest_first])
    answers: dict[Value, Answer] = {}
    for number, seat in enumerate(seats):
        case.progress(f"a play in which player {seat} wins")
        budget = case.budget.part(1 / (len(seats) - number))
        of_seat = claim_of(case.game, case.claim, seat)
        answers[seat] = one(replace(case, claim=of_seat, budget=budget))
    return join_seats(answers)
