"""What expressions depend on."""

from __future__ import annotations

import handmade
import pytest
from building import add, call, const, domain, get, less, local, number

from rulespec.core import nodes as n
from rulespec.core.traversal import BOUND, FreeVariables, reads_state
from rulespec.core.types import BOOL, Set, integers

T = integers(0, 3, "T")
X, Y, Z = (n.Var(name, T) for name in "xyz")
SOURCE = n.SetOf(Set(T), (local(X),))
"""Mentions x outside of whatever it is the source of."""


def binding() -> list[tuple[n.Expr, set[n.Var]]]:
    """One node of each operator that binds, x being bound in its body, and what stays free."""
    body = less(local(X), local(Y))
    some = [kind(BOOL, X, SOURCE, body) for kind in (n.All, n.Any)]
    sets = [kind(Set(T), X, SOURCE, body) for kind in (n.Select, n.Image, n.Collect)]
    others = [n.First(T, X, SOURCE, body), n.Sum(T, X, SOURCE, local(Y))]
    return [
        *((e, {X, Y}) for e in (*some, *sets, *others, n.Best(T, X, SOURCE, body, True))),
        (n.Tabulate(BOOL, X, T, body), {Y}),
        (n.Let(BOOL, X, local(X), body), {X, Y}),
        (n.Let(BOOL, X, local(Z), body), {Y, Z}),
        (n.Fold(T, X, Y, SOURCE, local(Z), add(local(X), local(Y))), {X, Z}),
        (n.Follow(T, X, local(Y), local(X), body, number(1), 1), {Y}),
        (n.Follow(T, X, local(X), local(X), body, number(1), 1), {X, Y}),
        (n.Reach(Set(T), X, domain(T), SOURCE, Y, body), {X}),
        (n.Reach(Set(T), X, domain(T), domain(T), Z, body), {Y}),
    ]


@pytest.mark.parametrize(("e", "expected"), binding())
def test_a_binder_is_free_outside_its_body_and_bound_inside(e: n.Expr, expected: set[n.Var]) -> None:
    assert FreeVariables()(e) == expected


def test_every_operator_that_binds_is_tried() -> None:
    assert {type(e) for e, _ in binding()} == set(BOUND)


def test_definitions_depend_on_their_parameters_alone() -> None:
    for game in handmade.all_games().values():
        for function in game.functions.values():
            assert FreeVariables()(function.body) <= set(function.params)


def test_what_reads_the_state() -> None:
    var = n.StateVar("v", T, number(0))
    inner = n.Function("f", (X,), BOOL, static=True)
    inner.body = less(local(X), number(1))
    outer = n.Function("g", (), BOOL)
    outer.body = less(get(var), number(1))
    assert not reads_state(call(inner, local(Y)))
    assert reads_state(call(inner, get(var)))
    assert reads_state(call(outer))
    assert reads_state(n.Can(BOOL, "act", ()))
    assert not reads_state(const(T, 1))
