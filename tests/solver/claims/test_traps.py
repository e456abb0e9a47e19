"""Goals of which nothing can be the first part."""

from __future__ import annotations

import pytest

from rulespec.language import load
from solver.claims.asking import Question
from solver.claims.budget import Budget
from solver.claims.case import Case
from solver.claims.traps import trap

FIRST = {
    "nothing may begin": ({"first-domino": "nothing", "stuck-hand": "draw"}, "pips[1.1.1] is some"),
    "nothing may begin upstairs": ({"across-tiers": "same", "stuck-hand": "draw"}, "pips[2.2.2] is some"),
}


def why(readings: dict[str, str]) -> str:
    game = load("sacred-alignment-small", readings=readings)
    case = Case(game, game.claims["zero-cheat"], Budget(60, 4000))
    start = Question(case, "initial", None, [case.condition])
    return trap(case, case.condition, {game.state["cheats"]: 0}, start)


@pytest.mark.parametrize(("readings", "named"), FIRST.values(), ids=FIRST)
def test_what_nothing_can_begin_is_out_of_reach(readings: dict[str, str], named: str) -> None:
    assert f"it needs one of `{named}`" in why(readings)


@pytest.mark.parametrize("readings", [{}, {"across-tiers": "same", "own-half": "counted"}])
def test_what_something_can_begin_is_not(readings: dict[str, str]) -> None:
    assert why(readings) == ""
