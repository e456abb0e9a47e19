"""The types of the data in stores of verdicts, checked once when a store is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..diagnostics import CONTROLS

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


COUNT = _list_of(whole)
OF_SEAT: Mapping[str, Form] = {"seat": whole, "outcome": word, "numbers": _table_of(whole)}
"""The entries of evidence about one player: who that is, and what is shown of that player."""
DEAL: Mapping[str, Form] = {"chance": _list_of(word)}
"""The entry of evidence about one deal: its outcomes of chance."""
PROVER: Mapping[str, Form] = {"certificate": word, "bound": whole, **DEAL}

ENTRIES: Mapping[str, Mapping[str, Form]] = {
    "play": {
        "record": word, "repeats": whole, "shortest": truth, "differs": word, "alone": _list_of(word),
        "viewer": _name, **DEAL,
    },
    "exploration": {
        "counts": COUNT, "digest": word, "closed": truth, "costs": COUNT, "alone": _list_of(word),
        "bound": whole, **DEAL,
    },
    "induction": {"depth": whole, "by": word, "alone": _list_of(word), **PROVER},
    "refutation": {"plies": whole, "by": word, "alone": _list_of(word), **PROVER},
    "combination": {"times": _list_of(_list_of(word)), "bound": whole, **DEAL},
    "helper": {"claim": word},
    "fraction": {"is": word},
    "strategies": {"is": word, "plans": _list_of(_list_of(word)), "choices": _list_of(word)},
    "search": {"at_least": whole, "at_most": whole, "certificate": word, **DEAL},
    "deals": {"claim": word, "first": whole, "answers": word, "of": whole, "packed": word},
    "sample": {"games": whole, "seed": whole, "total": whole, "squares": whole},
}  # fmt: skip
"""The entries that each kind of evidence may have, and their forms; every one is compared by the judge."""
NEEDED: Mapping[str, tuple[str, ...]] = {
    "exploration": ("counts", "digest", "closed"),
    "combination": ("times",),
    "helper": ("claim",),
    "fraction": ("is",),
    "strategies": ("is", "plans", "choices"),
    "search": ("at_least", "at_most"),
    "deals": ("claim",),
    "sample": ("games", "seed", "total", "squares"),
}
"""The entries that evidence of a kind always has."""


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


def wrong_entry(kind: str, data: Mapping[str, Any]) -> str | None:
    """The first entry of evidence of a kind that is missing, unknown or of a wrong form; None if there is
    none."""
    forms = {**ENTRIES[kind], **OF_SEAT}
    missing = (key for key in NEEDED.get(kind, ()) if key not in data)
    wrong = (key for key, value in data.items() if key not in forms or not forms[key](value))
    return next(missing, None) or next(wrong, None)
