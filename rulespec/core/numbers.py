"""Numbers in untrusted texts, and in sentences."""

from __future__ import annotations

import re

MOST_DIGITS = 9
"""Maximum number of digits of a number in a text."""

_DIGITS = re.compile(r"[0-9]+")


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """The number that a text of at most `digits` ASCII digits denotes; None for any other text.

    `int` accepts digits of other scripts, refuses some that `str.isdigit` accepts (`²`), and raises
    ValueError for thousands of digits. Leading zeros count as digits.

    >>> whole_number("42"), whole_number("²"), whole_number("9" * 5000) (42, None, None)
    """
    return int(text) if len(text) <= digits and _DIGITS.fullmatch(text) else None


def number_of(number: int, thing: str) -> str:
    """A number with the noun that it counts."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
