"""Values that follow from the rules: loops that depend on fewer names are evaluated once, and rightly."""

from __future__ import annotations

from itertools import product

import pytest
from building import get, local, number

from rulespec.code import write
from rulespec.code.static import Static
from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import HANDLERS, evaluate
from rulespec.core.types import BOOL, Set, integers
from rulespec.language import load

DIGIT = integers(0, 9)
X, Y, K, J = (n.Var(name, DIGIT) for name in "xykj")
SCORE = n.StateVar("score", DIGIT, number(0))
DIGITS = n.Domain(Set(DIGIT), DIGIT)


def below(limit: n.Expr, i: n.Var) -> n.Expr:
    """The digits below a limit."""
    return n.Select(Set(DIGIT), i, DIGITS, n.Less(BOOL, local(i), limit))


def plus(a: n.Expr, b: n.Expr) -> n.Expr:
    """The sum of two digits."""
    return n.Add(integers(0, 18), a, b)


SUMS = n.Image(Set(integers(0, 18)), K, below(local(X), J), plus(local(K), local(Y)))
"""The sums of y and the digits below x, whose set depends on x alone."""


def counted(monkeypatch: pytest.MonkeyPatch, kind: type[n.Expr]) -> list[n.Expr]:
    """The nodes of a kind in the order of their evaluation from now on."""
    done: list[n.Expr] = []
    handler = HANDLERS[kind]

    def counting(e: n.Expr, env: dict[n.Var, object], ctx: Context) -> object:
        done.append(e)
        return handler(e, env, ctx)

    monkeypatch.setitem(HANDLERS, kind, counting)
    return done


def test_a_loop_is_evaluated_once_for_the_names_that_it_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    envs = [{X: x, Y: y} for x, y in product(DIGIT.values, repeat=2)]
    right = [evaluate(SUMS, env, Context()) for env in envs]
    done, static = counted(monkeypatch, n.Select), Static()
    assert [static.value(SUMS, env) for env in envs] == right
    assert len(done) == len(DIGIT.values)


def test_a_loop_that_reads_the_state_is_evaluated_in_each_state() -> None:
    e = n.Image(Set(integers(0, 18)), K, below(get(SCORE), J), plus(local(K), local(Y)))
    static = Static()
    for score in (3, 5, 3):
        state = {SCORE: score}
        assert static.value(e, {Y: 1}, state) == frozenset(range(1, 1 + score))


def test_a_name_that_an_inner_loop_binds_is_not_one_from_outside() -> None:
    """The inner loop has the variable of the outer one, so that its elements are its own."""
    e = n.Image(Set(DIGIT), K, below(local(X), K), n.Size(DIGIT, below(local(K), J)))
    static = Static()
    for x in DIGIT.values:
        assert static.value(e, {X: x, Y: 0}) == frozenset(range(x))


def test_a_table_is_worked_out_once_for_all_that_ask_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stout's race asks in several places for the square some steps away, under other names each time."""
    asked: list[n.Expr] = []
    value = Static.value

    def counting(self: Static, e: n.Expr, *given: object) -> object:
        asked.append(e)
        return value(self, e, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Static, "value", counting)
    text = write(load("stout")).text  # its functions are written again where the cache has the rest
    beyond = [e for e in asked if isinstance(e, n.Call) and e.function.name == "beyond"]
    assert len(set(beyond)) == text.count("_BEYOND = table(") == 2
