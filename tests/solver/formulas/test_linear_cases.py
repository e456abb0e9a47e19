"""Conditions added up: in no state in which they hold a number exceeds the bound that comes of it."""

from __future__ import annotations

import random
from fractions import Fraction

from building import add, at_most, both, const, either, equal, get, less, no, number, sub
from generating import MACHINE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import expressions
from world import PIP, STATE, WORLD, random_state, seeds

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.types import BOOL, Set, integers
from rulespec.solver.evidence.linear_combination import added_up
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.linear.linear_cases import Case, cases_of
from rulespec.solver.methods.farkas_multipliers import least_bound

often = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=250)
TIMES = [Fraction(x) for x in ("0", "1/3", "1", "2", "5")]
STATES = 12


def closed(e: n.Expr) -> bool:
    return not Dependencies(WORLD).free(e)


of_any_form = (
    st.sampled_from([n.And, n.Or, n.Not, n.All, n.Any, n.AtMost, n.Less, n.Equal, n.Call, n.Let])
    .flatmap(lambda kind: expressions(kind, depth=2))
    .filter(lambda e: e.type == BOOL and closed(e))
)

FACTS = [
    get(STATE[BOOL]),
    *(n.Member(BOOL, const(PIP, x), get(STATE[Set(PIP)])) for x in PIP.values),
    *(equal(get(STATE[PIP]), number(x)) for x in PIP.values),
]


@st.composite
def numbers(draw: st.DrawFn) -> n.Expr:
    """Sums of a few facts with weights."""
    total: n.Expr = number(draw(st.integers(-1, 1)))
    for _ in range(draw(st.integers(0, 2))):
        low, high = draw(st.integers(-1, 2)), draw(st.integers(-1, 2))
        fact = draw(st.sampled_from(FACTS))
        part = n.If(integers(min(low, high), max(low, high)), fact, number(high), number(low))
        total = draw(st.sampled_from([add, sub]))(total, part)
    return total


comparisons = st.sampled_from([at_most, less, equal]).flatmap(
    lambda make: st.builds(make, numbers(), numbers())
)
conditions = st.recursive(
    st.sampled_from(FACTS) | comparisons,
    lambda inner: st.builds(no, inner) | st.builds(both, inner, inner) | st.builds(either, inner, inner),
    max_leaves=4,
)


def drawn(cases: list[Case], rng: random.Random) -> list[list[Fraction]]:
    """Some number of times for each row."""
    return [[rng.choice(TIMES) for _ in one.rows] for one in cases]


@often
@given(numbers(), st.lists(conditions | of_any_form, min_size=1, max_size=3), st.booleans(), seeds())
def test_a_number_is_within_what_its_conditions_add_up_to(
    e: n.Expr, about: list[n.Expr], most: bool, seed: int
) -> None:
    """However often each is added; and within the least of these bounds."""
    rng = random.Random(seed)
    cases = cases_of(WORLD, e, most, about)
    bounds = [added_up(cases, drawn(cases, rng)) for _ in range(2)]
    bounds.append(least_bound(cases)[0])
    for _ in range(STATES):
        at = MACHINE.situation_of(random_state(rng))
        if all(evaluate(condition, {}, at) for condition in about):
            value = evaluate(e, {}, at)
            assert isinstance(value, int)
            for bound in bounds:
                assert bound is not None
                assert (value if most else -value) <= bound


def test_a_fact_that_need_not_hold_is_left_open() -> None:
    fact = n.If(integers(0, 1), get(STATE[BOOL]), number(1), number(0))
    for low, most in ((0, 1), (1, 0)):
        (one,) = cases_of(WORLD, sub(number(1), fact), True, [at_most(number(low), fact)])
        assert added_up([one], [[Fraction(0)]]) == most
