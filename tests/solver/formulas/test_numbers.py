"""Formulas of rulesets with numbers out of range, compared with all positions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from numbered import made, rulesets

from rulespec.budgets import Budget
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore import state_space
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods.table import FORMULAS
from rulespec.solver.pairs.winners import claim_of


def questions(game: Game) -> list[Claim]:
    """The claim about a random condition, and for each player the claim that the player can win."""
    said = game.claims["said"]
    return [said, *(claim_of(game, said, seat) for seat in game.player.values)]


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=6)
@given(rulesets())
def test_formulas_agree_on_numbers_outside(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    game = made(tmp_path_factory.mktemp("numbers"), text)
    for claim in questions(game):
        state_space.forget()
        looked = exploration.explore(Case(game, claim, Budget(60)), Limits(30, 3_000, judge=True))
        assert looked is not None
        if looked.outcome not in (PROVED, REFUTED):
            continue
        found = FORMULAS(Case(game, claim, Budget(2)))
        assert found is None or found.outcome in (looked.outcome, UNDECIDED, BOUNDED)
        if found is not None and found.outcome == PROVED:
            assert found.numbers["plies"] >= looked.numbers["plies"]
        if found is not None and found.outcome == BOUNDED and looked.outcome == PROVED:
            assert found.numbers["plies"] < looked.numbers["plies"]
