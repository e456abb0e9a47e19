"""Numbers in texts are a few ASCII digits."""

from __future__ import annotations

import pytest

from rulespec.core.numbers import whole_number


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("42", 42), ("007", 7), ("9" * 9, 999_999_999)])
def test_numbers(text: str, value: int) -> None:
    assert whole_number(text) == value


@pytest.mark.parametrize("text", ["", "²", "٣", "-1", "+1", "1_000", " 1", "1\n", "x", "9" * 10, "9" * 5_000])
def test_no_numbers(text: str) -> None:
    """`²` passes `str.isdigit` and fails in `int`, as thousands of digits do: both ended in a traceback."""
    assert whole_number(text) is None
