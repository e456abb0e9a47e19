"""Results of functions of numbers alone are kept, each for its own arguments."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest

from rulespec.machine import form as f
from rulespec.machine.passes import memoisation

from .running import WAYS, Run, translated

TEXT = (
    WAYS
    + """
    def _even(x: Word, yes: int) -> bool:
        if x == ZERO:
            return yes == 1
        return _even(x & (x - ONE), 1 - yes)

    def _changing(s: Numbers, n: int) -> int:
        s[0] += 1
        if n == 0:
            return 0
        return _changing(s, n - 1) + s[0]

    def _reading(s: Numbers, n: int) -> int:
        if n == 0:
            return s[0]
        return _reading(s, n - 1) + 1

    def _filling(s: Numbers, n: int) -> int:
        s[n] = 9
        if n == 0:
            return 1
        return _filling(s, n - 1) + 1

    def _blend(a: int, x: Word, b: int, n: int) -> int:
        if n == 0:
            return a * 1000 + b * 10 + as_number(x >> 58)
        return _blend(a, x, b, n - 1) + 100000

    def _alike(a: int, x: Word, b: int, n: int) -> bool:
        if n == 0:
            return a + b == as_number(x >> 58)
        return not _alike(a, x, b, n - 1)

    def blend(a: int, x: Word, b: int, n: int) -> int:
        return _blend(a, x, b, n)

    def alike(a: int, x: Word, b: int, n: int) -> int:
        return 1 if _alike(a, x, b, n) else 0

    def filling(s: Numbers, n: int) -> int:
        return _filling(s, n)

    def ways(n: int, k: int) -> int:
        return _ways(n, k)

    def even(x: Word, yes: int) -> int:
        return 1 if _even(x, yes) else 0

    def changing(s: Numbers, n: int) -> int:
        return _changing(s, n)

    def reading(s: Numbers, n: int) -> int:
        return _reading(s, n)
    """
)


@pytest.fixture(params=[1, 12])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """With two places for all results of a function, and with many."""
    monkeypatch.setattr(memoisation, "WORDS_BITS", request.param)
    return Run(TEXT)


def test_numbers(run: Run) -> None:
    row = [1]
    for n in range(14):
        assert [run.ways(n, k) for k in range(n + 1)] == row
        row = [1, *(a + b for a, b in pairwise(row)), 1]


def test_words_and_truth(run: Run) -> None:
    for x in (0, 1, 3, 1 << 63, (1 << 64) - 1, 0xF0F1):
        assert run.even(x, 1) == 1 - x.bit_count() % 2
        assert run.even(x, 0) == x.bit_count() % 2


A, X, B, N = range(-7, 9), [k << 58 for k in range(0, 64, 9)], range(3), range(4)
RANGES = ((-7, 4), (0, 64), (0, 2), (0, 2))


@pytest.mark.parametrize("ranges", [(), RANGES, (RANGES[0], (0, 59), *RANGES[2:])])
@pytest.mark.parametrize("bits", [1, 4, 14])
def test_arguments_that_share_a_word_are_told_apart(
    bits: int, ranges: tuple[tuple[int, int], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memoisation, "WORDS_BITS", bits)
    module = translated(TEXT)
    kept = {name for name in module.functions if name.endswith(("_blend", "_alike"))}
    assert len(kept) == 2
    given = {name: replace(x, ranges=ranges if name in kept else ()) for name, x in module.functions.items()}
    run = Run(replace(module, functions=given))
    high = [x for x in X if not ranges or x < 1 << ranges[1][1]]
    for _ in range(2):
        for a, x, b, n in product(A, high, B, N):
            assert run.blend(a, x, b, n) == a * 1000 + b * 10 + (x >> 58) + 100_000 * n
            assert run.alike(a, x, b, n) == (a + b == x >> 58) ^ n % 2


def test_a_function_that_changes_an_array_is_called_each_time(run: Run) -> None:
    s = run.array(f.NUMBERS, [0])
    assert (run.changing(s, 3), run.changing(s, 3), s[0]) == (12, 24, 8)


def test_a_function_that_reads_an_array_is_called_each_time(run: Run) -> None:
    s = run.array(f.NUMBERS, [5])
    assert run.reading(s, 3) == 8
    s[0] = 7
    assert run.reading(s, 3) == 10


def test_a_function_that_only_stores_is_called_each_time(run: Run) -> None:
    s = run.array(f.NUMBERS, [0, 0, 0])
    assert run.filling(s, 2) == 3
    s[:] = [0, 0, 0]
    assert run.filling(s, 2) == 3
    assert s.tolist() == [9, 9, 9]
