"""The looks of values by their codes: notation, tone, suit and rank, fields; plain data for a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..book.layers import card_of, parts_of, sides_of, tone
from ..code.codes import Codes, TooLarge
from ..core.notation import write
from ..core.types import Int, Record, Scalar, Type, Value, scalar_of

MOST_VALUES = 20_000
"""Notations of types with more values than this are not listed."""


def family_of(t: Type | None) -> str:
    """The family of a value by which marks and choices are held to mean the same: a range has its name.

    Empty for types of no family: unnamed ranges, and what is no scalar, in an optional type or alone.
    """
    scalar = scalar_of(t) if t is not None else None
    return "" if scalar is None else scalar.name if isinstance(scalar, Int) else scalar.family


class Faces:
    """The types whose values a page shows, each with a number, in the order in which they were asked for."""

    def __init__(self, codes: Codes) -> None:
        self._codes = codes
        self._numbers: dict[tuple[Scalar, str], int] = {}
        self._data: list[dict[str, Any]] = []

    def of(self, t: Scalar | None, *looks: str) -> int:
        """The number of a type; -1 for the type of none and the empty set.

        Of `tones`, `cards` and `parts` those in `looks` are listed beside the notations. Raises TooLarge
        where there are too many values to be listed.
        """
        if t is None:
            return -1
        key = t, f"{t} {t.letters}" if isinstance(t, Int) else str(t)
        if key not in self._numbers:
            self._numbers[key] = len(self._data)
            self._data.append(self._face(t))
        face = self._data[self._numbers[key]]
        for look in looks:
            if look not in face and (listed := self._look(t, look)):
                face[look] = listed
        return self._numbers[key]

    def data(self) -> list[dict[str, Any]]:
        """The types as plain data, by number.

        Each has its `family` and the code of its `first` value; from that on `texts` are the notations by
        code, null where no value has a code. Plain numbers, which are their notations, have none.
        """
        return self._data

    def _face(self, t: Scalar) -> dict[str, Any]:
        face: dict[str, Any] = {"family": family_of(t)}
        if sides := sides_of(t):
            return {**face, "sides": sides}
        return {**face, "first": self._codes.codes(t)[0], "texts": self._listed(t, lambda v: write(t, v))}

    def _look(self, t: Scalar, look: str) -> list[Any]:
        if look == "tones":
            return [] if isinstance(t, Int) else self._listed(t, lambda v: tone(t, v))
        if not isinstance(t, Record):
            return []
        if look == "cards":
            cards = self._listed(t, lambda v: card_of(t, v))
            return cards if any(card and card[0] for card in cards) else []
        assert look == "parts"
        return self._listed(t, lambda v: [[part.label, part.number] for part in parts_of(t, v)])

    def _listed(self, t: Scalar, made: Callable[[Value], Any]) -> list[Any]:
        """Something of each value of a type, by code from the first on."""
        codes = self._codes.codes(t)
        if codes[-1] - codes[0] >= MOST_VALUES:
            raise TooLarge(f"{t} has more than {MOST_VALUES:,} values, and the page would list them all")
        listed: list[Any] = [None] * (codes[-1] - codes[0] + 1)
        for code, value in zip(codes, t.values, strict=True):
            listed[code - codes[0]] = made(value)
        return listed
