"""Elements of tables lie in as few bytes as hold them all, and are what they were."""

from __future__ import annotations

import pytest

from rulespec.machine import form as f
from rulespec.machine.passes.pipeline import optimise
from rulespec.machine.webassembly.table_widths import table_widths

from .running import Run, translated

TEXT = """
    T = {kind}({values})

    def at(n: int) -> {result}:
        return T[n]

    def beside(n: int) -> {result}:
        return T[n + 2] {joined} T[n - 1]

    def size(n: int) -> int:
        return len(T) + n
"""
NUMBERS = [
    (1, [0, 255, 7, 3]), (2, [0, 256, 7, 3]), (2, [1, 65535, 7, 3]), (4, [0, 65536, 7, 3]),
    (4, [(1 << 32) - 1, 0, 5, 6]), (8, [1 << 32, 0, 5, 6]), (4, [-1, 3, 255, 4]), (4, [-(1 << 31), 1, 2, 3]),
    (4, [-5, (1 << 31) - 1, 2, 3]), (8, [-5, 1 << 31, 2, 3]), (8, [-(1 << 31) - 1, 1, 2, 3]),
    (8, [-(1 << 60), 0, 1, 2]),
]  # fmt: skip
WORDS = [
    (1, [0, 255, 7, 3]),
    (4, [0, (1 << 32) - 1, 7, 3]),
    (8, [0, 1 << 32, 7, 3]),
    (8, [(1 << 64) - 1, 1, 0, 2]),
]


@pytest.mark.parametrize(
    ("kind", "size", "values"), [*(("table", *x) for x in NUMBERS), *(("masks", *x) for x in WORDS)]
)
def test_each_element_is_what_it_was(kind: str, size: int, values: list[int]) -> None:
    words = kind == "masks"
    text = TEXT.format(
        kind=kind, values=values, result="Word" if words else "int", joined="|" if words else "+"
    )
    module = translated(text)
    assert table_widths(optimise(module))["T"].size == size
    run = Run(module)
    assert [run.at(i) for i in range(4)] == values
    assert run.beside(1) == (values[3] | values[0] if words else values[3] + values[0])
    assert run.size(1) == 5


def test_a_table_that_is_passed_stays_as_functions_know_it() -> None:
    """A function that takes an array reads eight bytes for each element."""
    text = """
    T = table([1, 2, 3])

    def _read(s: Numbers, n: int) -> int:
        if n == 0:
            return s[0]
        return _read(s, n - 1) * 10 + s[n]

    def both(s: Numbers, n: int) -> int:
        return (_read(T, n) if s[0] == 0 else _read(s, n)) + T[n]
    """
    module = translated(text)
    assert table_widths(optimise(module))["T"].size == 8
    run = Run(module)
    assert run.both(run.array(f.NUMBERS, [0, 0, 0]), 2) == 123 + 3
    assert run.both(run.array(f.NUMBERS, [4, 5, 6]), 2) == 456 + 3
