"""Wolves that do as chance will have it win as often as Migdał's recurrence says."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from shipped_games import load

from rulespec.budgets import Budget
from rulespec.language import read, shipped_rulesets
from rulespec.solver.evidence import game_graph
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.state_space import Limits


@cache
def wolves_win(players: int, wolves: int) -> Fraction:
    """The chance of the wolves by day: a player at random is driven out, then the wolves take a villager."""
    if wolves == 0:
        return Fraction(0)
    if 2 * wolves >= players:
        return Fraction(1)
    hit = Fraction(wolves, players)
    return hit * by_night(players - 1, wolves - 1) + (1 - hit) * by_night(players - 1, wolves)


def by_night(players: int, wolves: int) -> Fraction:
    if wolves == 0:
        return Fraction(0)
    return Fraction(1) if 2 * wolves >= players else wolves_win(players - 1, wolves)


def test_one_wolf_wins_as_often_as_published() -> None:
    """(n - 1)!! / n!! for odd numbers of players (Migdał 2010, arXiv 1009.1031)."""
    published = {3: Fraction(2, 3), 5: Fraction(8, 15), 7: Fraction(16, 35), 9: Fraction(128, 315)}
    assert {players: wolves_win(players, 1) for players in published} == published


@pytest.mark.parametrize("players", [3, 4])
def test_the_ruleset_says_the_same(players: int) -> None:
    game = read(shipped_rulesets()["wolves"]).with_settings(players, {}, {})
    case = Case(game, game.claims["lot"], Budget(60.0))
    answer = game_graph.expectation(case, Limits(60.0, 1_000_000))
    assert Fraction(answer.proofs[0].data["is"]) == wolves_win(players, 1)


def test_the_claim_is_of_the_usual_number() -> None:
    assert len(load("wolves").players) == 5 and wolves_win(5, 1) == Fraction(8, 15)
