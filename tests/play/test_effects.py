"""The meaning of effects, operator by operator: ordinarily, at their edges, at nothing, and each fault."""

from __future__ import annotations

import pytest

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, List, Map, Optional, Set, Type, Value, integers
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.effects import FaultFound, Run, Situation

DIGIT = integers(0, 9, "Digit")
WIDE = integers(-99, 99)
KEY = integers(1, 3, "Key")
DIGITS, ROW = Set(DIGIT), List(DIGIT, 3)


def const(t: Type, value: Value) -> n.Expr:
    return n.Const(t, value)


def variable(name: str, t: Type, value: Value) -> n.StateVar:
    return n.StateVar(name, t, const(t, value))


NUMBER = variable("number", DIGIT, 5)
MAYBE = variable("maybe", Optional(DIGIT), 5)
SET = variable("set", DIGITS, frozenset({1, 2}))
LIST = variable("list", ROW, (7, 8))
MAP = variable("map", Map(KEY, DIGIT), (1, 2, 3))
LISTS = variable("lists", Map(KEY, ROW), ((7,), (), (8, 9)))
STATE = (NUMBER, MAYBE, SET, LIST, MAP, LISTS)
X = n.Var("x", DIGIT)
ORDER = n.Var("order", List(DIGIT, 10))


def number(value: int | None) -> n.Expr:
    return const(WIDE if value is not None else Optional(WIDE), value)


def members(*values: int) -> n.Expr:
    return const(DIGITS, frozenset(values))


def get(var: n.StateVar) -> n.Expr:
    return n.Get(var.type, var)


def local(var: n.Var) -> n.Expr:
    return n.Local(var.type, var)


def put(var: n.StateVar, value: n.Expr, *path: n.Expr) -> n.Effect:
    return n.Assign(var, path, value)


def push(item: n.Expr) -> n.Effect:
    """Ten times the number, and an item: what was done in which order can be read off it."""
    return put(NUMBER, n.Mod(WIDE, n.Add(WIDE, n.Mul(WIDE, get(NUMBER), number(3)), item), number(10)))


def performed(effect: n.Effect, *given: str) -> dict[str, Value]:
    """What an effect changes, by variable."""
    before = {var: var.initial.value for var in STATE if isinstance(var.initial, n.Const)}
    situation = Situation(dict(before), lambda action, args: False)
    Run(situation, Chance(None, given), 0, lambda e: None).perform(effect, {})
    return {var.name: now for var, now in situation.values.items() if now != before[var]}


Case = tuple[str, n.Effect, tuple[str, ...], "dict[str, Value] | str"]

FULL = const(List(DIGIT, 4), (1, 2, 3, 4))

CASES: dict[type[n.Effect], list[Case]] = {
    n.Assign: [
        ("a variable", put(NUMBER, number(9)), (), {"number": 9}),
        ("none", put(MAYBE, number(None)), (), {"maybe": None}),
        ("at a key", put(MAP, number(9), number(2)), (), {"map": (1, 9, 3)}),
        ("at none", put(MAP, number(9), number(None)), (), {}),
        ("at no key", put(MAP, number(9), number(4)), (), {}),
        ("at a position", put(LIST, number(9), number(2)), (), {"list": (7, 9)}),
        ("outside the list", put(LIST, number(9), number(3)), (), {}),
        ("below the list", put(LIST, number(9), number(0)), (), {}),
        ("deep inside", put(LISTS, number(1), number(3), number(1)), (), {"lists": ((7,), (), (1, 9))}),
        ("past its range", put(NUMBER, number(10)), (), "number: 10 / Digit"),
        ("below its range", put(NUMBER, number(-1)), (), "number: -1 / Digit"),
        ("none where there is none", put(NUMBER, number(None)), (), "number: none / Digit"),
        ("past its range at a key", put(MAP, number(10), number(2)), (), "map[2]: 10 / Digit"),
        ("past its capacity", put(LIST, FULL), (), "list: [1, 2, 3, 4] / list of Digit up to 3"),
        ("a member of no such kind", put(SET, const(Set(WIDE), frozenset({10}))), (),
         "set: {10} / set of Digit"),
        ("a fault at nowhere is none", put(MAP, number(10), number(None)), (), {}),
    ],
    n.Block: [
        ("in order", n.Block((push(number(1)), push(number(2)))), (), {"number": 0}),
        ("of nothing", n.NOTHING_DONE, (), {}),
    ],
    n.When: [
        ("yes", n.When(const(BOOL, True), put(NUMBER, number(1)), put(NUMBER, number(2))), (), {"number": 1}),
        ("no", n.When(const(BOOL, False), put(NUMBER, number(1)), n.NOTHING_DONE), (), {}),
    ],
    n.ForEach: [
        ("a set, ascending", n.ForEach(X, members(2, 1), push(local(X))), (), {"number": 0}),
        ("a list, as it lies", n.ForEach(X, const(ROW, (2, 1)), push(local(X))), (), {"number": 2}),
        ("of nothing", n.ForEach(X, members(), put(NUMBER, number(99))), (), {}),
        ("what was there before the first", n.ForEach(X, get(SET), put(SET, n.Union(
            DIGITS, get(SET), n.SetOf(DIGITS, (n.Add(DIGIT, local(X), number(1)),))))), (),
         {"set": frozenset({1, 2, 3})}),
    ],
    n.Bind: [
        ("evaluated once, before", n.Bind(X, get(NUMBER), n.Block((put(NUMBER, number(1)),
         put(MAYBE, local(X)), put(MAP, local(X), number(1))))), (), {"number": 1, "map": (5, 2, 3)}),
        ("none", n.Bind(X, number(None), put(MAYBE, local(X))), (), {"maybe": None}),
    ],
    n.Draw: [
        ("what comes up", n.Draw(X, members(3, 4), None, put(NUMBER, local(X))), ("4",), {"number": 4}),
        ("from nothing", n.Draw(X, members(), None, put(NUMBER, number(99))), (), {}),
        ("in proportion", n.Draw(X, members(3, 4), local(X), put(NUMBER, local(X))), ("3",), {"number": 3}),
        ("where nothing weighs", n.Draw(X, members(3, 4), number(0), put(NUMBER, local(X))), (), {}),
        ("a negative weight", n.Draw(X, members(3), number(-1), put(NUMBER, local(X))), (),
         "weight: -1 / numbers from 0"),
    ],
    n.Shuffle: [
        ("an order", n.Shuffle(ORDER, members(1, 2), put(LIST, local(ORDER))), ("[2, 1]",), {"list": (2, 1)}),
        ("of nothing", n.Shuffle(ORDER, members(), put(LIST, local(ORDER))), ("[]",), {"list": ()}),
    ],
}  # fmt: skip


def test_every_operator_has_its_cases() -> None:
    assert set(CASES) == set(n.EFFECTS)
    assert all(type(effect) is kind for kind, cases in CASES.items() for _, effect, _, _ in cases)


@pytest.mark.parametrize(
    ("effect", "given", "expected"),
    [pytest.param(*case[1:], id=f"{kind.__name__}: {case[0]}") for kind, cs in CASES.items() for case in cs],
)
def test_effect(effect: n.Effect, given: tuple[str, ...], expected: dict[str, Value] | str) -> None:
    if isinstance(expected, dict):
        assert performed(effect, *given) == expected
    else:
        with pytest.raises(FaultFound) as caught:
            performed(effect, *given)
        fault = caught.value.fault
        assert f"{fault.place}: {fault.value} / {fault.type}" == expected


@pytest.mark.parametrize(
    ("effect", "given"),
    [
        (n.Draw(X, members(3, 4), None, n.NOTHING_DONE), "5"),
        (n.Draw(X, members(3, 4), n.Sub(WIDE, local(X), number(3)), n.NOTHING_DONE), "3"),
        (n.Shuffle(ORDER, members(1, 2), n.NOTHING_DONE), "[1, 1]"),
    ],
)
def test_chance_gives_only_what_can_come_up(effect: n.Effect, given: str) -> None:
    with pytest.raises(ChanceError):
        performed(effect, given)
