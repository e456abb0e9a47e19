"""The formula meaning of every operator is the interpreter's, on random expressions and effects.

The state is symbolic: every variable is made of free literals, so every operator meets everything
that a variable may be. Under the literals of one state the result must be what the interpreter
finds there; literals that mean nothing (items past the end of a list) are set at random.
"""

from __future__ import annotations

import pytest
import strategies
import strategies_of_effects
from building import const, equal, get, local, number, sub
from deciding import agrees, branches_of_the_formulas, branches_of_the_interpreter
from handmade import nim
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from world import PIP, Env, environments, states

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, List, Map, Optional, Set, Value, integers
from rulespec.solver.formulas import operators
from rulespec.solver.formulas.aig import FALSE, Gates
from rulespec.solver.formulas.context import Moment
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.symbolic_evaluation import SymbolicEvaluator

MOST_BRANCHES = 60
quick = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=25)


def test_every_operator_has_a_meaning_and_a_strategy() -> None:
    assert set(operators.HANDLERS) == set(strategies.OPERATORS) == set(n.EXPRESSIONS)
    assert set(strategies_of_effects.EFFECTS) == set(n.EFFECTS)


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


@pytest.mark.parametrize("kind", [n.Add, n.Sum, n.Size], ids=lambda kind: kind.__name__)
def test_a_sum_compared_with_little_means_what_the_interpreter_says(kind: type[n.Expr]) -> None:
    @quick
    @given(
        strategies.expressions(kind),
        st.integers(0, 2),
        st.sampled_from([n.Equal, n.Less, n.AtMost]),
        environments(),
        st.lists(states(), min_size=1, max_size=3),
        st.integers(0, 99),
    )
    def agree(
        e: n.Expr,
        little: int,
        compare: type[n.Equal | n.Less | n.AtMost],
        env: Env,
        found: list[dict[n.StateVar, Value]],
        seed: int,
    ) -> None:
        limit = n.Const(integers(little, little), little)
        for sides in ((e, limit), (limit, e)):
            agrees(compare(BOOL, *sides), env, found, seed)

    agree()


@given(states(), st.integers(0, 999))
@quick
def test_lists_are_equal_that_are_so_up_to_their_ends(state: dict[n.StateVar, Value], seed: int) -> None:
    """Literals past the ends of two lists mean nothing, so they make no difference."""
    lists = List(PIP, 2)
    held = next(var for var in state if var.type == Map(BOOL, lists))
    one, other = (n.Read(lists, n.Get(held.type, held), n.Const(BOOL, key)) for key in (False, True))
    agrees(n.Equal(BOOL, one, other), {}, [{**state, held: ((1,), (1,))}], seed)


@given(states(), st.integers(0, 999))
@quick
def test_what_lies_past_the_end_of_a_list_is_not_in_it(state: dict[n.StateVar, Value], seed: int) -> None:
    """Its literals are set at random, so some of them are set."""
    lists = List(PIP, 2)
    held = next(var for var in state if var.type == Map(BOOL, lists))
    listed = n.Read(lists, n.Get(held.type, held), n.Const(BOOL, False))
    for value in PIP.values:
        agrees(n.Member(BOOL, n.Const(PIP, value), listed), {}, [{**state, held: ((), ())}], seed)


@given(states(), st.integers(0, 99))
@quick
def test_a_walk_ends_before_a_step_that_leads_nowhere(state: dict[n.StateVar, Value], seed: int) -> None:
    """From a number to the one above it, as long as there is one."""
    held = next(var for var in state if var.type == PIP)
    at, optional = n.Var("at", PIP), Optional(PIP)
    above = n.Narrow(optional, n.Add(integers(1, 4), local(at), number(1)), PIP)
    walk = n.Follow(optional, at, get(held), above, n.Const(BOOL, True), number(3), 3)
    agrees(walk, {}, [{**state, held: value} for value in PIP.values], seed)


@pytest.mark.parametrize("most", [False, True])
@given(states(), st.integers(0, 99))
@quick
def test_the_least_and_the_most_of_a_set(most: bool, state: dict[n.StateVar, Value], seed: int) -> None:
    held = next(var for var in state if var.type == Set(PIP))
    var = n.Var("x", PIP)
    best = n.Best(Optional(PIP), var, get(held), local(var), most)
    agrees(best, {}, [state], seed)


@given(states(), st.integers(0, 99))
@quick
def test_quotients_are_rounded_down_below_nought(state: dict[n.StateVar, Value], seed: int) -> None:
    held = next(var for var in state if var.type == PIP)
    below = sub(get(held), number(3))
    agrees(n.Div(integers(-2, 0), below, number(2)), {}, [state], seed)


@given(states(), st.integers(0, 99))
@quick
def test_a_closure_has_walks_of_any_length(state: dict[n.StateVar, Value], seed: int) -> None:
    """From 0 by steps of 1 to all numbers, if all may be walked over."""
    held = next(var for var in state if var.type == Set(PIP))
    var, via = n.Var("x", PIP), n.Var("via", PIP)
    near = equal(sub(local(var), local(via)), number(1))
    closure = n.Reach(Set(PIP), var, get(held), const(Set(PIP), frozenset({0})), via, near)
    agrees(closure, {}, [state, {**state, held: frozenset(PIP.values)}], seed)


def test_a_sum_that_is_compared_with_little_is_not_worked_out_in_full() -> None:
    def gates(e: n.Expr) -> int:
        made = Gates()
        members = {v: made.free() for v in many.values}
        SymbolicEvaluator(made, Dependencies(nim()))(e, {}, Moment({held: members}, lambda *_: FALSE))
        return made.size

    many = integers(1, 200)
    held = n.StateVar("held", Set(many), n.Const(Set(many), frozenset()))
    size = n.Size(integers(0, 200), n.Get(held.type, held))
    assert gates(n.Equal(BOOL, size, n.Const(integers(1, 1), 1))) < 10 * 200 < gates(size)


@pytest.mark.parametrize("kind", n.EFFECTS, ids=lambda kind: kind.__name__)
def test_an_effect_does_what_the_interpreter_does(kind: type[n.Effect]) -> None:
    @quick
    @given(strategies_of_effects.effects(kind), environments(), states())
    def agree(effect: n.Effect, env: Env, state: dict[n.StateVar, Value]) -> None:
        expected = branches_of_the_interpreter(effect, env, state)
        assume(len(expected) <= MOST_BRANCHES)
        assert branches_of_the_formulas(effect, env, state) == expected

    agree()
