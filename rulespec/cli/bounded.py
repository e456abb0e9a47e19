"""Bounds on each step of commands that play on for as long as they are asked to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import wraps

from ..budgets import watchdog
from ..core.meter import PerQuestion
from ..language.work import MOST_WORK
from ..play.face import Game
from .status import WRONG

Command = Callable[[argparse.Namespace], int]


def step_by_step(command: Command) -> Command:
    """A command in which every ply, and every list of actions, must come to its end in time."""

    @wraps(command)
    def run(arguments: argparse.Namespace) -> int:
        with watchdog.watched(_too_long):
            return command(arguments)

    return run


def counted(game: Game) -> Game:
    """The game, of which the interpreter answers each question in so many steps or not at all."""
    game.machine.meter = PerQuestion(MOST_WORK)
    return game


def _too_long() -> int:
    sys.stdout.flush()
    text = f"one ply, or the list of actions of one position, takes more than {watchdog.LIMIT:.0f} s of work"
    print(f"rulespec: {text}", file=sys.stderr, flush=True)
    return WRONG
