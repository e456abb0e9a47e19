"""The settings of a game that a page carries: one bundle for each, in order of demand, in limited number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.diagnostics import RulesetError
from ..core.game import Parameter
from ..core.notation import write
from ..core.plain_data import to_data
from ..core.types import scalar_of
from ..play.examples import changed_parameters, changed_readings
from ..play.face import Game

MOST_VALUES = 4
"""For a parameter with more values, only those next to the default are carried."""


@dataclass(frozen=True)
class Setting:
    """A game under some settings, and their name on a page."""

    game: Game
    label: str
    text: str = ""
    """The ruleset's words for the differences from the default."""

    @property
    def key(self) -> str:
        """A short name that differs if the rules differ in meaning."""
        return self.game.core.digest[:8]

    def to_data(self) -> dict[str, Any]:
        """The setting as named in a page, with the differing parameters and readings as in a record."""
        return {
            "key": self.key, "label": self.label, "text": self.text, "players": self.game.core.players,
            "parameters": changed_parameters(self.game), "readings": changed_readings(self.game),
        }  # fmt: skip


def name_settings(game: Game) -> Setting:
    """A game with any settings, with words for the differences from its defaults."""
    core = game.core
    parts, texts = [], []
    changed = changed_parameters(game)
    for parameter in core.parameters.values():
        if parameter.id in changed:
            parts.append(f"{parameter.id}: {write(parameter.type, parameter.value)}")
            texts.append(parameter.prose)
    readings = changed_readings(game)
    for ruling in core.rulings.values():
        if ruling.id in readings:
            parts.append(f"{ruling.id}: {ruling.chosen}")
            texts += [reading.prose for reading in ruling.readings if reading.id == ruling.chosen]
    return Setting(game, ", ".join(parts) or "as told on this page", " ".join(filter(None, texts)))


def settings(game: Game, numbers: tuple[int, ...]) -> Iterator[Setting]:
    """The default setting, other numbers of players, and each other reading and parameter value alone.

    A variant has only the first two. Settings that violate conditions are left out.
    """
    yield name_settings(game)
    asked: list[Mapping[str, Any]] = [{"players": n} for n in numbers if n != game.core.players]
    for ruling in () if game.core.extends else game.core.rulings.values():
        asked += [{"readings": {ruling.id: r.id}} for r in ruling.readings if r.id != ruling.chosen]
    for parameter in () if game.core.extends else game.core.parameters.values():
        asked += [{"parameters": {parameter.id: value}} for value in _others(parameter)]
    for one in asked:
        try:
            yield name_settings(game.under(**one))
        except RulesetError:
            continue


def _others(parameter: Parameter) -> Iterator[Any]:
    """The other values of a parameter that a page may carry, as plain data."""
    kind = scalar_of(parameter.type)
    if kind is None or parameter.value is None:
        return
    values = [*kind.values]
    at = values.index(parameter.value)
    near = values if len(values) <= MOST_VALUES else values[max(at - 1, 0) : at + 2]
    yield from (to_data(parameter.type, value) for value in near if value != parameter.value)
