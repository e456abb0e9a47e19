"""The looks of values beside their notations, as plain data for scripts: tones, suits and ranks."""

from __future__ import annotations

from typing import Any

from ..book.drawing.layers import card_of, tone
from ..core.types import Int, List, Scalar, Set, Type, scalar_of
from .types import Types


class Looks:
    """The looks of the types of a bundle, by their numbers there."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self.listed: dict[int, dict[str, list[Any]]] = {}
        """For each type with looks the tone of each value (`tones`), or its suit and rank (`cards`)."""

    def number(self, t: Type, *looks: str) -> int:
        """Register a type of a set, a list or scalars, and the looks of its values; return its number.

        The number is -1 for the type of none alone. Plain numbers have no looks: they determine their tones
        themselves.
        """
        rows = isinstance(t, Set | List)
        scalar = t.of if isinstance(t, Set | List) else scalar_of(t)
        if scalar is not None and not isinstance(scalar, Int):
            number = self._types.number(scalar)
            for look in looks:
                if listed := _list_looks(scalar, look):
                    self.listed.setdefault(number, {})[look] = listed
        return self._types.number(t) if rows else -1 if scalar is None else self._types.number(scalar)


def _list_looks(t: Scalar, look: str) -> list[Any]:
    """The look of each value of a type; empty if it has none."""
    if look == "tones":
        return [tone(t, value) for value in t.values]
    cards = [card_of(t, value) for value in t.values]
    return cards if any(map(any, cards)) else []
