"""Outcomes of chance in one ply: many, unlikely ones, and explorations that stop among them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from python_instance import BOTH, Start, starting

from rulespec.code.execution.pacing import MOST, Pace
from rulespec.core.game import Game
from rulespec.language import load
from rulespec.solver.explore import CodeStates, InterpreterStates, States
from rulespec.solver.explore import code_states as space
from rulespec.solver.explore.graph import Graph

HEAD = """
rulespec: 1
id: dice
title: Dice
players: 1
rules:
- id: dice
  prose: There are dice.
  formal: |
    type Die = 1..5
    state pips: map Die -> 0..6 = 0
    state rolls: 0..2 = 0
    define unrolled: 0..5 = count(d in Die where pips[d] = 0)
"""

ALL_AT_ONCE = """
- id: roll
  prose: Roll all five.
  action: ()
  do: |
    for d in Die: roll pips[d] from 1..6
    add 1 to rolls
- id: done
  prose: It is over.
  end: rolls = 1
"""

TILL_TWO = """
- id: roll
  prose: Roll until it is a two, at most so many times.
  action: ()
  do: |
    pips[1] := 1
    for i in 1..{times}:
      if pips[1] = 1: roll pips[1] from 1..2
    add 1 to rolls
- id: done
  prose: It is over.
  end: rolls = 1
"""


def made(tmp_path: Path, rules: str) -> Game:
    path = tmp_path / "dice.yaml"
    path.write_text(HEAD.lstrip() + rules.lstrip(), "utf-8")
    return load(path)


def explored(states: States) -> States:
    while states.deeper(lambda: "", 1_000_000):
        pass
    return states


@BOTH
def test_one_action_may_have_more_outcomes_than_the_first_room_holds(tmp_path: Path, started: Start) -> None:
    """Five dice have 7,776 outcomes; making room never ended if one state filled it alone."""
    with starting(started):
        states = explored(CodeStates(made(tmp_path, ALL_AT_ONCE), ways=True))
    assert states.counts == [1, 6**5]
    ((*outcomes,),) = Graph(states).ways(0)
    assert len(outcomes) == 6**5
    assert {odds for _, odds in outcomes} == {6**5}


@BOTH
def test_the_odds_of_many_draws_are_exact(tmp_path: Path, started: Start) -> None:
    """The two has probability 1 - 2 ** -61."""
    game = made(tmp_path, TILL_TWO.format(times=61))
    with starting(started):
        states = explored(CodeStates(game, ways=True))
    shares: dict[int, Fraction] = {}
    for to, odds in Graph(states).ways(0)[0]:
        pips = states.position(to).values[list(game.state).index("pips")][0]  # type: ignore[index]
        shares[pips] = shares.get(pips, Fraction()) + Fraction(1, odds)
    assert shares == {1: Fraction(1, 2**61), 2: 1 - Fraction(1, 2**61)}


@BOTH
def test_odds_that_are_no_number_of_the_code_are_not_taken_for_others(tmp_path: Path, started: Start) -> None:
    """Seventy throws have probability 2 ** -70, whose denominator was 0 in 64 bits."""
    with starting(started):
        states = explored(CodeStates(made(tmp_path, TILL_TWO.format(times=70)), ways=True))
    assert not states.closed
    assert "probability" in states.stopped


def test_a_look_that_stops_among_outcomes_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One outcome at a time, with other questions in between."""
    game = made(tmp_path, TILL_TWO.format(times=5).replace("end: rolls = 1", "end: rolls = 2"))
    whole = explored(CodeStates(game, ways=True))

    class Step(Pace):
        def took(self, seconds: float, done: int | None = None) -> None:
            self.step = 1

    monkeypatch.setattr(space, "Pace", Step)
    parted = CodeStates(game, ways=True)
    answers = stopping()
    while not parted.closed:
        parted.deeper(lambda: next(answers), 1_000)
        for number in range(parted.states):
            parted.position(number)
            parted.play_to(number)
    assert parted.counts == whole.counts
    assert parted.outcomes == whole.outcomes
    assert (
        parted.digest() == whole.digest() == explored(InterpreterStates(game, layout=parted.layout)).digest()
    )
    assert [Graph(parted).ways(i) for i in range(parted.states)] == [
        Graph(whole).ways(i) for i in range(whole.states)
    ]


def stopping() -> Iterator[str]:
    while True:
        yield from ("", "stop")


def test_steps_stay_whole_numbers_of_64_bits() -> None:
    """Steps that took no time were multiplied by four without a limit, beyond 64 bits."""
    pace = Pace(0.05)
    for _ in range(2_000):
        pace.took(0.0)
    assert pace.step == MOST
    pace.took(1e18)
    assert pace.step == 1


SHUFFLE_OF_ONE = """
rulespec: 1
id: one-card
title: One card
players: 1
rules:
- id: things
  prose: A pile for one card, and a die.
  formal: |
    type Card = {suit: 1..2}
    state pile: list of Card up to 2 = []
    state die: 0..6 = 0
- id: shuffle-first
  prose: The one card is shuffled, then the die is rolled.
  setup: |
    shuffle (those c in Card where c.suit = 1) into pile
    roll die from 1..6
- id: roll
  prose: Shuffle it and roll the die.
  action: ()
  do: |
    shuffle (those c in Card where c.suit = 1) into pile
    roll die from 1..6
- id: done
  prose: A six ends it.
  end: die = 6
claims:
- id: six
  prose: A six comes.
  reachable: die = 6
- id: most
  prose: The most that the die shows.
  most: die
"""


@BOTH
def test_a_play_goes_on_after_a_shuffle_of_one_thing(tmp_path: Path, started: Start) -> None:
    """Such a draw has nothing to pick, and picks of the next draw were taken for its own."""
    path = tmp_path / "ruleset.yaml"
    path.write_text(SHUFFLE_OF_ONE.lstrip(), "utf-8")
    game = load(path)
    six = {"six": game.claims["six"].condition}
    with starting(started):
        code = CodeStates(game, six)
    for states in (code, InterpreterStates(game, six)):
        while states.deeper(lambda: "", 1000):
            pass
        for number, held in enumerate(states.scan("six")):
            if held:
                chance, _ = states.play_to(number)
                assert chance[-2:] == ("[(1)]", "6")
