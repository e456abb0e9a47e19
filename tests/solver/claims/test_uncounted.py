"""Easier games: what the game reaches they reach, and counters that matter are counted."""

from __future__ import annotations

import pytest
from building import at_most, both, equal, get, less, number
from families import claim, hops, with_claims

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.core.verdicts import PROVED, Evidence
from rulespec.language import load
from solver.analyses.dropped_counters import uncounted
from solver.evidence.again import Unfounded, beyond_reach
from solver.evidence.problem import Answer, Case
from solver.explore import CodeStates
from solver.methods.portfolio import blank


def reached(game: Game, but: str) -> set[tuple[Value, ...]]:
    """All states that can be reached, one variable left out."""
    space = CodeStates(game)
    while space.deeper(lambda: "", 100_000):
        pass
    names = list(game.state)
    left_out = names.index(but)
    positions = (space.position(i).values for i in range(space.states))
    return {(*values[:left_out], *values[left_out + 1 :]) for values in positions}


def test_everything_is_reached_that_was() -> None:
    game = hops()
    found = uncounted(game, equal(get(game.state["at"]), number(5)))
    assert found is not None
    easier, counters = found
    assert counters == ("rests",)
    assert reached(game, "rests") <= reached(easier, "rests")
    again = uncounted(game, at_most(get(game.state["at"]), number(3)))
    assert again is not None
    assert again[0] is easier


def test_a_counter_that_is_wanted_is_counted() -> None:
    game = hops()
    rests = get(game.state["rests"])
    assert uncounted(game, less(number(1), rests)) is None
    assert uncounted(game, both(equal(rests, number(2)))) is None
    assert uncounted(game, n.Not(equal(rests, rests).type, less(rests, number(2)))) is None
    assert uncounted(game, at_most(rests, number(1))) is not None


def test_where_it_is_asked_whether_play_is_over_everything_is_counted() -> None:
    game = hops()
    assert uncounted(game, get(game.state["over"])) is None


def test_cheats_only_restrict() -> None:
    game = load("sacred-alignment-small")
    found = uncounted(game, game.ends[0].condition)
    assert found is not None
    assert found[1] == ("cheats",)


def test_a_game_without_a_counter_gives_no_bound_on_it() -> None:
    """A verdict on the most rests could rest on the game in which rests are not counted."""
    game = hops()
    game = with_claims(game, claim("busiest", "best", get(game.state["rests"]), sense="most"))
    shown = Evidence("exploration", {"bound": 1, "uncounted": ["rests"]})
    answer = Answer(PROVED, numbers={"value": 0})
    verdict = blank(game, game.claims["busiest"], answer, 0.0, (shown,))
    with pytest.raises(Unfounded):
        beyond_reach(Case(game, game.claims["busiest"], Budget(5)), verdict)
