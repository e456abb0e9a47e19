"""Results that are kept for a state are those of the state, and worked out once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.machine import form as f

from .running import Run

TEXT = """
    @once()
    def _sum(s, b: Words, count: Numbers):
        count[0] += 1
        total = 0
        for i in range(4):
            total += s[i]
        return total

    @once(0, 4)
    def _after(s, b: Words, count: Numbers, x):
        count[1] += 1
        total = _sum(s, b, count)
        for i in range(x):
            total += s[i] * 10
        return total

    @once(-2, 3, 0, 2)
    def _two(s, b: Words, count: Numbers, x, y):
        count[2] += 1
        for i in range(1):
            x += i
        return x * 100 + s[0], y == 1

    @steady
    def asked(s: Numbers, b: Words, count: Numbers, x: int) -> int:
        total = 0
        for i in range(3):
            total += _after(s, b, count, x) + _sum(s, b, count)
        high, yes = _two(s, b, count, x - 2, x % 2)
        high_2, yes_2 = _two(s, b, count, x - 2, x % 2)
        return total * 1000 + high + high_2 + (5 if yes and yes_2 else 0)

    @begins
    def changing(s: Numbers, b: Words, count: Numbers) -> int:
        first = _sum(s, b, count)
        s[2] += 7
        second = _sum(s, b, count)
        return first * 1000 + second
    """


def model(s: list[int], x: int) -> int:
    whole = sum(s[:4])
    return 3 * (whole + 10 * sum(s[:x]) + whole) * 1000 + 2 * ((x - 2) * 100 + s[0]) + (5 if x % 2 else 0)


RUN = Run(TEXT, {"s": 4})


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


LOADS = """
    @steady
    def asked(s: Numbers, n: int) -> int:
        total = 0
        for i in range(n):
            s[2] = i
            total += s[0] * s[1] + s[2]
        return total

    def changing(s: Numbers, n: int) -> int:
        total = 0
        for i in range(n):
            total += s[0]
            s[0] += 1
        return total
    """


@pytest.mark.parametrize("n", range(5))
def test_only_elements_of_the_state_are_loaded_once(n: int) -> None:
    run = Run(LOADS, {"s": 2})
    s = run.array(f.NUMBERS, [3, 5, 0])
    assert run.asked(s, n) == n * 15 + sum(range(n))
    assert run.changing(s, n) == sum(range(3, 3 + n))
