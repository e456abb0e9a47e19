"""The settings of a ruleset with one difference from a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..core.diagnostics import RulesetError
from ..core.game import Game
from ..core.notation import write
from ..core.types import Scalar, Value

Settle = Callable[..., Game]
"""Gives the game of a ruleset under other settings; raises RulesetError."""


@dataclass(frozen=True)
class Setting:
    """A change of settings: another number of players, other readings, or other values of parameters."""

    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Value] = field(default_factory=dict)
    """The values by id, with the words for them in `words`."""
    words: str = ""

    def __str__(self) -> str:
        chosen = [f"`{ruling}` is {reading}" for ruling, reading in self.readings.items()]
        numbers = [f"{self.players} play"] if self.players else []
        return " and ".join([*numbers, *chosen, *([self.words] if self.words else [])])

    def apply(self, game: Game, settle: Settle, **more: Any) -> Game:
        """The game with this change and otherwise the same settings; raises RulesetError if there is none."""
        readings = {ruling.id: ruling.chosen for ruling in game.rulings.values()}
        parameters = {p.id: p.value for p in game.parameters.values() if p.value != p.default}
        chosen = {"parameters": {**parameters, **self.parameters}, "readings": {**readings, **self.readings}}
        return settle(players=self.players or game.players, **chosen, **more)

    def of(self, game: Game, settle: Settle) -> Game | None:
        """The game with this change; None if there is no such game."""
        with suppress(RulesetError):
            return self.apply(game, settle)
        return None


def readings(game: Game) -> Iterator[tuple[str, str]]:
    """Each reading that has formal text but is not chosen, with its ruling."""
    for ruling in game.rulings.values():
        for reading in ruling.readings:
            if reading.modelled and reading.id != ruling.chosen:
                yield ruling.id, reading.id


def elsewhere(game: Game, players: Sequence[int]) -> Iterator[Setting]:
    """Every setting with another number of players, or another reading."""
    for number in players:
        if number != game.players:
            yield Setting(number)
    for ruling, reading in readings(game):
        yield Setting(readings={ruling: reading})


def ends_of_parameters(game: Game) -> Iterator[Setting]:
    """Every setting with one parameter at its first or last value."""
    for parameter in game.parameters.values():
        of = parameter.type
        for value in (of.values[0], of.values[-1]) if isinstance(of, Scalar) else ():
            if value != parameter.value:
                words = f"`{parameter.id}` is {write(of, value)}"
                yield Setting(parameters={parameter.id: value}, words=words)
