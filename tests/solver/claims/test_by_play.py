"""Plays that are looked for: what comes of them is what all positions say, and it can be checked again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from families import hops, ziggurat

from rulespec.budgets import Budget, can_fork
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.solver.claims import deal
from rulespec.solver.claims.recheck import check_deal
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Answer, Case, no_answer
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods import scheduler
from rulespec.solver.methods.play_search import Pursuit
from rulespec.solver.methods.verdicts import verdict_of

ALL = Limits(20, 1_000_000)


def case_of(game: Game, claim: str, seed: int | None = None) -> Case:
    chance = None if seed is None else deal(game, seed)
    return Case(game, game.claims[claim], Budget(30), chance)


def pursued(case: Case) -> Answer:
    answer = Pursuit(case).run(lambda: case.budget.exceeded_limit)
    assert answer is not None
    return answer


def rechecked(case: Case, verdict: Verdict, store: Store) -> bool | None:
    """The result of a check of a verdict about a deal, its plays in a store."""
    assert case.chance is not None
    return check_deal(case.game, verdict, store.records, case.chance, Budget(60, 4_000)).passed


@pytest.mark.sampled(3)
@pytest.mark.parametrize("claim", ["built", "covered"])
@pytest.mark.parametrize("seed", range(6))
def test_a_deal_is_settled_as_all_its_positions_say(claim: str, seed: int) -> None:
    case = case_of(ziggurat(), claim, seed)
    found, expected = pursued(case), exploration.explore(case, ALL)
    assert expected is not None
    assert (found.outcome, found.numbers.get("value")) == (expected.outcome, expected.numbers.get("value"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("claim", ["home", "home-at-once", "three", "rested", "busiest"])
@pytest.mark.parametrize("far", ["one", "two"])
def test_a_game_without_chance_is_settled_alike(claim: str, far: str) -> None:
    case = case_of(hops(readings={"far": far}), claim)
    found, expected = pursued(case), exploration.explore(case, ALL)
    assert expected is not None
    assert (found.outcome, found.numbers.get("value")) == (expected.outcome, expected.numbers.get("value"))


@pytest.mark.parametrize("claim", ["built", "covered"])
def test_what_was_found_passes_a_recheck(claim: str) -> None:
    game = ziggurat()
    for seed in range(6):
        store = Store()
        case = case_of(game, claim, seed)
        assert rechecked(case, verdict_of(case, pursued(case), store), store) is True


def test_evidence_that_was_changed_is_refused() -> None:
    game = ziggurat()
    case, store = case_of(game, "covered", 1), Store()
    found = verdict_of(case, pursued(case), store)
    assert found.numbers["value"] > 0

    def passes(changed: Verdict) -> bool | None:
        return rechecked(case, changed, store)

    assert passes(found) is True
    play, *shown = found.evidence
    assert shown
    digest = replace(shown[0], data={**shown[0].data, "digest": "0"})
    assert passes(replace(found, evidence=(play, digest))) is False
    bound = replace(shown[0], data={**shown[0].data, "bound": shown[0].data["bound"] + 1})
    assert passes(replace(found, evidence=(play, bound))) is False
    assert passes(replace(found, evidence=(play,))) is False
    assert passes(replace(found, numbers={"value": found.numbers["value"] - 1})) is False


@pytest.mark.skipif(not can_fork(), reason="this system does not fork")
def test_hunts_go_on_when_formulas_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """They had ended as soon as formulas said that they do not cover it, with most of the time not used."""
    gives_up = replace(scheduler.FORMULAS, attempt=lambda run, seconds: no_answer("Nothing."))
    plan = [scheduler.Step(gives_up, aside=True), scheduler.Step(scheduler.HUNTS)]
    monkeypatch.setattr(scheduler, "PLAN", plan)
    found = scheduler.decide(case_of(hops(), "home"))
    assert found.outcome == "proved"
