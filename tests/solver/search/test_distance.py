"""How far a state is from a condition."""

from __future__ import annotations

import pytest
import strategies
from building import both, const, either, equal, less, number
from hypothesis import HealthCheck, given, settings
from world import WORLD, Env, environments, states

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.types import BOOL, Set, Truth, Value, integers
from rulespec.play.machine import Machine
from rulespec.solver.search.distance import distance

MACHINE = Machine(WORLD)
CONDITIONS = [n.And, n.Or, n.All, n.Let, n.Call, n.Equal, n.AtMost, n.Less, n.Not]


@pytest.mark.parametrize("kind", CONDITIONS, ids=lambda kind: kind.__name__)
def test_it_is_0_exactly_where_the_condition_holds(kind: type[n.Expr]) -> None:
    @settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=25)
    @given(strategies.expressions(kind), environments(), states())
    def holds(e: n.Expr, env: Env, state: dict[n.StateVar, Value]) -> None:
        if isinstance(e.type, Truth):
            situation = MACHINE.situation_of(dict(state))
            far = evaluate(distance(e), env, situation)
            assert far >= 0
            assert (far == 0) == evaluate(e, env, situation)

    holds()


def far(e: n.Expr) -> int:
    found: int = evaluate(distance(e), {}, Context())
    return found


def test_it_counts_what_does_not_hold() -> None:
    digits = integers(0, 9)

    def digits_in(*values: int) -> n.Expr:
        return const(Set(digits), frozenset(values))

    assert far(equal(number(3), number(7))) == 4
    assert far(less(number(7), number(3))) == 5
    assert far(both(equal(number(3), number(7)), less(number(3), number(7)))) == 4
    assert far(either(equal(number(3), number(7)), less(number(3), number(3)))) == 1
    assert far(equal(digits_in(1, 2, 3), digits_in(3, 4))) == 3
    var = n.Var("x", digits)
    high = n.All(BOOL, var, digits_in(1, 5, 8), less(number(4), n.Local(digits, var)))
    assert far(high) == 4
