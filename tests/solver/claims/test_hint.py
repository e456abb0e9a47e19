"""Hints: what can still be reached equals brute force, and what excludes an action is a minimal set."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.core.game import Game as Core
from rulespec.play.chance import Chance
from rulespec.play.face import Game, State, load
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.claims import hint, solve
from rulespec.solver.claims.hint import Alternative
from rulespec.solver.reductions.beginning import beginning_in

Reached = Callable[[Machine, Position], bool]


def can_reach(
    machine: Machine, position: Position, reached: Reached, seen: set[object], without: str = ""
) -> bool:
    """The answer by brute force with the interpreter, `without` one action."""
    if reached(machine, position):
        return True
    if position.values in seen or position.is_over:
        return False
    seen.add(position.values)
    return any(
        can_reach(machine, machine.play(position, move, Chance()).position, reached, seen, without)
        for move in machine.moves(position)
        if move.action != without
    )


def only(game: Core, clauses: set[tuple[str, str]]) -> Machine:
    """The game in which only some requirements are in force."""
    actions = {
        name: replace(a, requirements=tuple(r for r in a.requirements if (r.clause, r.id) in clauses))
        for name, a in game.actions.items()
    }
    return Machine(replace(game, actions=actions))


def solitaire(pegs: list[str]) -> State:
    return load("peg-solitaire", parameters={"side": 5, "corner": 1}).position({"peg": pegs})


def one_in_the_middle(machine: Machine, position: Position) -> bool:
    goal = machine.game.claims["solvable"].condition
    assert goal is not None
    return machine.holds(goal, machine.situation(position))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_still_possible_is_what_brute_force_finds(seed: int) -> None:
    """Pegs that came back from the middle, so that many of these positions can be solved."""
    rng = random.Random(seed)
    holes = [str(hole) for hole in ("c3", "c4", "b3", "d3", "c2", "b2", "d4", "c5", "a3")]
    state = solitaire(rng.sample(holes, 5))
    if state.is_over:
        return
    found = hint(state, state.game.core.claims["solvable"], timeout=20.0)
    machine = state.game.machine
    assert found.possible == can_reach(machine, state.position, one_in_the_middle, set())
    for other in found.alternatives:
        after = state.play(other.action)
        assert other.reaches == can_reach(machine, after.position, one_in_the_middle, set())
        if other.clauses is not None:
            check_minimal(state, other)


def check_minimal(state: State, other: Alternative) -> None:
    """With the requirements that exclude an action nothing is reached, without any one of them it is."""
    assert other.clauses is not None
    move, clauses = state.find(other.action).move, set(other.clauses)
    for left_out in (None, *clauses):
        machine = only(state.game.core, {c for c in clauses if c != left_out})
        after = machine.play(state.position, move, Chance()).position
        assert can_reach(machine, after, one_in_the_middle, set()) == (left_out is not None)


def test_what_is_excluded_near_the_end_of_a_shuffle_is_excluded_by_brute_force() -> None:
    """Positions of the small ziggurat, where a play is left that brute force can finish."""
    game = load("sacred-alignment-small")
    claim = game.core.claims["fewest-cheats"]
    _, play = solve(game.core, claim.id, seed=1, timeout=60)
    assert play is not None
    state = game.start(chance=play.chance)
    for text in play.plays[:8]:
        state = state.play(text)
    found = hint(state, claim, timeout=40.0, likely=play.plays[8:])
    assert (found.possible, found.step) == (True, play.plays[8])

    def finished(machine: Machine, position: Position) -> bool:
        return position.ended == "complete"

    for other in found.alternatives:
        after = state.play(other.action)
        costs = after.values["cheats"] > 0
        assert other.reaches == (
            not costs and can_reach(game.machine, after.position, finished, set(), "lift")
        )
        assert not costs or (other.clauses == () and other.is_minimal)
    assert any(other.clauses for other in found.alternatives)


def test_a_brief_hint_leaves_the_others_open_and_no_hint_is_given_where_nothing_can_be_reached() -> None:
    state = solitaire(["c3", "c4", "a3"])
    found = hint(state, state.game.core.claims["solvable"], brief=True)
    assert found.possible is False
    assert found.step is None
    state = solitaire(["c1", "c2", "a3", "e3"])
    found = hint(state, state.game.core.claims["elsewhere"], brief=True)
    assert all(other.reaches is None for other in found.alternatives)


@pytest.mark.parametrize("name", ["pig", "smith", "kalah", "kuhn-poker", "goofspiel", "eight-puzzle", "nim"])
def test_plays_that_begin_in_a_position_continue_the_play_that_reached_it(name: str) -> None:
    """Also where a turn begins with something, or players pass."""
    rng = random.Random(name)
    game = load(name)
    for _ in range(3):
        state = game.start(seed=rng.randrange(100))
        for _ in range(rng.randrange(6)):
            if not state.is_over:
                state = state.play(rng.choice([*state.actions()]))
        if state.is_over:
            continue
        begun = Game(beginning_in(game.core, state.position.values)).start(chance=[])
        action = rng.choice([*state.actions()])
        after = state.play(action)
        drawn = after.chance[len(state.chance) :]
        further = Game(begun.game.core).start(chance=drawn).play(str(action))
        for here, there in ((state, begun), (after, further)):
            assert here.values.items() <= there.values.items()
            assert sorted(map(str, here.actions())) == sorted(map(str, there.actions()))
            assert (here.is_over, here.winners) == (there.is_over, there.winners)


STONES = """\
rulespec: 1
id: stones
title: Stones
players: 1
rules:
- id: heap
  prose: There are some stones, and each turn costs a coin, or two while the heap is even.
  formal: |
    state left: 0..9 = 9
    define price: 1..2 = if left mod 2 = 0 then 2 else 1
- id: take
  prose: Take one, two or three stones.
  action: n in 1..3
  written: take {n}
  require:
    enough:
      prose: No more than there are.
      that: n <= left
  do: remove n from left
- id: bare
  prose: The game ends when nothing is left.
  end: left = 0
claims:
- id: cheapest
  prose: The fewest coins.
  least: price
  when: left = 0
  summed-over: plies
  from: deal
"""


@pytest.mark.parametrize("left", range(2, 10))
def test_sums_over_plies_are_compared_after_each_action(left: int, tmp_path: Path) -> None:
    """No other action was decided where a number is summed up on the way."""
    (tmp_path / "stones.yaml").write_text(STONES)
    state = load(str(tmp_path / "stones.yaml")).position({"left": left})
    costs = [0]
    for stones in range(1, left + 1):
        costs.append((1 + (stones % 2 == 0)) + min(costs[stones - n] for n in (1, 2, 3) if n <= stones))
    found = hint(state, state.game.core.claims["cheapest"], timeout=20.0)
    assert found.verdict.numbers["value"] == costs[left]
    own = 1 + (left % 2 == 0)
    reached = {f"take {n}": own + costs[left - n] == costs[left] for n in (1, 2, 3) if n <= left}
    assert {other.action: other.reaches for other in found.alternatives} == {
        action: reaches for action, reaches in reached.items() if action != found.step
    }
    assert found.step is not None and reached[found.step]
