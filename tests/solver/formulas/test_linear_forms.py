"""Linear forms against the interpreter: the facts that hold, by weight, add up to the number."""

from __future__ import annotations

import random

from generating import MACHINE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import expressions
from world import Env, environments, states

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.types import BOOL, Int, Value, scalar_of
from rulespec.solver.formulas.linear.linear_forms import Total, linear_form, nonnegative_total

often = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=300)
NUMBERS = (n.Add, n.Sub, n.Mul, n.If, n.Let, n.Sum, n.Size, n.Call, n.Read, n.Best, n.First, n.Otherwise)
State = dict[n.StateVar, Value]

numbers = st.sampled_from(NUMBERS).flatmap(lambda kind: expressions(kind, depth=3))
comparisons = st.sampled_from([n.AtMost, n.Less]).flatmap(lambda kind: expressions(kind, depth=3))
situations = st.lists(states(), min_size=1, max_size=4)


def sum_of(total: Total, env: Env, state: State) -> int:
    """Base and weights of the facts that hold, as the interpreter says."""
    at = MACHINE.situation_of(dict(state))
    return total.base + sum(f.weight for f in total.facts if evaluate(f.fact, env, at))


@often
@given(numbers, environments(), situations)
def test_facts_add_up_to_the_number(e: n.Expr, env: Env, found: list[State]) -> None:
    """Where it is none they add up to nothing, as a summand of a sum does."""
    if not isinstance(scalar_of(e.type), Int):
        return
    total = linear_form(e)
    for state in found:
        value = evaluate(e, env, MACHINE.situation_of(dict(state))) or 0
        assert total.least <= sum_of(total, env, state) == value
        assert sum_of(total.negative, env, state) == -value


@often
@given(comparisons, environments(), situations)
def test_a_comparison_holds_where_its_total_is_not_negative(e: n.Expr, env: Env, found: list[State]) -> None:
    total = nonnegative_total(e)
    for state in found if total is not None else ():
        assert (sum_of(total, env, state) >= 0) == evaluate(e, env, MACHINE.situation_of(dict(state)))


@often
@given(numbers, environments(), situations, st.randoms(use_true_random=False))
def test_parts_of_a_known_value_add_that(e: n.Expr, env: Env, found: list[State], rng: random.Random) -> None:
    """Of a state in which conditions and numbers have some value it is the same if they are taken as that."""
    if not isinstance(scalar_of(e.type), Int):
        return
    at = MACHINE.situation_of(dict(found[0]))
    total = linear_form(e, lambda part: evaluate(part, {}, at) if rng.random() < 0.5 else None)
    assert sum_of(total, env, found[0]) == (evaluate(e, env, at) or 0)
    assert all(f.fact.type == BOOL for f in total.facts)


def test_a_number_is_not_less_than_itself() -> None:
    """Random comparisons seldom are of equal numbers."""
    two = n.Const(Int("number", range(3)), 2)
    less, at_most = (nonnegative_total(kind(BOOL, two, two)) for kind in (n.Less, n.AtMost))
    assert less is not None and less.base < 0
    assert at_most is not None and at_most.base >= 0
