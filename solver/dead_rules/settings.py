"""Under which other settings a part or a reading may matter: other numbers of players, other readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from solver.evidence.problem import Loader


@dataclass(frozen=True)
class Setting:
    """A change of settings: another number of players, or other readings."""

    players: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        chosen = [f"`{ruling}` is {reading}" for ruling, reading in self.readings.items()]
        return " and ".join([*([f"{self.players} play"] if self.players else []), *chosen])

    def of(self, game: Game, loader: Loader) -> Game | None:
        """The game with this changed and all else as it is; None where there is no such game."""
        readings = {ruling.id: ruling.chosen for ruling in game.rulings.values()}
        try:
            return loader(
                parameters={p.id: p.value for p in game.parameters.values() if p.value != p.default},
                readings={**readings, **self.readings},
                players=self.players or game.players,
            )
        except RulesetError:
            return None


def readings(game: Game) -> Iterator[tuple[str, str]]:
    """Every reading that was not chosen and that formal text knows, with its ruling."""
    for ruling in game.rulings.values():
        for reading in ruling.readings:
            if reading.modelled and reading.id != ruling.chosen:
                yield ruling.id, reading.id


def elsewhere(game: Game, players: Sequence[int]) -> Iterator[Setting]:
    """Every setting in which one thing is otherwise."""
    for number in players:
        if number != game.players:
            yield Setting(number)
    for ruling, reading in readings(game):
        yield Setting(readings={ruling: reading})


def together(game: Game, players: Sequence[int]) -> Iterator[Setting]:
    """Every setting in which another number plays by another reading."""
    for number in players:
        if number != game.players:
            for ruling, reading in readings(game):
                yield Setting(number, {ruling: reading})
