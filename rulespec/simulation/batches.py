"""Batches of random games, played by a kernel in generated code, with a row of numbers for each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..budgets import watchdog
from ..code import Runner
from ..code.execution.kernel_names import scoring_names
from ..code.execution.runner import wider_buffer
from ..code.plies import FULL
from ..kernels.batches import FAULTED as FAULTED
from ..kernels.batches import HEAD
from ..play.face import Game

STOPPED = 0
"""The end of a game that reached the limit of plies; `FAULTED` is that of one that stored a value which
does not fit its place. Other numbers are those of the ends from 1 on; the one after the last means that
nobody could act."""
PLY = 0.01
"""Maximum seconds for a ply when whole games are played."""


class Layout(NamedTuple):
    """The numbers of a game in its row: plies, end, a bit for each winner (bit p for player p), number of
    uses of each action, and in a game with scores the score of each player if the game is over."""

    actions: int
    players: Sequence[int]
    scored: bool

    @property
    def width(self) -> int:
        """The size of a row."""
        return HEAD + self.actions + (len(self.players) if self.scored else 0)


def layout(game: Game) -> Layout:
    """The rows of a game."""
    return Layout(len(game.core.actions), tuple(game.core.player.values), game.core.outcome.score is not None)


class Batches:
    """Plays batches of the random games of a seed."""

    def __init__(self, game: Game, runner: Runner, seed: str) -> None:
        """Play with the code in a runner of the game."""
        self.row = layout(game)
        names = runner.instance.beside(scoring_names(runner.written), "batches")
        self._function, self._instance = names["batch"], runner.instance
        self._written = runner.written
        cells, words = runner.encode(game.machine.initial().values)
        self._first = self._instance.numbers(cells), self._instance.words(words)
        digest = hashlib.sha256(f"simulate {seed}".encode()).digest()
        self.base = int.from_bytes(digest[:8], "little")
        """The source from which, with its number, the chance of every game is derived."""
        self._moves = self._instance.room("numbers", runner.written.rows.first_size)

    def play(self, number: int, games: int, most: int) -> Any:
        """The rows of `games` games from a number on, each abandoned after `most` plies.

        Raises TooLarge if a position has too many legal actions for any buffer.
        """
        cells, words = self._first
        rows = self._instance.room("numbers", games * self.row.width)
        while True:
            c = self._instance.words([1, 1, 0, 0, 0, 0, 0])
            watchdog.step(PLY * games * most)
            scratch = (cells.copy(), words.copy(), c, self._moves)
            if int(self._function(self._first, scratch, self.base, number, games, most, rows)) != FULL:
                return rows
            self._moves = wider_buffer(self._instance, self._moves, self._written)
