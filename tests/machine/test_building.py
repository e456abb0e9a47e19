"""Built functions mean the same whatever in them is constant, and so does their listing."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from guarded import KIT, Guarded
from hypothesis import given
from hypothesis import strategies as st

from rulespec.kernels.units import game_unit, module_of
from rulespec.machine import builder as b
from rulespec.machine import form as f
from rulespec.machine.builder import Builder
from rulespec.machine.listing import list_function, list_table
from rulespec.machine.state_memoisation import begins_version
from rulespec.machine.traversal import nodes_of

from .running import Run

Operator = Callable[[f.Expr, f.Expr], f.Expr]
A, B = f.Local(f.NUMBER, "x"), f.Local(f.NUMBER, "y")
NUMBERS: Mapping[str, Operator] = {
    "plus": lambda x, y: b.plus(b.plus(x, 3), y, -4),
    "minus": lambda x, y: b.minus(b.minus(x, 2), y),
    "times": b.times,
    "least": lambda x, y: b.arithmetic("min", x, y),
    "once": lambda x, y: b.times(x, 1),
    "greatest": lambda x, y: b.arithmetic("max", x, y),
    "divide": lambda x, y: b.arithmetic("//", x, b.plus(y, 99)),
    "rest": lambda x, y: b.arithmetic("%", x, b.plus(y, 99)),
    "choice": lambda x, y: b.choose(b.equal(x, y), 7, x),
    "named": lambda x, y: b.plus(x, b.number(5, "FIVE"), y, -5),
    "nested": lambda x, y: b.minus(x, b.minus(x, y)),
    "choice of choices": lambda x, y: b.choose(
        b.compare("<", b.choose(b.equal(x, 1), x, y), 2), x, b.plus(y, 1)
    ),
}
TRUTHS: Mapping[str, Operator] = {
    "less": lambda x, y: b.compare("<", x, y),
    "at most": lambda x, y: b.compare("<=", x, y),
    "more": lambda x, y: b.compare(">", x, y),
    "at least": lambda x, y: b.compare(">=", x, y),
    "not less": lambda x, y: b.negation(b.compare("<", x, y)),
    "differ": lambda x, y: b.negation(b.equal(x, y)),
    "between": lambda x, y: b.between(-1, x, y),
    "range": lambda x, y: b.between(0, x, 48),
    "both": lambda x, y: b.both(b.compare("<", x, 2), b.TRUE, y),
    "none": lambda x, y: b.both(x, b.FALSE, y),
    "either": lambda x, y: b.either(b.equal(x, y), b.FALSE, b.compare(">", y, 1)),
    "neither": lambda x, y: b.negation(b.either(b.equal(x, 1), y)),
    "twice": lambda x, y: b.negation(b.negation(x)),
    "truths": lambda x, y: b.equal(b.equal(x, 1), b.compare("<", y, 1)),
}
WORDS: Mapping[str, Operator] = {
    "union": lambda x, y: b.union(x, b.ZERO, y),
    "intersection": lambda x, y: b.intersection(x, b.word(b.FULL), y),
    "difference": lambda x, y: b.intersection(x, b.complement(y)),
    "inverted": lambda x, y: b.complement(b.union(x, y)),
    "neither": lambda x, y: b.intersection(b.complement(x), b.complement(y)),
    "nothing": lambda x, y: b.complement(x),
    "down": lambda x, y: b.shift_word(x, 7),
    "up": lambda x, y: b.union(b.shift_word(x, -7), y),
    "up and cut": lambda x, y: b.intersection(b.shift_word(x, -60), b.shift_word(y, -3)),
    "up and down": lambda x, y: b.shift_word(b.shift_word(x, -60), 60),
    "choice": lambda x, y: b.choose(b.differ(x, 0), y, 5),
    "apart": lambda x, y: b.union(
        b.intersection(b.complement(x), b.shift_word(y, -9)), b.complement(b.shift_word(x, -1))
    ),
}
COUNTS: Mapping[str, Operator] = {
    "count": lambda x, y: b.count_bits(x, b.complement(y)),
    "number": lambda x, y: b.as_type(b.complement(x), f.NUMBER),
    "moved": lambda x, y: b.count_bits(b.shift_word(x, -9), y),
    "full": lambda x, y: b.plus(b.count_bits(b.word(b.FULL)), b.count_bits(x)),
}


def function(name: str, made: f.Expr, t: f.Type) -> f.Function:
    body = Builder()
    x, y = body.local("x", t), body.local("y", t)
    body.give(made)
    return body.function(name, [x, y], [made.type])


def in_the_machine(functions: Mapping[str, f.Function]) -> Callable[..., Any]:
    """A function that calls one by name."""
    run = Run(module_of(game_unit(functions), (), tuple(functions)))
    entries = dict(zip(functions, run.entries.values(), strict=True))
    return lambda name, *given: entries[name](*given)


def in_python(made: f.Function) -> Callable[..., Any]:
    names: dict[str, Any] = {**KIT, "FIVE": 5}
    exec(list_function(made), names)  # noqa: S102 - written by us
    return names[made.name]  # type: ignore[no-any-return]


OPERATORS = {
    f"{group} {name}": (t, made)
    for group, t, table in (
        ("numbers", f.NUMBER, NUMBERS), ("truths", f.NUMBER, TRUTHS), ("words", f.WORD, WORDS),
        ("counts", f.WORD, COUNTS),
    )
    for name, made in table.items()
}  # fmt: skip
WRITTEN = {
    name: function(name.replace(" ", "_"), made(f.Local(t, "x"), f.Local(t, "y")), t)
    for name, (t, made) in OPERATORS.items()
}
CALL = in_the_machine({made.name: made for made in WRITTEN.values()})
SMALL = st.integers(-6, 6) | st.integers(-99, 1 << 30)
BITS = st.integers(0, 9) | st.integers(0, b.FULL) | st.just(b.FULL)


@pytest.mark.parametrize("name", OPERATORS)
@given(data=st.data())
def test_constants_are_worked_out_as_in_the_machine(name: str, data: st.DataObject) -> None:
    t, made = OPERATORS[name]
    x, y = (data.draw(BITS if t is f.WORD else SMALL.filter(lambda x: x != -99)) for _ in range(2))
    found = CALL(WRITTEN[name].name, x, y)
    assert in_python(WRITTEN[name])(x, y) == found, list_function(WRITTEN[name])
    for first, last in ((0, 1), (1, 0), (0, 0)):
        parts = [
            f.Const(t, v) if held == 0 else f.Local(t, of)
            for of, v, held in (("x", x, first), ("y", y, last))
        ]
        whole = function("part", made(*parts), t)
        assert in_python(whole)(x, y) == found, list_function(whole)
        if (
            first == last == 0
            and isinstance(whole.body[0], f.Return)
            and isinstance(whole.body[0].values[0], f.Const)
        ):
            assert whole.body[0].values[0].value == found


def test_a_store_into_the_state_begins_a_new_one() -> None:
    s, count = f.Local(f.NUMBERS, "s"), f.Local(f.NUMBERS, "count")
    total = Builder()
    total.store(count, 0, b.plus(b.load(count, 0), 1))
    total.give(b.plus(b.load(s, 0), b.load(s, 1)))
    changing = Builder(("s",))
    first, last = changing.local("first"), changing.local("last")
    asked = changing.call(f.NUMBER, "total", s, count)
    changing.set(first, asked)
    changing.store(s, 1, b.plus(b.load(s, 1), 7))
    changing.store(count, 1, 5)
    changing.set(last, b.times(asked, asked))
    changing.give(b.plus(b.times(first, 1000), last))
    functions = {
        "total": total.function("total", [s, count], [f.NUMBER], once=()),
        "changing": changing.function("changing", [s, count], [f.NUMBER]),
    }
    assert sum(map(begins_version, nodes_of(functions["changing"].body))) == 1
    assert sum(map(begins_version, nodes_of(functions["total"].body))) == 0
    run = Run(module_of(game_unit(functions), (), ("changing",)))
    numbers, counts = run.array(f.NUMBERS, [1, 2]), run.array(f.NUMBERS, [0, 0])
    assert next(iter(run.entries.values()))(numbers, counts) == 3 * 1000 + 100
    assert counts.tolist() == [2, 5], "it is asked three times, and worked out once for each state"


def test_conditions_stay_open_until_they_end() -> None:
    body = Builder()
    x = body.local("x")
    body.under(b.compare(">", x, 0))
    body.under(b.TRUE)
    with body.each(body.local("i"), 0, x):
        body.under(b.FALSE)
        body.give(9)
        body.back(2)
        body.add(x, 1)
    body.back(1)
    with body.when(b.equal(x, 4)):
        body.give(1)
    with body.otherwise():
        body.give(2)
    body.back(0)
    body.give(3)
    made = body.function("made", [x], [f.NUMBER])
    assert list_function(made) == textwrap.dedent("""\
        def made(x):
            if x > 0:
                for i in range(x):
                    x += 1
                if x == 4:
                    return 1
                else:
                    return 2
            return 3""")
    assert [in_python(made)(x) for x in (0, 1, 2)] == [3, 2, 1]


def test_a_name_is_given_once() -> None:
    body = Builder()
    assert [body.local(name).name for name in ("x", "x", "x_2", "x")] == ["x", "x_2", "x_2_2", "x_3"]


@pytest.mark.parametrize("kind", [f.NUMBERS, f.WORDS])
@pytest.mark.parametrize("size", [0, 3, 90])
def test_a_table_is_listed_in_short_lines(kind: f.Type, size: int) -> None:
    table = f.Table("T", kind, [0, f.NONE if kind is f.NUMBERS else b.FULL, 5][:size] + [7] * (size - 3))
    made = list_table(table)
    names: dict[str, Any] = dict(KIT)
    exec(made, names)  # noqa: S102 - written by us
    assert isinstance(names["T"], Guarded)
    assert names["T"].tolist() == list(table.values)
    assert max(map(len, made.split("\n"))) <= 110


def test_a_name_of_a_constant_is_for_readers_only() -> None:
    named = b.number(3, "THREE")
    assert named == b.number(3)
    assert list_function(function("made", b.plus(f.Local(f.NUMBER, "x"), named, 1), f.NUMBER)).endswith(
        "return x + THREE + 1"
    )
    assert replace(named, name="") == named
