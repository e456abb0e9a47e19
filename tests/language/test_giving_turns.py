"""The next player of a set, and the turn that an effect gives to somebody."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec

TURNS = Path(__file__).parent / "good" / "turns.yaml"


@cache
def start() -> rulespec.State:
    return rulespec.load(TURNS).start(seed=1)


def next_alive(lives: dict[int, int], player: int) -> int:
    """The next player with a life left; oneself if nobody else has one."""
    return next(q for k in range(1, 5) if lives[q := (player - 1 + k) % 4 + 1])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_turn_goes_round_among_those_who_are_left_or_to_whom_it_is_given(data: st.DataObject) -> None:
    state = start()
    while not state.is_over:
        action = data.draw(st.sampled_from([*state.actions()]))
        word, who = str(action).split()
        mover, state = state.to_move, state.play(action)
        lives = dict(enumerate(state.values["lives"], 1))
        if not state.is_over:
            shouted = word == "shout" and lives[int(who)]
            assert state.to_move == (int(who) if shouted else next_alive(lives, mover))
            assert state.values["turn-to"] is None
