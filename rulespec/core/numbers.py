"""Numbers in strangers' texts: read only as far as they can mean anything."""

from __future__ import annotations

import re

MOST_DIGITS = 9
"""The most digits of a number that a text gives."""

_DIGITS = re.compile(r"[0-9]+")


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """The number from 0 that a text stands for; None if it is anything but ASCII digits, or too many of them.

    `int` takes other scripts' digits, refuses what `str.isdigit` calls a digit (`²`), and raises
    ValueError for thousands of digits. Leading zeros count as digits.

    >>> whole_number("42"), whole_number("²"), whole_number("9" * 5000)
    (42, None, None)
    """
    return int(text) if len(text) <= digits and _DIGITS.fullmatch(text) else None
