"""The generated code of every operator means what the interpreter says, on random expressions and effects.

It runs in Python, where arrays check every index, and some of it in the machine.
"""

from __future__ import annotations

import pytest
import strategies
import strategies_of_effects
from generating import MACHINE, Made, after_by_the_interpreter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from world import PIP, Env, environments, states

from rulespec.code import operators
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.types import List, Value, integers

quick = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=25)
in_the_machine = st.sampled_from([False, False, False, True])
"""Some examples run in the machine, which takes longer to start."""


def test_every_operator_has_a_handler() -> None:
    assert set(operators.HANDLERS) == set(n.EXPRESSIONS)


@pytest.mark.parametrize("kind", n.EXPRESSIONS, ids=lambda kind: kind.__name__)
def test_an_operator_means_what_the_interpreter_says(kind: type[n.Expr]) -> None:
    @quick
    @given(
        strategies.expressions(kind),
        st.lists(environments(), min_size=1, max_size=2),
        st.lists(states(), min_size=1, max_size=3),
        in_the_machine,
    )
    def agree(e: n.Expr, envs: list[Env], found: list[dict[n.StateVar, Value]], machine: bool) -> None:
        made = Made(e, envs[0], machine)
        for env in envs:
            for state in found:
                expected = evaluate(e, env, MACHINE.situation_of(dict(state)))
                assert made.value(e, env, state) == expected, made.text

    agree()


@pytest.mark.parametrize("kind", [n.Top, n.Rest])
@pytest.mark.parametrize("count", [-2, 0, 1, 5])
@given(state=states())
def test_a_known_number_of_elements_may_be_any(
    kind: type[n.Top], count: int, state: dict[n.StateVar, Value]
) -> None:
    """All elements but the topmost, minus two of them, were more than there are."""
    of = List(PIP, 2)
    two = n.ListOf(of, (n.Const(PIP, 1), n.Const(PIP, 3)))
    e = kind(of, two, n.Const(integers(-3, 9), count))
    assert Made(e, {}, False).value(e, {}, state) == evaluate(e, {}, MACHINE.situation_of(dict(state)))


@pytest.mark.parametrize("kind", n.EFFECTS, ids=lambda kind: kind.__name__)
def test_an_effect_does_what_the_interpreter_does(kind: type[n.Effect]) -> None:
    @quick
    @given(
        strategies_of_effects.effects(kind), environments(), st.lists(states(), min_size=1, max_size=3),
        st.integers(0, 99), in_the_machine,
    )  # fmt: skip
    def agree(
        effect: n.Effect, env: Env, found: list[dict[n.StateVar, Value]], seed: int, machine: bool
    ) -> None:
        made = Made(effect, env, machine)
        for state in found:
            expected = after_by_the_interpreter(effect, env, state, seed)
            assert made.after(env, state, seed) == expected, made.text

    agree()
