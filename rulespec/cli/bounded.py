"""Limits of each question to the interpreter, in commands that play on for as long as they are asked to."""

from __future__ import annotations

from ..core.meter import PerQuestion
from ..language.work_limit import MOST_WORK
from ..play.face import Game


def counted(game: Game) -> Game:
    """The game, of which the interpreter answers each question in so many steps or not at all."""
    game.machine.meter = PerQuestion(MOST_WORK)
    return game
