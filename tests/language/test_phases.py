"""A game with phases and rounds is the game with the state, requirements and reactions by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.language import read
from rulespec.play.face import Game

GOOD = Path(__file__).parent / "good" / "phases.yaml"

BY_HAND = """\
    type Phase = one of passing, playing
    state phase: Phase = passing
    state deals: 1..2 = 1
    state trick: 1..3 = 1
    state ended: Bool = false
    state declined: Bool = false
    state to: Player? = none
    state first-of-deal: Player = 1
- id: turns
  prose: Turns by hand.
  turn:
    next: to otherwise after(mover)
    over: to is some or true
    begin: to := none
  setup: |
    for p in Player: hand[p] := those c in Card where c mod 2 = p mod 2
- id: trick-over
  prose: A trick by hand.
  reaction: phase is playing and every p in Player satisfies played[p] is some
  do: |
    taker := the p in Player with most played[p]
    for p in Player: played[p] := none
    if taker is some: add 1 to tricks[taker]
    if trick < 3:
      if not six:
        add 1 to trick
        to := taker
    else: declined := true
- id: phase-over
  prose: A phase by hand.
  reaction: declined or (phase is passing and size(hand[1]) = 3 and size(hand[2]) = 3 and mover = 2)
  do: |
    declined := false
    if phase is passing:
      if not six:
        phase := playing
        trick := 1
        to := taker otherwise first-of-deal
    else if deals = 1:
      if not six:
        deals := 2
        to := 2
        first-of-deal := 2
        for p in Player: hand[p] := those c in Card where c mod 2 = p mod 2
        phase := passing
    else: ended := true
- id: last
  prose: The end by hand.
  end: ended
"""


def by_hand() -> str:
    """The rules of the game without `phases` and `rounds`."""
    text = GOOD.read_text("utf-8").replace("do: end the phase", "do: declined := true")
    start, rest = text.split("- id: deals\n")
    _, rest = rest.split("- id: pass\n")
    actions, rest = rest.split("- id: trick\n")
    _, rest = rest.split("- id: six\n")
    rest = rest.split("  examples:\n")[0]
    for to, phase in (("hand", "passing"), ("played", "playing")):
        action = f"hand[mover]\n  do: move c from hand[mover] to {to}"
        source, do = action.split("\n")
        actions = actions.replace(action, f"{source} where phase is {phase}\n{do}")
    actions = actions.replace(
        "that: size(hand[mover]) = 3", "that: phase is passing and size(hand[mover]) = 3"
    )
    return f"{start}{BY_HAND}- id: pass\n{actions}- id: six\n{rest}"


@cache
def starts(folder: Path) -> tuple[rulespec.State, rulespec.State]:
    path = folder / "by-hand.yaml"
    path.write_text(by_hand(), "utf-8")
    return rulespec.load(GOOD).start(seed=1), rulespec.load(path).start(seed=1)


COMMON = ("hand", "played", "tricks", "taker", "phase", "deals", "trick", "mover", "over")


def test_a_game_with_phases_is_the_same_by_hand(tmp_path: Path) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        chance = Random(seed)
        one, two = starts(tmp_path)
        while not one.is_over:
            actions = [str(action) for action in one.actions()]
            assert actions == [str(action) for action in two.actions()]
            action = chance.choice(actions)
            one, two = one.play(action), two.play(action)
            values = [[str(s.to_data()[name]) for name in COMMON] for s in (one, two)]
            assert values[0] == values[1]
        assert two.is_over

    run()


BIDS = """\
rulespec: 1
id: bids
title: Bids
players: 3
rules:
- id: prizes
  prose: A prize is bid for in every round, until none is left. The player after the last starter begins.
  formal: |
    state left: 0..3 = 3
    state bid: 0..9 = 0
    state best: Player? = none
    state won: map Player -> 0..3 = 0
    state log: list of Player up to 9 = []
  rounds:
    first: after(prizes-starter)
    start: |
      bid := 0
      add prizes-starter to log
    finish: |
      remove 1 from left
      if best is some: add 1 to won[best]
- id: raise
  prose: Bid more than the last, up to three.
  action: k in 1..3 where k > bid
  do: |
    bid := k
    best := mover
    if k = 3: end the round
- id: none-left
  prose: It is over when no prize is left.
  end: left = 0
"""


def test_rounds_go_on_until_the_game_ends(tmp_path: Path) -> None:
    path = tmp_path / "bids.yaml"
    path.write_text(BIDS, "utf-8")
    state = rulespec.load(path).start(seed=1)
    assert state.to_move == 2
    for action, mover in (("raise 1", 3), ("raise 3", 3), ("raise 3", 1), ("raise 2", 2)):
        state = state.play(action)
        assert state.to_move == mover
    assert state.to_data()["log"] == [2, 3, 1]
    state = state.play("raise 3")
    assert state.ended_by == "none-left"
    assert state.to_data()["log"] == [2, 3, 1]


SEASONS = """\
rulespec: 1
id: seasons
title: Seasons
players: 2
rules:
- id: seasons
  prose: Winter follows on summer, unless the summer was short; after a winter all is over.
  formal: |
    state acts: 0..9 = 0
  phases:
    summer:
      until: acts = 3
      then: if mover = 1 then autumn else winter
    autumn:
      start: acts := 5
    winter:
      start: acts := 7
      until: acts = 9
- id: act
  prose: Act.
  action: k in 1..2
  do: |
    add 1 to acts
    if k = 2: end the phase
"""


@pytest.mark.parametrize(
    ("plays", "phase", "acts"),
    [
        (["act 1", "act 1", "act 1"], "autumn", 5),
        (["act 1", "act 2"], "winter", 7),
        (["act 2", "act 2"], "winter", 7),
        (["act 2", "act 1", "act 2"], "winter", 7),
    ],
)
def test_a_phase_says_which_comes_then(plays: list[str], phase: str, acts: int, tmp_path: Path) -> None:
    path = tmp_path / "seasons.yaml"
    path.write_text(SEASONS, "utf-8")
    state = rulespec.load(path).start(seed=1)
    for action in plays:
        state = state.play(action)
    assert (state.to_data()["phase"], state.values["acts"]) == (phase, acts)
    assert not state.is_over
    if phase == "winter":
        assert state.play("act 2").ended_by == state.play("act 1").play("act 1").ended_by == "seasons"


def test_a_refusal_names_the_phase_and_the_rule_shows_what_is_legal() -> None:
    game = rulespec.load(GOOD)
    (refusal,) = game.start(seed=1).why_not("play 1")
    assert str(refusal) == "illegal by `course`: phase is playing is false: passing = playing"
    course = next(rule for rule in game.core.rules if rule.id == "course")
    assert course.requirements == (
        ("passing", "Everybody passes a card."),
        ("playing", "The tricks are played."),
    )
    assert ("phases passing legal", "pass, decline") in tuple(course.formal)


NIGHTS = """\
rulespec: 1
id: nights
title: Nights
parameters:
  nights:
    type: 1..8
    default: 5
    prose: How many nights there are.
rules:
- id: sleep
  prose: Sleep.
  action: ()
  written: sleep
- id: night
  prose: Every night you sleep once.
  rounds:
    number: nights
    until: true
"""


def test_the_number_of_rounds_may_be_a_parameter(tmp_path: Path) -> None:
    path = tmp_path / "nights.yaml"
    path.write_text(NIGHTS, "utf-8")
    ruleset = read(str(path))
    for nights in (5, 1, 3):
        game = Game(ruleset.with_settings(parameters={"nights": nights}))
        state = game.start()
        for _ in range(nights):
            assert not state.is_over
            state = state.play("sleep")
        assert state.is_over
