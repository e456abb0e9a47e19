"""The reference meaning, operator by operator, beside what makes it remember and give up."""

from __future__ import annotations

import pytest
from operator_cases import (
    CASES,
    DIGIT,
    SIGNED,
    STATE,
    SUIT,
    TRIPLE,
    X,
    digit,
    local,
)

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import HANDLERS, evaluate
from rulespec.core.types import BOOL, Int, Set, Value, with_values
from rulespec.play.effects import Situation


def value(e: n.Expr) -> Value:
    return evaluate(e, {}, situation({STATE: 5}))


def situation(values: dict[n.StateVar, Value]) -> Situation:
    return Situation(values, lambda action, args: action == "move" and not args, other=situation)


def test_every_operator_has_its_cases() -> None:
    assert set(CASES) == set(n.EXPRESSIONS) == set(HANDLERS)
    assert all(type(e) is kind or kind is n.Local for kind, cases in CASES.items() for _, e, _ in cases)


@pytest.mark.parametrize(
    ("e", "expected"),
    [pytest.param(e, v, id=f"{kind.__name__}: {what}") for kind, cs in CASES.items() for what, e, v in cs],
)
def test_value(e: n.Expr, expected: Value) -> None:
    found = value(e)
    assert found == expected
    assert type(found) is type(expected)


def test_a_definition_is_remembered_in_its_table_or_in_one_state() -> None:
    reads = n.Function("reads", (X,), SIGNED)
    reads.body = n.Add(SIGNED, local(X), n.Get(DIGIT, STATE))
    asked = n.Call(SIGNED, reads, (digit(1),))
    assert [evaluate(asked, {}, Context({STATE: now})) for now in (5, 6)] == [6, 7]
    assert reads.table == {}
    value(n.Call(SIGNED, TRIPLE, (digit(3),)))
    assert TRIPLE.table[(3,)] == 9


def test_asking_what_can_be_done_needs_a_game() -> None:
    with pytest.raises(LookupError, match="can move"):
        evaluate(n.Can(BOOL, "move", ()), {}, Context())


def test_asking_what_holds_after_an_action_needs_a_game() -> None:
    with pytest.raises(LookupError, match="after"):
        evaluate(n.After(BOOL, "move", (), (), n.NOTHING_DONE, n.Const(BOOL, True)), {}, Context())


def test_subsets_keep_the_family_and_its_order() -> None:
    some = with_values(SUIT, (0, 2))
    assert evaluate(n.Domain(Set(some), some), {}, Context()) == frozenset({0, 2})
    assert isinstance(with_values(DIGIT, range(2, 4)), Int)
