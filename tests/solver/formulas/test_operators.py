"""The formula meaning of every operator is the interpreter's, on random expressions and effects.

The state is symbolic: every variable is made of free literals, so every operator meets everything
that a variable may be. Under the literals of one state the result must be what the interpreter
finds there; literals that mean nothing (items past the end of a list) are set at random.
"""

from __future__ import annotations

import pytest
import strategies
import strategies_of_effects
from deciding import agrees, branches_of_the_formulas, branches_of_the_interpreter
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from world import Env, environments, states

from rulespec.core import nodes as n
from rulespec.core.types import Value
from solver.formulas import effects, operators

MOST_BRANCHES = 60
quick = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=25)


def test_every_operator_has_a_meaning_and_a_strategy() -> None:
    assert set(operators.HANDLERS) == set(strategies.OPERATORS) == set(n.EXPRESSIONS)
    assert set(effects.HANDLERS) == set(strategies_of_effects.EFFECTS) == set(n.EFFECTS)


@pytest.mark.parametrize("kind", n.EXPRESSIONS, ids=lambda kind: kind.__name__)
def test_an_operator_means_what_the_interpreter_says(kind: type[n.Expr]) -> None:
    @quick
    @given(
        strategies.expressions(kind),
        environments(),
        st.lists(states(), min_size=1, max_size=3),
        st.integers(0, 99),
    )
    def agree(e: n.Expr, env: Env, found: list[dict[n.StateVar, Value]], seed: int) -> None:
        agrees(e, env, found, seed)

    agree()


@pytest.mark.parametrize("kind", n.EFFECTS, ids=lambda kind: kind.__name__)
def test_an_effect_does_what_the_interpreter_does(kind: type[n.Effect]) -> None:
    @quick
    @given(strategies_of_effects.effects(kind), environments(), states())
    def agree(effect: n.Effect, env: Env, state: dict[n.StateVar, Value]) -> None:
        expected = branches_of_the_interpreter(effect, env, state)
        assume(len(expected) <= MOST_BRANCHES)
        assert branches_of_the_formulas(effect, env, state) == expected

    agree()
