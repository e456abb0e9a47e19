"""A game in which players choose at once is the game with hidden choices one after another, by hand."""

from __future__ import annotations

from pathlib import Path
from random import Random

from code_plays import agree
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.players.search import SearchPlayer
from rulespec.players.table import Table

HEAD = """\
rulespec: 1
id: bids
title: Bids
players: 3
rules:
- id: goods
  prose: Coins, and a pot that grows with each turn.
  formal: |
    state coins: map Player -> 0..9 = 4
    state pot: 0..9 = 0
    state turns: 0..9 = 0
    state out: set of Player = {}
    state marked: set of 1..3 = {}
    state tips: 0..9 = 0
"""

AT_ONCE = """\
- id: turn
  prose: The pot grows.
  turn:
    begin: |
      if pot < 9: add 1 to pot
    among: Player - out
- id: counts
  prose: Turns are counted.
  reaction: turns < 9
  do: add 1 to turns
- id: bid
  prose: All who are in bid at once.
  at-once: Player - out
  action: k in 0..2 where k <= coins[mover], tip in 1..2 or none,
    marks in sets of 0..2 from {1, 2, 3} - marked as "+"
  written: bid {k} {marks} {tip}
  do: |
    marked := {m for p in Player - out, m in marks[p]}
    tips := sum(tip[p] otherwise 0 for p in Player - out)
    for p in Player - out: remove k[p] otherwise 0 from coins[p]
    let best be the p in Player - out with most (k[p] otherwise 0)
    if best is some:
      add pot to coins[best] up to 9
      pot := 0
      if size(Player - out) > 2: add after(best) to out
- id: pass
  prose: Nothing is done.
  action: ()
  do: nothing
"""

BY_HAND = """\
- id: choices
  prose: The choices, by hand.
  formal: |
    state bid-done: set of Player = {}
    hidden state bid-k: map Player -> 0..2? = none
    hidden state bid-marks: map Player -> set of 1..3 = {}
    hidden state bid-tip: map Player -> 1..2? = none
  sees: |
    bid-k[viewer]
    bid-k[p] for p in Player where bid-done is empty
    bid-marks[viewer]
    bid-marks[p] for p in Player where bid-done is empty
    bid-tip[viewer]
    bid-tip[p] for p in Player where bid-done is empty
- id: turn
  prose: The pot grows.
  turn:
    begin: |
      if bid-done is empty and pot < 9: add 1 to pot
    next: |
      (if bid-done is empty then after(mover, Player - out)
        else after(mover, Player - out - bid-done)) otherwise mover
- id: counts
  prose: Turns are counted.
  reaction: bid-done is empty and turns < 9
  do: add 1 to turns
- id: bid
  prose: All who are in bid, one after another.
  action: k in 0..2 where k <= coins[mover], tip in 1..2 or none,
    marks in sets of 0..2 from {1, 2, 3} - marked as "+"
  written: bid {k} {marks} {tip}
  secret: k, marks, tip
  require:
    chooses:
      prose: You choose.
      that: mover not in out
  do: |
    if bid-done is empty:
      for p in Player:
        bid-k[p] := none
        bid-marks[p] := {}
        bid-tip[p] := none
    bid-k[mover] := k
    bid-marks[mover] := marks
    bid-tip[mover] := tip
    add mover to bid-done
    if every p in Player - out satisfies p in bid-done:
      marked := {m for p in Player - out, m in bid-marks[p]}
      tips := sum(bid-tip[p] otherwise 0 for p in Player - out)
      for p in Player - out: remove bid-k[p] otherwise 0 from coins[p]
      let best be the p in Player - out with most (bid-k[p] otherwise 0)
      if best is some:
        add pot to coins[best] up to 9
        pot := 0
        if size(Player - out) > 2: add after(best) to out
      bid-done := {}
- id: pass
  prose: Nothing is done.
  action: ()
  require:
    waits:
      prose: Others are choosing.
      that: bid-done is empty
  do: nothing
"""

END = """\
- id: end
  prose: The game is over after some turns.
  end: turns = 9 or some p in Player satisfies coins[p] = 9
  score: coins[player]
"""


def test_a_stage_is_the_same_by_hand(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(HEAD + AT_ONCE + END, "utf-8")
    ended = END.replace("turns = 9", "bid-done is empty and (turns = 9").replace(
        "coins[p] = 9", "coins[p] = 9)"
    )
    (tmp_path / "two.yaml").write_text(HEAD + BY_HAND + ended, "utf-8")
    starts = [rulespec.load(tmp_path / f"{name}.yaml").start() for name in ("one", "two")]

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        chance = Random(seed)
        one, two = starts
        while not one.is_over:
            actions = [str(action) for action in one.actions()]
            assert actions == [str(action) for action in two.actions()]
            action = chance.choice(actions)
            one, two = one.play(action), two.play(action)
            assert one.to_data() == two.to_data()
            for player in one.game.players:
                assert observations(one, player) == observations(two, player)
        assert two.is_over

    run()
    agree(starts[0].game.core, seeds=3, most=20)


def observations(state: rulespec.State, player: int) -> list[str]:
    """The values that a player sees of a state."""
    view = state.game.observer.position(state.situation, player)
    return sorted(str(value) for _, _, value in view.sights)


THROW = """\
rulespec: 1
id: throw
title: Throw
players: 2
rules:
- id: throw
  prose: Both throw.
  formal: |
    state same: 0..1? = none
  at-once: Player
  action: h in 1..3
  written: "{h}"
  do: same := if h[1] = h[2] then 1 else 0
- id: end
  prose: Over.
  end: same is some
  winners: if same = 1 then {1} else {2}
"""


def test_choices_are_told_together_once_all_are_made(tmp_path: Path) -> None:
    (tmp_path / "throw.yaml").write_text(THROW, "utf-8")
    table = Table([rulespec.load(tmp_path / "throw.yaml").start()])
    table.play(table.state.find("2").move)
    assert (table.text(1, 1), table.text(1, 2), table.stage(1)) == ("2", "?", range(1, 2))
    table.play(table.state.find("3").move)
    assert (table.text(1, 2), table.text(2, 1), table.stage(1), table.stage(2)) == (
        "2",
        "3",
        range(1, 3),
        range(1, 3),
    )


def test_machine_players_mix(tmp_path: Path) -> None:
    (tmp_path / "throw.yaml").write_text(THROW, "utf-8")
    game = rulespec.load(tmp_path / "throw.yaml")
    chosen = {SearchPlayer(seed, plays=60).choose(Table([game.start()]).view()) for seed in range(20)}
    assert len(chosen) == 3
