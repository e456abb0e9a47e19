"""Values for all combinations of names: those of the interpreter, each operator being evaluated seldom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from unittest import mock

import pytest
from building import add, call, const, equal, function, get, less, local, number
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import expressions
from world import FREE, STATE, environments, states

from rulespec.core import columns as working
from rulespec.core import nodes as n
from rulespec.core.columns import Columns, Name
from rulespec.core.context import Context, Env
from rulespec.core.evaluate import HANDLERS, evaluate
from rulespec.core.traversal import FreeVariables, nodes_within
from rulespec.core.types import BOOL, Set, Value, integers, scalar_of

SMALL = integers(0, 39)
X, Y, K, J = (n.Var(name, SMALL) for name in "xykj")
ALL = n.Domain(Set(SMALL), SMALL)
NAMES: list[Name] = [name for name in (*FREE, *STATE.values()) if scalar_of(name.type) is not None]


def values(e: n.Expr, *axes: dict[Name, Sequence[Value]]) -> Sequence[Value]:
    return Columns(FreeVariables()).values(e, axes)


def is_static(e: n.Expr) -> bool:
    return not any(
        isinstance(node, n.Can | n.After) or (isinstance(node, n.Call) and not node.function.static)
        for node in nodes_within(e)
    )


@pytest.mark.parametrize("few", [0, 30])
@pytest.mark.parametrize(
    "kind", [kind for kind in n.EXPRESSIONS if kind not in (n.Can, n.After)], ids=lambda x: x.__name__
)
@settings(max_examples=15)
@given(data=st.data(), state=states(), env=environments())
def test_values_are_those_of_the_interpreter(
    kind: type[n.Expr], few: int, data: st.DataObject, state: dict[n.StateVar, Value], env: Env
) -> None:
    """Along two axes, of which one gives two names their values."""
    e = data.draw(expressions(kind, depth=3))
    assume(is_static(e))
    varied = data.draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=3, unique=True))
    each = [data.draw(st.permutations(_all(name))) for name in varied]
    places = min(len(each[1]), len(each[2]))
    axes = [{varied[0]: each[0]}, {varied[1]: each[1][:places], varied[2]: each[2][:places]}]
    with mock.patch.object(working, "FEW", few):
        found = Columns(FreeVariables()).values(e, axes, {**state, **env})
    right = []
    for first, i in product(each[0], range(places)):
        names = {**state, **env, varied[0]: first, varied[1]: each[1][i], varied[2]: each[2][i]}
        right.append(evaluate(e, names, Context(names)))  # type: ignore[arg-type]
    assert found == right
    assert [*map(type, found)] == [*map(type, right)]


def _all(name: Name) -> list[Value]:
    of = scalar_of(name.type)
    assert of is not None
    return [*of.values] if of is name.type else [*of.values, None]


def counted(monkeypatch: pytest.MonkeyPatch, kind: type[n.Expr]) -> list[n.Expr]:
    """The nodes of a kind in the order of their evaluation from now on."""
    done: list[n.Expr] = []
    handler = HANDLERS[kind]

    def counting(e: n.Expr, env: Env, ctx: Context) -> Value:
        done.append(e)
        return handler(e, env, ctx)

    monkeypatch.setattr(kind, "evaluate", counting)
    return done


def test_an_operator_is_evaluated_once_for_each_combination_of_its_operands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tens, ones = n.Div(SMALL, local(X), number(10)), n.Mod(SMALL, local(Y), number(10))
    done = counted(monkeypatch, n.Add)
    found = values(add(tens, ones), {X: SMALL.values}, {Y: SMALL.values})
    assert found == [x // 10 + y % 10 for x, y in product(SMALL.values, repeat=2)]
    assert len(done) == 4 * 10


def test_a_loop_is_evaluated_once_for_the_names_that_it_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    below = n.Select(Set(SMALL), J, ALL, less(local(J), local(X)))
    sums = n.Image(Set(integers(0, 78)), K, below, add(local(K), local(Y)))
    done = counted(monkeypatch, n.Select)
    found = values(sums, {X: SMALL.values}, {Y: SMALL.values})
    assert found == [frozenset(range(y, x + y)) for x, y in product(SMALL.values, repeat=2)]
    assert len(done) == len(SMALL.values)


def test_a_name_that_an_inner_loop_binds_is_not_one_from_outside() -> None:
    """The inner loop has the variable of the outer one, so that its elements are its own."""
    below_x, below_k = (n.Select(Set(SMALL), K, ALL, less(local(K), local(limit))) for limit in (X, K))
    e = n.Image(Set(SMALL), K, below_x, n.Size(SMALL, below_k))
    assert [*values(e, {X: SMALL.values})] == [frozenset([0] if x else []) for x in SMALL.values]


def test_a_definition_is_worked_out_once_for_all_that_call_it(monkeypatch: pytest.MonkeyPatch) -> None:
    further = function("further", (X, Y), integers(0, 78), add(local(X), local(Y)), static=True)
    columns, done = Columns(FreeVariables()), counted(monkeypatch, n.Add)
    axes = [{K: SMALL.values}, {J: SMALL.values}]
    for first, second in ((K, J), (J, K)):
        found = columns.values(call(further, local(first), local(second)), axes)
        assert found == [x + y for x, y in product(SMALL.values, repeat=2)]
    assert len(done) == len(SMALL.values) ** 2


def test_a_definition_gives_nothing_for_arguments_that_it_does_not_take() -> None:
    half = function("half", (n.Var("low", integers(0, 19)), Y), BOOL, equal(local(Y), local(Y)), static=True)
    found = values(call(half, local(X), local(Y)), {X: SMALL.values}, {Y: SMALL.values})
    assert found == [x < 20 for x, _ in product(SMALL.values, repeat=2)]


def test_a_loop_that_reads_the_state_has_the_values_of_each_state() -> None:
    score = n.StateVar("score", SMALL, number(0))
    e = n.Select(Set(SMALL), J, ALL, less(local(J), get(score)))
    known = {score: 7}
    assert Columns(FreeVariables()).values(e, [{X: (1, 2)}], known) == [frozenset(range(7))] * 2
    assert [*values(e, {score: SMALL.values})] == [frozenset(range(x)) for x in SMALL.values]


def test_an_operand_that_takes_steps_is_left_out_where_it_does_not_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    follows = equal(local(K), add(local(J), number(1)))
    reached = n.Reach(Set(SMALL), K, ALL, n.SetOf(Set(SMALL), (local(X),)), J, follows)
    e = n.And(BOOL, (equal(local(X), const(SMALL, 38)), n.Member(BOOL, local(Y), reached)))
    done = counted(monkeypatch, n.Reach)
    found = values(e, {X: SMALL.values}, {Y: SMALL.values})
    assert found == [x == 38 <= y for x, y in product(SMALL.values, repeat=2)]
    assert len(done) == len(SMALL.values)
