"""Disagreements between formulas and interpreter that were found once, one test each."""

from __future__ import annotations

import random

from building import assign, block, call, const, domain, equal, get, local, number, sub
from deciding import FACTS, agrees, branches_of_the_formulas, branches_of_the_interpreter
from world import BRIGHT, CARD, FREE, PIP, STATE, SUIT, WORLD, random_state, random_value

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.traversal import nodes_within
from rulespec.core.types import BOOL, List, Optional, Set, Type, integers
from rulespec.solver.formulas.values import constant

ENV = {var: random_value(var.type, random.Random(7)) for var in FREE}
FOUND = [random_state(random.Random(seed)) for seed in range(12)]


def state(t: Type) -> n.Expr:
    return get(STATE[t])


def test_a_recursive_definition_reads_all_that_it_leads_to() -> None:
    back = WORLD.functions["back"]
    inner = next(e for e in nodes_within(back.body) if isinstance(e, n.Call))
    assert FACTS.reads(inner) == FACTS.reads(back.body)
    agrees(call(back, number(3)), ENV, FOUND, 1)


def test_a_list_of_conditions_is_run_over() -> None:
    var = n.Var("x", BOOL)
    agrees(n.All(BOOL, var, state(List(BOOL, 2)), local(var)), ENV, FOUND, 1)


def test_the_first_condition_of_none_is_no() -> None:
    var = n.Var("x", BOOL)
    first = n.First(BOOL, var, const(Set(BOOL), frozenset()), local(var))
    assert evaluate(first, {}, Context()) is False
    agrees(first, ENV, FOUND, 1)


def test_a_walk_over_conditions() -> None:
    at = n.Var("at", BOOL)
    step = n.Not(BOOL, local(at))
    agrees(n.Follow(BOOL, at, state(BOOL), step, const(BOOL, True), state(PIP), 3), ENV, FOUND, 1)


def test_a_closure_within_a_list() -> None:
    var, via = n.Var("x", PIP), n.Var("via", PIP)
    near = equal(sub(local(var), local(via)), number(1))
    agrees(n.Reach(Set(PIP), var, state(List(PIP, 3)), state(Set(PIP)), via, near), ENV, FOUND, 1)


def test_an_argument_outside_an_optional_parameter_gives_nothing() -> None:
    either = WORLD.functions["either"]
    assert either.params[0].type == Optional(BRIGHT)
    agrees(n.Call(either.result.with_none, either, (state(SUIT),)), ENV, FOUND, 1)


def test_can_with_an_argument_that_a_list_holds() -> None:
    agrees(n.Can(BOOL, "toss", (const(BOOL, True), state(PIP))), ENV, FOUND, 1)


def test_a_number_is_never_taken_for_a_condition() -> None:
    constant(True)
    assert [type(value) for value in constant(1)] == [int]


# ---- effects


def same(effect: n.Effect) -> None:
    for found in FOUND[:4]:
        expected = branches_of_the_interpreter(effect, ENV, found)
        assert branches_of_the_formulas(effect, ENV, found) == expected


def test_a_set_with_an_element_that_its_place_does_not_hold_is_a_fault() -> None:
    same(assign(STATE[Set(PIP)], n.SetOf(Set(integers(-1, 2)), (sub(state(PIP), number(1)),))))


def test_a_condition_stored_in_a_list() -> None:
    same(assign(STATE[List(BOOL, 2)], state(BOOL), state(PIP)))


def test_a_negative_weight_is_a_fault() -> None:
    drawn = n.Var("drawn", PIP)
    same(n.Draw(drawn, state(Set(PIP)), sub(local(drawn), number(1)), assign(STATE[PIP], local(drawn))))


def test_nothing_is_drawn_after_a_fault() -> None:
    drawn = n.Var("drawn", SUIT)
    draw = n.Draw(drawn, domain(SUIT), None, assign(STATE[SUIT], local(drawn)))
    same(block(assign(STATE[PIP], sub(state(PIP), number(2))), draw))


def test_a_shuffle_of_a_set_that_the_state_decides() -> None:
    row = n.Var("row", List(CARD, 5))
    same(
        n.Shuffle(row, state(Set(CARD)), assign(STATE[List(CARD, 2)], n.Top(row.type, local(row), number(2))))
    )
