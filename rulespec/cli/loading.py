"""The games and stores of a ruleset that a command names, and the limits of its work."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.diagnostics import Source
from ..core.game import Game
from ..core.meter import PerQuestion
from ..core.verdicts import Verdict, beside
from ..language import Ruleset, locate, read
from ..language.work_limit import MOST_WORK
from .status import Usage

if TYPE_CHECKING:
    from ..play.face import Game as Played


class Loader:
    """Loads the games of one ruleset, which is read once, under any settings; the default game is kept."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _ruleset(self) -> Ruleset:
        return read(self.name)

    def __call__(
        self,
        *,
        parameters: Mapping[str, int | str] | None = None,
        readings: Mapping[str, str] | None = None,
        players: int | None = None,
        left_open: Collection[str] = (),
    ) -> Game:
        if not (parameters or readings or players or left_open):
            return self._default
        return self._ruleset.with_settings(players, parameters, readings, left_open=left_open)

    @cached_property
    def _default(self) -> Game:
        return self._ruleset.with_settings()

    @property
    def sources(self) -> tuple[Source, ...]:
        """The texts that the ruleset was read from; complete once it has given a game."""
        return (*self._ruleset.sources.values(),)


def store_path(name: str) -> Path:
    """The file with the verdicts on a ruleset. Raises Usage if there is none."""
    path = beside(locate(name))
    if not path.is_file():
        raise Usage(f"no verdicts are stored for `{name}`: run `rulespec prove {name}` first")
    return path


def claims_of_any_deal(game: Game) -> list[str]:
    """The claims that are not about a single deal (for those there is `solve`)."""
    return [c.id for c in game.claims.values() if not c.is_of_one_deal]


def limits(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The named limits of a command; without names, all limits of a call with many questions."""
    return {name: getattr(arguments, name) for name in names or ("timeout", "each", "memory", "engine")}


def setting_of(v: Verdict) -> str:
    """The setting of a verdict in words; empty for the defaults."""
    changed = [f"{name}={value}" for name, value in v.parameters.items()]
    return ", ".join([*changed, *(f"{name} is {reading}" for name, reading in v.readings.items())])


def with_question_limit(game: Played) -> Played:
    """Limit the steps in which the interpreter answers each question about a game, and return the game."""
    game.machine.meter = PerQuestion(MOST_WORK)
    return game
