"""Side conditions of inductions over single plies: sums, measures, what a ply changes; each has its test."""

from __future__ import annotations

from pathlib import Path

import pytest
from stories import made, outcomes, story

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.solver.evidence import conservation, k_induction, ranking
from rulespec.solver.evidence.problem import Case


def case_of(game: Game, name: str) -> Case:
    return Case(game, game.claims[name], Budget(20))


EXCUSED = """
rules:
- id: stalls
  prose: Sheep in a stall and on a meadow, and a gate.
  formal: |
    state stall: set of 1..6 = {}
    state meadow: set of 1..6 = {1, 2}
    state gate: Bool = false
- id: in
  prose: A sheep goes in through the open gate.
  action: s in meadow
  require:
    open:
      prose: It is open.
      that: gate
  do: |
    remove s from meadow
    add s to stall
- id: swing
  prose: The gate swings.
  action: ()
  do: gate := not gate
claims:
- id: more-outside
  prose: Unless the gate is open, more are outside, which is wrong.
  invariant: gate or size(stall) <= size(meadow)
"""


@story(EXCUSED)
def test_what_excused_a_sum_must_go_on_excusing_it(game: Game) -> None:
    """The sum falls only where the gate is open, which then shuts: no ply is to blame that is looked at for
    the sum alone."""
    assert k_induction.by_difference(case_of(game, "more-outside")) is None
    assert outcomes(game, "more-outside") == {REFUTED}


GATHERED = """
rules:
- id: fruit
  prose: Fruit lies in two places.
  formal: |
    type Place = 1..2
    state lying: map Place -> 0..2 = 2
    state bag: 0..4 = 0
    state eaten: 0..4 = 0
- id: take
  prose: Take one.
  action: p in Place
  require:
    some:
      prose: Some lies there.
      that: lying[p] > 0
  do: |
    remove 1 from lying[p]
    add 1 to bag
- id: eat
  prose: Eat one.
  action: ()
  require:
    some:
      prose: Some is in the bag.
      that: bag > 0
  do: |
    remove 1 from bag
    add 1 to eaten
claims:
- id: all-there
  prose: No fruit is lost.
  invariant: bag + eaten + sum(lying[p] for p in Place) = 4
- id: none-eaten
  prose: None is eaten, which is wrong.
  invariant: bag + sum(lying[p] for p in Place) = 4
- id: moderate
  prose: Unless all was eaten, none is lost.
  invariant: eaten = 4 or bag + eaten + sum(lying[p] for p in Place) <= 4
"""


@story(GATHERED)
def test_sums_that_are_equal_stay_so_if_neither_gains(game: Game) -> None:
    """Equations of sums were left to engines that count."""
    for name in ("all-there", "moderate"):
        answer = k_induction.by_difference(case_of(game, name), k_induction.DIFFERENCES)
        assert answer is not None
        assert answer.outcome == PROVED
    assert k_induction.by_difference(case_of(game, "all-there")) is None, "unless evidence names it"
    assert k_induction.by_difference(case_of(game, "none-eaten"), k_induction.DIFFERENCES) is None
    assert outcomes(game, "none-eaten") == {REFUTED}


OUTSIDE = """
rules:
- id: purses
  prose: Three purses, two of which are looked at.
  formal: |
    type Coin = 1..2
    state purse: map 1..3 -> list of Coin up to 4 = []
    define coins(p: 1..2): 0..4 = size(purse[p])
  setup: purse[1] := [1, 2]
- id: pay
  prose: Pay on to another.
  action: a in 1..3, b in 1..3
  require:
    some:
      prose: Something is there.
      that: a != b and not (purse[a] is empty)
  do: move top 1 of purse[a] onto purse[b]
claims:
- id: two
  prose: There are two, which is wrong of what is looked at.
  invariant: sum(coins(p) for p in 1..3) = 2
"""


@story(OUTSIDE)
def test_a_call_outside_its_parameters_weighs_nothing(game: Game) -> None:
    """The definition says nothing of the third purse, to which coins may go."""
    assert conservation.by_flow(case_of(game, "two")) is None
    assert outcomes(game, "two") == {REFUTED}


LEAKING = """
rules:
- id: purses
  prose: Two purses.
  formal: |
    type Coin = 1..2
    state purse: map 1..2 -> list of Coin up to 2 = []
  setup: purse[1] := [1, 2]
- id: pay
  prose: Pay on to the other.
  action: p in 1..2
  require:
    some:
      prose: Something is there.
      that: not (purse[p] is empty)
  do: move top 1 of purse[p] onto purse[3 - p]
- id: hole
  prose: HOLE
claims:
- id: two
  prose: There are two, which is wrong.
  invariant: size(purse[1]) + size(purse[2]) = 2
"""
HOLES = {
    "a reaction": "A full purse bursts.\n  reaction: size(purse[2]) = 2\n  do: purse[2] := []",
    "a turn": "A turn begins.\n  turn:\n    begin: |\n      if size(purse[2]) = 2: purse[2] := []",
}


@pytest.mark.parametrize("hole", HOLES)
def test_what_follows_actions_may_lose_what_they_keep(tmp_path: Path, hole: str) -> None:
    """Every action only moves coins, and a coin is lost all the same."""
    game = made(tmp_path, LEAKING.replace("HOLE", HOLES[hole]))
    assert conservation.by_flow(case_of(game, "two")) is None
    assert outcomes(game, "two") == {REFUTED}


TURNS = """
players: 2
rules:
- id: count
  prose: Two count in turn, and the first only where it is on.
  formal: |
    state n: 0..4 = 0
- id: count-up
  prose: Count.
  action: ()
  require:
    mine:
      prose: The first counts.
      that: mover = 1 and n < 4
  do: add 1 to n
- id: wait
  prose: Wait.
  action: ()
  require:
    yours:
      prose: The second waits.
      that: mover = 2
claims:
- id: first
  prose: It is always the turn of the first, which is wrong.
  invariant: mover = 1
"""


@story(TURNS)
def test_every_ply_changes_whose_turn_it_is(game: Game) -> None:
    """No effect stores whose turn it is, and yet what is said of it does not stay as it was."""
    case = case_of(game, "first")
    answer = k_induction.at_depth(case, 1)
    assert answer is None or answer.outcome != PROVED
    assert outcomes(game, "first") == {REFUTED}


BROKE = """
rules:
- id: purse
  prose: A purse from which coins are taken.
  formal: |
    state coins: LEAST..3 = 3
- id: take
  prose: Take one.
  action: ()
  require:
    some:
      prose: It goes on for a while.
      that: coins > LOWEST
  do: coins := coins - 1
claims:
- id: ends
  prose: It ends.
  terminates: coins
"""


@story(BROKE.replace("LEAST", "0").replace("LOWEST", "-1"))
def test_a_ply_that_faults_is_a_ply(game: Game) -> None:
    """From no coins on a fourth ply can be taken, which stores a number that does not fit."""
    answer = ranking.terminates(case_of(game, "ends"))
    assert answer is None or answer.numbers["plies"] >= 4


@story(BROKE.replace("LEAST", "-4").replace("LOWEST", "-4"))
def test_a_measure_below_nothing_bounds_no_play(game: Game) -> None:
    """Every ply lowers the measure, and yet there are more plies than it says."""
    assert ranking.terminates(case_of(game, "ends")) is None


STUCK = """
rules:
- id: steps
  prose: One goes up, and only up.
  formal: 'state at: 0..3 = 0'
- id: up
  prose: Go up a step.
  action: ()
  require:
    below:
      prose: A step is left.
      that: at < 3
  do: add 1 to at
claims:
- id: never-over
  prose: The game is never over, which is wrong where nobody can go on.
  invariant: not over
- id: over-above
  prose: The game is over only above.
  invariant: not over or at = 3
"""


@story(STUCK)
def test_that_nobody_can_act_is_left_open_only_where_more_is_admitted(game: Game) -> None:
    """A condition says `over` of a game in which nobody can act, too."""
    assert not k_induction.hold_together(case_of(game, "never-over"), [game.claims["never-over"].always])
    assert k_induction.hold_together(case_of(game, "over-above"), [game.claims["over-above"].always])


HALVES = """
rules:
- id: numbers
  prose: Two numbers.
  formal: |
    state left: 0..6 = 0
    state right: 0..6 = 0
    state nought-is-odd: Bool = false
    define odd(n: 0..6 falling): Bool = if n = 0 then nought-is-odd else not odd(n - 1)
- id: more
  prose: Both get more, by one and by two.
  action: ()
  require:
    room:
      prose: Both have room.
      that: left < 6 and right < 5
  do: |
    add 1 to left
    add 2 to right
claims:
- id: both
  prose: Both are odd or neither is, which is wrong.
  invariant: odd(left) = odd(right)
- id: even
  prose: The one to the right is even.
  invariant: not nought-is-odd and not odd(right)
"""


@story(HALVES)
def test_calls_that_are_left_open_are_alike_only_for_the_same_arguments(game: Game) -> None:
    assert k_induction.at_depth(case_of(game, "both"), 1) is None
    assert outcomes(game, "both") == {REFUTED}
    assert k_induction.at_depth(case_of(game, "even"), 1) is not None
