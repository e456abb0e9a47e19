"""Derived state: a variable that always has the value that follows from others."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.core.evaluate import evaluate
from rulespec.play.errors import PositionError

DERIVED = Path(__file__).parent / "good" / "derived.yaml"


def kept(state: rulespec.State) -> bool:
    """True if every derived variable has the value of its text."""
    situation = state.game.machine.situation(state.position)
    derived = [var for var in state.game.core.state.values() if var.always is not None]
    return len(derived) == 3 and all(
        situation.state[var] == evaluate(var.always, {}, situation) for var in derived if var.always
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_a_derived_variable_is_kept(seed: int) -> None:
    chance, state = Random(seed), rulespec.load(DERIVED).start(seed=1)
    while not state.is_over:
        assert kept(state)
        state = state.play(chance.choice([str(action) for action in state.actions()]))
    assert kept(state)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.integers(1, 8), st.sampled_from("KMkm"), max_size=6))
def test_a_position_says_only_what_others_follow_from(board: dict[int, str]) -> None:
    game = rulespec.load(DERIVED)
    state = game.position({"board": board})
    assert kept(state)
    assert kept(game.position({**state.to_data(), "mover": 2}))


def test_a_position_does_not_contradict_what_follows() -> None:
    with pytest.raises(PositionError, match="`men`: from the rest of the position it is 2"):
        rulespec.load(DERIVED).position({"men": 3})


def test_a_derived_variable_brings_the_claim_that_it_is_kept() -> None:
    claim = rulespec.load(DERIVED).core.claims["men-kept"]
    assert claim.lemma
    assert claim.kind == "invariant"
    assert claim.text == "men = count(f in Field where board[f].kind is man)"
