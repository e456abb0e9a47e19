"""Results that are kept for a state are those of the state, and worked out once."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.kernels import kit
from rulespec.kernels.units import game_unit, module_of
from rulespec.machine import form as f
from rulespec.machine.state_memoisation import NEXT_VERSION, begins_version
from rulespec.machine.traversal import nodes_of

from .running import Run, translated


def run_with_states(text: str) -> Run:
    """A text in the machine as the code of a game: `@once(...)` marks its functions."""
    plain = translated(re.sub("@.*\\n", "\\n", text), shown=True).functions
    functions: dict[str, f.Table | f.Function | int] = {}
    for node in ast.parse(textwrap.dedent(text)).body:
        assert isinstance(node, ast.FunctionDef)
        made, once = plain[node.name], None
        for mark in node.decorator_list:
            assert isinstance(mark, ast.Call)
            once = tuple(map(ast.literal_eval, mark.args))
        functions[node.name] = replace(made, body=changing(made.body), once=once)
    entries = tuple(name for name in functions if not name.startswith("_"))
    run = Run(module_of(game_unit(functions), (), entries))
    run.entries = dict(zip(entries, run.entries.values(), strict=True))
    return run


def changing(body: f.Body) -> f.Body:
    """A body after each of whose stores into the state a new one begins."""
    made: list[f.Statement] = []
    for x in body:
        if isinstance(x, f.If):
            x = replace(x, then=changing(x.then), other=changing(x.other))  # noqa: PLW2901
        elif isinstance(x, f.While | f.For):
            x = replace(x, body=changing(x.body))  # noqa: PLW2901
        made.append(x)
        if isinstance(x, f.Store) and x.array == f.Local(f.NUMBERS, "s"):
            made.append(NEXT_VERSION)
    return tuple(made)


TEXT = """
    @once()
    def _sum(s: Numbers, b: Words, count: Numbers) -> int:
        count[0] += 1
        total = 0
        for i in range(4):
            total += s[i]
        return total

    @once(0, 4)
    def _after(s: Numbers, b: Words, count: Numbers, x: int) -> int:
        count[1] += 1
        total = _sum(s, b, count)
        for i in range(x):
            total += s[i] * 10
        return total

    @once(-2, 3, 0, 2)
    def _two(s: Numbers, b: Words, count: Numbers, x: int, y: int) -> tuple[int, bool]:
        count[2] += 1
        for i in range(1):
            x += i
        return x * 100 + s[0], y == 1

    def asked(s: Numbers, b: Words, count: Numbers, x: int) -> int:
        total = 0
        for i in range(3):
            total += _after(s, b, count, x) + _sum(s, b, count)
        high, yes = _two(s, b, count, x - 2, x % 2)
        high_2, yes_2 = _two(s, b, count, x - 2, x % 2)
        return total * 1000 + high + high_2 + (5 if yes and yes_2 else 0)

    def changing(s: Numbers, b: Words, count: Numbers) -> int:
        first = _sum(s, b, count)
        s[2] += 7
        second = _sum(s, b, count)
        return first * 1000 + second
    """


def model(s: list[int], x: int) -> int:
    whole = sum(s[:4])
    return 3 * (whole + 10 * sum(s[:x]) + whole) * 1000 + 2 * ((x - 2) * 100 + s[0]) + (5 if x % 2 else 0)


RUN = run_with_states(TEXT)


@given(
    st.lists(st.tuples(st.lists(st.integers(-50, 50), min_size=4, max_size=4), st.integers(0, 2)), max_size=8)
)
def test_each_state_has_its_own_results(asked: list[tuple[list[int], int]]) -> None:
    b, count = RUN.array(f.WORDS, [0]), RUN.array(f.NUMBERS, [0, 0, 0])
    s = RUN.array(f.NUMBERS, [0] * 4)
    for number, (state, x) in enumerate(asked, 1):
        s[:] = state
        assert RUN.asked(s, b, count, x) == model(state, x)
        assert count.tolist() == [number] * 3


def test_a_change_of_the_state_begins_a_new_one() -> None:
    b, count = RUN.array(f.WORDS, [0]), RUN.array(f.NUMBERS, [0, 0, 0])
    s = RUN.array(f.NUMBERS, [1, 2, 3, 4])
    assert RUN.changing(s, b, count) == 10 * 1000 + 17
    assert count.tolist() == [2, 0, 0]


MANY = """
    @once()
    def _sum(s: Numbers, count: Numbers) -> int:
        count[0] += 1
        total = 0
        for i in range(3):
            total += s[i]
        return total

    def _put(s: Numbers, i: int, x: int) -> int:
        s[i] = x
        if x < 0:
            return 1
        s[i] = x + 1
        return 0

    def _both(s: Numbers, count: Numbers, x: int) -> int:
        _put(s, 0, x)
        s[1] = _sum(s, count)
        return _sum(s, count)

    def straight(s: Numbers, count: Numbers) -> int:
        total = _sum(s, count) + _sum(s, count)
        _put(s, 0, 4)
        s[1] = 5
        _put(s, 2, 6)
        return total * 1000 + _sum(s, count) + _sum(s, count)

    def branching(s: Numbers, count: Numbers, x: int) -> int:
        total = _sum(s, count)
        if x == 1:
            _put(s, 0, 4)
        elif x == 2:
            total += _sum(s, count)
        elif _put(s, 1, x) == 1:
            total += 7
        s[2] = 9
        return total * 1000 + _sum(s, count)

    def looping(s: Numbers, count: Numbers, n: int) -> int:
        total = 0
        for i in range(n):
            total = total * 100 + _sum(s, count)
            if i == 1:
                continue
            s[0] += 1
        for i in range(n):
            s[1] += i
            total += _sum(s, count)
        return total

    def given(s: Numbers, count: Numbers, x: int) -> int:
        fault = _put(s, 0, _sum(s, count) + x)
        total = _sum(s, count)
        if _both(s, count, x) > 0:
            total = total * 100 + _sum(s, count)
        return total * 100 + fault
    """
MIXED = """
    def mingled(s: Numbers, count: Numbers, x: int) -> int:
        if _put(s, 0, _sum(s, count)) == 0 and _sum(s, count) > x:
            return _sum(s, count) * 100 + _both(s, count, x)
        return _sum(s, count)
    """
LOOP = """
    def mingled(s: Numbers, count: Numbers, n: int) -> int:
        while _put(s, 2, n) == 1:
            n += 1 + 0 * _sum(s, count)
        return n * 100 + _sum(s, count)
    """


@pytest.mark.parametrize(
    ("asked", "further"),
    [
        ("straight", ""),
        ("branching", ""),
        ("looping", ""),
        ("given", ""),
        ("mingled", MIXED),
        ("mingled", LOOP),
    ],
)
@pytest.mark.parametrize("x", [-1, 1, 2, 3])
def test_a_state_has_its_own_results_wherever_it_is_changed(asked: str, further: str, x: int) -> None:
    """As in Python, where nothing is kept."""
    text = MANY + further
    run = run_with_states(text)
    names: dict[str, Any] = {**vars(kit), "once": lambda *_: lambda x: x}
    exec(textwrap.dedent(text).replace("Numbers", "object"), names)  # noqa: S102 - the texts above
    s, count = run.array(f.NUMBERS, [1, 2, 3]), run.array(f.NUMBERS, [0])
    plain = [1, 2, 3]
    more = () if asked == "straight" else (x,)
    for _ in range(2):
        assert getattr(run, asked)(s, count, *more) == names[asked](plain, [0], *more)
        assert s.tolist() == plain


def test_a_new_state_begins_where_something_is_asked() -> None:
    run = run_with_states(MANY)
    s, count = run.array(f.NUMBERS, [1, 2, 3]), run.array(f.NUMBERS, [0])
    run.straight(s, count)
    assert count.tolist() == [2]
    assert beginnings(run, "_put") == 0
    assert beginnings(run, "straight_") == 2, "when it is called, and before the first of three changes"


def beginnings(run: Run, name: str) -> int:
    """How many times the text of a function begins a new state."""
    return sum(map(begins_version, nodes_of(run.module.functions[name].body)))


def test_a_change_of_what_no_result_depends_on_keeps_them() -> None:
    run = run_with_states("""
        @once()
        def _half(s: Numbers, count: Numbers) -> int:
            count[0] += 1
            return s[0] + s[1]

        def asked(s: Numbers, count: Numbers) -> int:
            total = _half(s, count)
            s[2] += 9
            total = total * 100 + _half(s, count)
            s[1] += 3
            return total * 100 + _half(s, count)
        """)
    s, count = run.array(f.NUMBERS, [4, 5, 6]), run.array(f.NUMBERS, [0])
    assert run.asked(s, count) == 90912
    assert count.tolist() == [2]
