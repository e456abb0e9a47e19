"""Loading the core game of a ruleset under other settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from rulespec.core.game import Game


class Loader(Protocol):
    """Loads the core game again, under other parameters, readings or players.

    Of rulings that are `left_open` the setup draws a reading.
    """

    def __call__(
        self,
        *,
        parameters: Mapping[str, int | str] | None = None,
        readings: Mapping[str, str] | None = None,
        players: int | None = None,
        left_open: Collection[str] = (),
    ) -> Game: ...
