"""Rules ask for scores, winners and the number of actions: `score(p)`, `won(p)`, `plies`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.traversal import nodes_within
from rulespec.core.types import Value

LIMITS = Path(__file__).parent / "good" / "limits.yaml"


@cache
def game() -> rulespec.Game:
    return rulespec.load(LIMITS)


def asked(state: rulespec.State, name: str, player: int) -> Value:
    """The answer of the definition of this name that the rules use."""
    functions = (e.function for f in game().core.functions.values() for e in _calls(f.body))
    function = next(f for f in functions if f.name == name)
    situation = game().machine.situation(state.position)
    return evaluate(function.body, {function.params[0]: player}, situation)


def _calls(e: n.Expr) -> list[n.Call]:
    return [node for node in nodes_within(e) if isinstance(node, n.Call)]


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_rules_know_the_result_as_it_is_told(data: st.DataObject) -> None:
    state, number = game().start(seed=1), 0
    while not state.is_over:
        state, number = state.play(data.draw(st.sampled_from([*state.actions()]))), number + 1
        assert state.values["plies"] == number == len(state.plays)
        for player in (1, 2):
            assert asked(state, "score", player) == state.scores[player]
            assert asked(state, "won", player) == (player in state.winners)
    assert number <= 6
