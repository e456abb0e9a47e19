"""The types of the data in stores of verdicts, checked once when a store is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .diagnostics import CONTROLS

MOST_DIGITS = 100
"""The most digits of a number in a store; sums of squares of samples are the largest numbers."""

_UNPRINTABLE = re.compile(f"[\t\n{CONTROLS}]")

Form = Callable[[Any], bool]


def whole(value: Any) -> bool:
    """True for an integer of at most `MOST_DIGITS` digits."""
    return type(value) is int and abs(value) < 10**MOST_DIGITS


def word(value: Any) -> bool:
    """True for a string of one line without characters that act on a terminal or on other characters."""
    return isinstance(value, str) and not _UNPRINTABLE.search(value)


def truth(value: Any) -> bool:
    """True for a boolean."""
    return isinstance(value, bool)


def _name(value: Any) -> bool:
    return word(value) or whole(value)


def _list_of(form: Form) -> Form:
    return lambda value: isinstance(value, list) and all(map(form, value))


def _table_of(form: Form) -> Form:
    return lambda value: isinstance(value, dict) and all(map(form, value.values()))


DATA: Mapping[str, Form] = {
    "record": word, "certificate": word, "digest": word, "by": word, "claim": word,
    "answers": word, "packed": word, "is": word, "outcome": word, "differs": word,
    "repeats": whole, "depth": whole, "plies": whole, "bound": whole, "first": whole, "of": whole,
    "games": whole, "seed": whole, "total": whole, "squares": whole, "kept": whole, "outcomes": whole,
    "at_least": whole, "at_most": whole,
    "closed": truth, "shortest": truth,
    "seat": _name, "viewer": _name,
    "counts": _list_of(whole), "costs": _list_of(whole),
    "chance": _list_of(word), "alone": _list_of(word), "choices": _list_of(word),
    "times": _list_of(_list_of(word)), "plans": _list_of(_list_of(word)),
    "numbers": _table_of(whole),
}  # fmt: skip
"""The form of each entry of the data of evidence that is ever read, for all kinds of evidence."""


def _count_or(*words: str) -> Form:
    return lambda value: (whole(value) and value >= 0) or value in words


OPTIONS: Mapping[str, Form] = {
    "sense": lambda value: value in ("most", "least"),
    "at": _count_or(), "within": _count_or(), "games": _count_or(), "deals": _count_or("all"),
    "of": word, "is": _name, "summed-over": word, "other": word,
    "different": lambda value: value == "number",
    "condition": lambda value: value in ("truth", "number"),
}  # fmt: skip
"""The form of each option of a claim that sentences about verdicts name."""


def are_options(data: Mapping[str, Any]) -> bool:
    """True for options of a claim as a verdict holds them."""
    return all(key in OPTIONS and OPTIONS[key](value) for key, value in data.items())


def is_play(data: Any) -> bool:
    """True for a play: its outcomes of chance and its actions, in notation."""
    form = _list_of(word)
    return isinstance(data, dict) and data.keys() == {"chance", "plays"} and all(map(form, data.values()))


def wrong_part(data: Mapping[str, Any]) -> str | None:
    """The name of the first entry of the data of evidence that has a wrong form; None if there is none."""
    return next((key for key, value in data.items() if key in DATA and not DATA[key](value)), None)
