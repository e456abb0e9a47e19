"""Functions in the subset do in the machine what they do in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.kernels import kit
from rulespec.machine import form as f
from rulespec.machine.subset.units import SubsetError

from .running import Run

NUMBERS = st.integers(-(1 << 30), 1 << 30) | st.integers(-9, 9)
WORDS = st.integers(0, (1 << 64) - 1) | st.integers(0, 9)
NUMBER_TEXTS = {
    "plus": "a + b * 3 - (a - b)", "divide": "a // (b if b != 0 else 7)", "rest": "a % (b if b != 0 else 7)",
    "by eight": "a // 8 + a % 8", "bits": "(a & b) | (a ^ 5)", "shift": "(a << 3) + (a >> 2)", "not": "~a",
    "negative": "-a - -b", "least": "min(a, b, 4) - max(a, b)",
    "choice": "a if a < b else b + 1", "either": "1 if a < b or a == 3 else 0",
    "both": "1 if not a < b and b != 2 else 0", "truth as number": "(a < b) + (a == b) * 2",
    "zero": "1 if a else 0", "constants": "a * (2 + 3 * 4 - 1)",
    "range": "1 if 0 <= a and a <= 48 else 0", "range below 0": "1 if -7 <= b and b <= 3 else 0",
    "wide range": "1 if -(1 << 62) <= a and a <= 1 << 62 else 0", "no range": "1 if 5 <= a and a <= 3 else 0",
    "place": "(a if 0 <= a and a <= 41 else -1) * 3", "equal": "a if a == b else b * 2",
    "absent": "(9 if a == NONE else a) + (b if a != 3 else 7)", "kept": "a // b if b != 0 else 0",
    "choice of truths": "1 if (a < b if a > 0 else b > 0) else 0",
}  # fmt: skip
WORD_TEXTS = {
    "sum": "(a + b * 3) & FULL_WORD", "difference": "(a - b) & FULL_WORD", "bits": "(a & ~b) | (a ^ ONE)",
    "shift": "((a << 7) & FULL_WORD) ^ (b >> 9)", "mixing": "mix(a ^ mix(b))",
    "choice": "a if a < b else b",
    "lowest": "a & (a - ONE) if a != ZERO else b", "greatest": "max(a, b) ^ min(a, b)",
}  # fmt: skip
COUNT_TEXTS = {
    "count": "count(a) - count(b)", "low": "low(a | ONE << 63)", "high": "high(a | ONE)",
    "compare": "1 if a <= b else 0", "as number": "as_number(a >> 1) % 1000",
    "zero": "0 if a else 1",
    "and back": "as_number(as_word(5)) + count(a)",
}  # fmt: skip


def in_python(text: str) -> Callable[..., Any]:
    names: dict[str, Any] = dict(vars(kit)) | {"Word": int}
    exec(text, names)  # noqa: S102 - of this file
    return names["run"]  # type: ignore[no-any-return]


def texts(kind: str, result: str, bodies: dict[str, str]) -> dict[str, str]:
    return {
        name: f"def run(a: {kind}, b: {kind}) -> {result}:\n    return {body}\n"
        for name, body in bodies.items()
    }


NUMBER_RUNS = {name: Run(text) for name, text in texts("int", "int", NUMBER_TEXTS).items()}


@pytest.mark.parametrize("name", NUMBER_TEXTS)
@given(a=NUMBERS, b=NUMBERS)
def test_numbers(name: str, a: int, b: int) -> None:
    text = texts("int", "int", NUMBER_TEXTS)[name]
    assert NUMBER_RUNS[name].run(a, b) == in_python(text)(a, b)


WORD_RUNS = {name: Run(text) for name, text in texts("Word", "Word", WORD_TEXTS).items()}


@pytest.mark.parametrize("name", WORD_TEXTS)
@given(a=WORDS, b=WORDS)
def test_words(name: str, a: int, b: int) -> None:
    text = texts("Word", "Word", WORD_TEXTS)[name]
    assert WORD_RUNS[name].run(a, b) == in_python(text)(a, b) % (1 << 64)


COUNT_RUNS = {name: Run(text) for name, text in texts("Word", "int", COUNT_TEXTS).items()}


@pytest.mark.parametrize("name", COUNT_TEXTS)
@given(a=WORDS, b=WORDS)
def test_words_as_numbers(name: str, a: int, b: int) -> None:
    text = texts("Word", "int", COUNT_TEXTS)[name]
    assert COUNT_RUNS[name].run(a, b) == in_python(text)(a, b)


LOOPS = {
    "up": "t = 0\nfor i in range(n):\n    t += i\nreturn t",
    "from and to": "t = 0\nfor i in range(2, n):\n    t = t * 3 + i\nreturn t",
    "down": "t = 0\nfor i in range(n, -1, -1):\n    t = t * 3 + i\nreturn t",
    "by two": "t = 0\nfor i in range(1, n, 2):\n    t = t * 3 + i\nreturn t",
    "changed on the way": "t = 0\nfor i in range(n):\n    t += i\n    i = 7\n    t += i\nreturn t",
    "the last one": "i = -1\nfor i in range(n):\n    if i == 5:\n        break\nreturn i",
    "skipped": "t = 0\nfor i in range(n):\n    if i % 3 == 1:\n        continue\n    t += i\nreturn t",
    "nested": "t = 0\nfor i in range(n):\n    for j in range(i):\n"
    "        if j == 4:\n            break\n        t += i * j\nreturn t",
    "while": "t = 0\nwhile t < n:\n    t += 3\n    if t == 9:\n        break\nreturn t",
    "for ever": "t = 0\nwhile True:\n    t += 2\n    if t > n:\n        return t",
    "early": "if n > 4:\n    return 1\nelif n > 2:\n    return 2\nreturn 3",
    "at once": "a, b = n, 1\na, b = b, a\nreturn a * 10 + b",
    "truth then number": "x = n > 3\nif n > 5:\n    x = 9\nreturn x",
}  # fmt: skip
LOOP_RUNS = {
    name: Run("def run(n: int) -> int:\n    " + body.replace("\n", "\n    ") + "\n")
    for name, body in LOOPS.items()
}


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("n", [-1, 0, 1, 2, 3, 5, 6, 9, 12])
def test_loops(name: str, n: int) -> None:
    text = "def run(n: int) -> int:\n    " + LOOPS[name].replace("\n", "\n    ") + "\n"
    assert LOOP_RUNS[name].run(n) == in_python(text)(n)


def test_arrays_are_read_and_written() -> None:
    run = Run("""
        def run(a: Numbers, b: Words, c: Small, d: Reals) -> int:
            a[0], a[1] = a[1], a[0]
            a[2] += len(a) * 10 + len(c)
            b[a[3]] |= ONE << 63
            c[0] = -5
            c[1] -= 1
            d[0] = d[0] / 4 + a[0]
            total = 0
            for i in range(len(c)):
                total += c[i]
            return total
        """)
    a, b = run.array(f.NUMBERS, [1, 2, 3, 1]), run.array(f.WORDS, [4, 5])
    c, d = run.array(f.SMALL, [7, 8, 9]), run.array(f.REALS, [3.0])
    assert run.run(a, b, c, d) == -5 + 7 + 9
    assert (a.tolist(), b.tolist()) == ([2, 1, 46, 1], [4, 5 | 1 << 63])
    assert (c.tolist(), d.tolist()) == ([-5, 7, 9], [2.75])


@pytest.mark.parametrize(("to", "source"), [(0, 0), (1, 0), (0, 1), (49, 0), (50, 0), (0, 49), (0, 70)])
def test_runs_are_copied_element_by_element_in_order(to: int, source: int) -> None:
    run = Run("""
        def copied(s: Numbers, t: Numbers, to: int, source: int) -> int:
            for i in range(50):
                s[to + i] = s[source + i]
            for i in range(2, 60):
                t[i] = s[i - 1]
            return i
    """)
    s, t = run.array(f.NUMBERS, range(120)), run.array(f.NUMBERS, [-1] * 61)
    wanted = [*range(120)]
    for i in range(50):
        wanted[to + i] = wanted[source + i]
    assert run.copied(s, t, to, source) == 59
    assert (s.tolist(), t.tolist()) == (wanted, [-1, -1, *wanted[1:59], -1])


@pytest.mark.parametrize("index", ["NONE", "NONE - 1", "n + NONE", "-NONE"])
def test_an_index_that_is_never_used_may_be_anything(index: str) -> None:
    """A list was written at position none, behind a test that there is one, and the module was refused."""
    run = Run(f"""
        def run(a: Numbers, n: int) -> int:
            if n > 5:
                a[{index}] = a[{index}] + TABLE[{index}]
            return a[n]

        TABLE = table([1, 2, 3])
        """)
    assert run.run(run.array(f.NUMBERS, [7, 8]), 1) == 8


def test_tuples_of_arrays_are_taken_apart() -> None:
    run = Run("""
        def _inner(pair: Pair, at: int) -> int:
            numbers, words = pair
            return numbers[at] + as_number(words[0]) + as_number(pair[1][1])

        def run(nested: Nested) -> int:
            pair, small = nested
            (numbers, _), _ = nested
            numbers[1] = 50
            return _inner(pair, 1) + _inner((numbers, pair[1]), 0) + small[0] + nested[1][0]
        """)
    numbers, words = run.array(f.NUMBERS, [7, 0]), run.array(f.WORDS, [100, 1000])
    assert run.run(((numbers, words), run.array(f.SMALL, [3]))) == 50 + 1100 + 7 + 1100 + 6


def test_constants_and_tables_of_the_text() -> None:
    run = Run("""
        FIRST, SECOND = 3, 1 << 20
        MASK = word(0xFF00)
        SQUARES = table([0, 1, 4, 9])
        BITS = masks([1, 2, 1 << 63])

        def run(n: int) -> int:
            return SQUARES[n] + FIRST + SECOND + count(MASK | BITS[2]) + len(SQUARES)
        """)
    assert run.run(3) == 9 + 3 + (1 << 20) + 9 + 4


def test_what_is_added_to_an_index_may_bring_it_back_into_a_table() -> None:
    run = Run("""
        SQUARES = table([9, 4, 1, 0, 1, 4])

        def run(n: int) -> int:
            return SQUARES[n + 3]
        """)
    assert [run.run(n) for n in range(-3, 3)] == [9, 4, 1, 0, 1, 4]


def test_functions_call_one_another_and_themselves() -> None:
    run = Run("""
        def _even(n: int) -> bool:
            return True if n == 0 else _odd(n - 1)

        def _odd(n: int) -> bool:
            return False if n == 0 else _even(n - 1)

        def _both(n: int) -> tuple[int, int]:
            return n // 10, n % 10

        def _length(n: int) -> int:
            if n == 0:
                return 0
            rest = _length(n // 10)
            return rest + 1

        def run(n: int) -> int:
            high, low_ = _both(n)
            _, again = _both(low_)
            return high * 100 + low_ * 10 + again + (1000 if _even(n) else 2000) + _length(n) * 10000
        """)
    assert run.run(42) == 4 * 100 + 20 + 2 + 1000 + 20000
    assert run.run(7) == 0 + 70 + 7 + 2000 + 10000


BRANCHY = """
    def _step(x: int, y: int) -> int:
        y += 1
        for i in range(x):
            if i == y:
                return i * 2
            if i > 6:
                break
        return x + y

    def _apart(x: int, s: Numbers) -> int:
        s[0] += 1
        return _step(x, s[0])

    def _bounds(x: int, y: int) -> tuple[int, int]:
        for i in range(x):
            if i * i > y:
                return i, y
        return y, x - 1

    def run(n: int, s: Numbers) -> int:
        total = 0
        for i in range(n):
            first, total = _bounds(total, i + s[0])
            s[0] += first
            total = total * 3 + _step(i, total % 5) + _apart(_step(i, 1), s)
            if total > 10000:
                total %= 777
                continue
        return total
    """


@pytest.mark.parametrize("small", [0, 30, 1000])
def test_calls_put_in_place_do_the_same(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Run(BRANCHY)
    monkeypatch.setattr("rulespec.machine.passes.inlining.SMALL", {False: small, True: small})
    monkeypatch.setattr("rulespec.machine.passes.inlining.LARGE", small)
    monkeypatch.setattr("rulespec.machine.passes.inlining.TINY", small)
    other = Run(BRANCHY)
    for n in range(20):
        results = [run.run(n, run.array(f.NUMBERS, [0])) for run in (expected, other)]
        assert results[0] == results[1]


WRONG: Sequence[tuple[str, str]] = [
    ("return {1: 2}", "not in the subset"),
    ("return b + n", "a word and a number"),
    ("return unknown", "nothing has this name: unknown"),
    ("return unknown(n)", "nothing has this name: unknown(n)"),
    ("return n[0]", "no array"),
    ("x = ONE\n    x = n\n    return n", "a word and a number"),
    ("try:\n        return n\n    finally:\n        pass", "not in the subset"),
    ("with n:\n        return n", "not in the subset"),
    ("return a < n < 5", "not in the subset"),
    ("for x in b:\n        pass", "not in the subset"),
    ("return [x for x in range(n)]", "not in the subset"),
    ("import os\n    return n", "not in the subset"),
]


@pytest.mark.parametrize(("body", "message"), WRONG)
def test_what_is_not_in_the_subset_is_refused(body: str, message: str) -> None:
    with pytest.raises(SubsetError, match=re.escape(message)):
        Run(f"def run(n: int, b: Word) -> int:\n    {body}\n")


def test_results_are_declared() -> None:
    with pytest.raises(SubsetError, match="run declares no results"):
        Run("def run(n: int):\n    return n\n")
