"""What an unrolling says of the ends of plays: faults, players who cannot act, and `over`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from building import both, const, equal, get, no, number
from handmade import race, ziggurat

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import STUCK, Position
from rulespec.solver.engines import choose
from rulespec.solver.explore.chance_outcomes import outcomes
from rulespec.solver.formulas import TooWide, Unrolling


def played(game: Game, unrolling: Unrolling) -> Position:
    """Where the play of the last model ends, as the interpreter plays it."""
    outcomes, moves = unrolling.moves()
    machine, chance = Machine(game), Chance(given=outcomes)
    at = machine.start(chance).position
    for move in moves:
        assert machine.is_legal(at, move)
        at = machine.play(at, move, chance).position
    assert at.draws == len(outcomes)
    return at


def unrolled(game: Game, ask: list[n.Expr], plies: int) -> Unrolling:
    unrolling = Unrolling(game, start="initial", ask=ask, engine=choose())
    for _ in range(plies):
        unrolling.extend()
    return unrolling


def nobody_home(game: Game) -> n.Expr:
    """That no end was reached."""
    return no(game.ends[0].condition)


@pytest.mark.parametrize("make", [lambda: race(goal=1), ziggurat, lambda: load("kuhn-poker")])
def test_plays_begin_as_the_interpreter_begins_them(make: Callable[[], Game]) -> None:
    game = make()
    machine = Machine(game)
    starts = {ply.position.values for ply in outcomes(machine.start, ())}
    found = [
        both(*(equal(get(v), const(v.type, x)) for v, x in zip(machine.variables, values, strict=True)))
        for values in starts
    ]
    unrolling = unrolled(game, found, 0)
    for condition in found:
        assert unrolling.solve([unrolling.holds(condition, 0)], 60.0)
        assert machine.holds(condition, machine.situation(played(game, unrolling)))
    assert not unrolling.solve([-unrolling.holds(condition, 0) for condition in found], 60.0)


def test_a_fault_in_a_variable_that_nobody_asks_about_is_found() -> None:
    game = race(purse=1)
    unrolling = unrolled(game, [], 1)
    assert unrolling.solve([unrolling.fault(1)], 60.0)
    assert played(game, unrolling).fault is not None


def test_after_a_fault_the_state_is_the_one_before() -> None:
    game = race(purse=1)
    first = equal(get(game.mover), number(1))
    unrolling = unrolled(game, [first], 1)
    assert unrolling.solve([unrolling.fault(1), unrolling.holds(first, 1)], 60.0)
    assert not unrolling.solve([unrolling.fault(1), -unrolling.holds(first, 1)], 60.0)


def test_a_play_ends_where_the_mover_can_do_nothing() -> None:
    game = race(goal=1)
    game = replace(game, turn=replace(game.turn, stuck="end"))
    over = both(get(game.state["over"]), nobody_home(game))
    unrolling = unrolled(game, [over], 1)
    assert unrolling.solve([unrolling.holds(over, 1)], 60.0)
    end = played(game, unrolling)
    assert end.ended == STUCK
    assert Machine(game).holds(over, Machine(game).situation(end))


def test_players_pass_until_one_can_act_and_the_play_ends_if_nobody_can() -> None:
    game = race(goal=1)
    again = both(equal(get(game.mover), number(1)), no(get(game.state["over"])))
    unrolling = unrolled(game, [again], 1)
    assert unrolling.solve([unrolling.holds(again, 1)], 60.0)
    assert played(game, unrolling).ended is None
    assert unrolling.solve([unrolling.stuck_literal(1)], 60.0)
    assert played(game, unrolling).ended == STUCK


def test_faults_of_a_place_of_very_many_values_are_not_said_to_be_absent() -> None:
    game = race(purse=300)
    unrolling = unrolled(game, [], 1)
    assert unrolling.solve([], 60.0)
    with pytest.raises(TooWide, match="faults in `won`"):
        unrolling.fault(1)
