"""Deciding claims about every player, one player after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec.core.types import Value
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.seats import join_seats
from rulespec.solver.pairs.winners import claim_of


def decide(case: Case, one: Callable[[Case], Answer]) -> Answer:
    """The answer for all seats; `one` decides the claim of one seat."""
    seats = case.game.player.values
    answers: dict[Value, Answer] = {}
    for number, seat in enumerate(seats):
        case.progress(f"a play in which player {seat} wins")
        budget = case.budget.part(1 / (len(seats) - number))
        of_seat = claim_of(case.game, case.claim, seat)
        answers[seat] = one(replace(case, claim=of_seat, budget=budget))
    return join_seats(answers)
